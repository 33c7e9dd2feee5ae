/** Does I/O: `import` of conversations and `ingest` of help articles from files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConsoleError } from '../../../shared/errors.ts';
import type { MarkdownFile } from '../../compose.ts';
import { AXIS_FLAGS, axesOf, COMMON_FLAGS, DONE } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { cleanLine } from './text-cleaning.ts';

/** Largest file taken: everything is checked before anything is stored, so it is held in memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_ARTICLE_BYTES = 1024 * 1024;

function unreadable(file: string, error: unknown): ConsoleError {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code ?? error);
  return new ConsoleError('invalid-input', `${file} cannot be read: ${reason}`, { cause: error });
}

/** The first line that is no UTF-8, from 1. A line break is never part of a longer sequence of UTF-8. */
function firstBadLine(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}

/** The text of a UTF-8 file without its byte-order mark. */
async function readText(file: string, name: string, mostBytes: number): Promise<string> {
  let bytes: Buffer;
  try {
    const { size } = await stat(file);
    if (size > mostBytes) throw new ConsoleError('invalid-input', `${name} is larger than ${mostBytes / 1024 / 1024} MiB; split it`);
    bytes = await readFile(file);
  } catch (error) {
    throw error instanceof ConsoleError ? error : unreadable(name, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ConsoleError('invalid-input', `line ${firstBadLine(bytes)}: ${name} is not UTF-8 text there`, { cause: error });
  }
}

async function runImport(context: CommandContext): Promise<number> {
  const file = context.config.words[0] ?? '';
  const text = await readText(path.resolve(file), file, MAX_FILE_BYTES);
  const { ids, notices } = await context.api.call('importConversations', { text, ...axesOf(context) });
  for (const notice of notices) context.output.note(notice);
  for (const id of ids) context.output.result(id);
  return DONE;
}

/** Markdown files below a folder, in order of their paths. Links are not followed: they may lead out of the folder. */
async function markdownFiles(folder: string): Promise<string[]> {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true, recursive: true });
  } catch (error) {
    throw unreadable(folder, error);
  }
  return entries
    .filter((entry) => entry.isFile() && /\.(md|markdown)$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

async function runIngest(context: CommandContext): Promise<number> {
  const folder = path.resolve(context.config.words[0] ?? '');
  const name = path.basename(folder);
  const files: MarkdownFile[] = [];
  for (const file of await markdownFiles(folder)) {
    const relative = path.relative(folder, file).split(path.sep).join('/');
    files.push({ path: `${name}/${relative}`, text: await readText(file, relative, MAX_ARTICLE_BYTES) });
  }
  const report = await context.console.ingest(name, files);
  for (const problem of report.problems) context.output.note(cleanLine(problem));
  context.output.result(`articles: ${report.stored} stored, ${report.removed} removed`);
  return DONE;
}

export const importCommand: Command = {
  usage: 'import FILE.jsonl',
  form: { flags: [...COMMON_FLAGS, ...AXIS_FLAGS] },
  words: 1,
  readOnly: false,
  run: runImport,
};

export const ingest: Command = {
  usage: 'ingest FOLDER',
  form: { flags: COMMON_FLAGS },
  words: 1,
  readOnly: false,
  run: runIngest,
};
