/** Does I/O: the terminal host. Picks the command, opens the console, turns failures into exit codes. */
import { toErrorInfo } from '../../../shared/errors.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { compose, readConfig, redact } from '../../compose.ts';
import type { Console } from '../../compose.ts';
import { BAD_INPUT, DONE, FOLDER_IN_USE, RUN_FAILED } from './command.ts';
import type { Command } from './command.ts';
import { forgetCustomer } from './erasure-command.ts';
import { importCommand, ingest } from './file-commands.ts';
import { createInterrupts } from './interrupts.ts';
import { createOutput } from './output.ts';
import type { Output } from './output.ts';
import { compact, forget, memories, pin, usage as tenantUsage } from './memory-commands.ts';
import { conversations, exportCommand, show, why } from './read-commands.ts';
import { set } from './set-command.ts';
import { ask, chat } from './talk-commands.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  chat,
  ask,
  show,
  conversations,
  import: importCommand,
  export: exportCommand,
  ingest,
  why,
  pin,
  forget,
  'forget-customer': forgetCustomer,
  compact,
  memories,
  usage: tenantUsage,
  set,
};

/** A person who quits twice does not wait for a slow disk. */
const QUIT_MS = 3_000;

function usage(command?: Command): string {
  const lines = command === undefined ? Object.values(COMMANDS).map((each) => each.usage) : [command.usage];
  const flags = 'every command takes --data-dir=FOLDER --strategy=NAME --set=KEY=VALUE';
  return ['usage:', ...lines.map((line) => `  npm run -s ${line.replace(' ', ' -- ')}`), flags].join('\n');
}

function exitCodeFor(code: ErrorCode): number {
  if (code === 'folder-in-use') return FOLDER_IN_USE;
  return code === 'invalid-input' || code === 'not-found' || code === 'unsupported' || code === 'forbidden' ? BAD_INPUT : RUN_FAILED;
}

async function runCommand(command: Command, argv: readonly string[], output: Output): Promise<number> {
  const config = readConfig(argv, process.env, process.cwd(), command.form);
  if (config.flags.has('help')) {
    output.result(usage(command));
    return DONE;
  }
  const { length } = config.words;
  if (length < command.words || (length > command.words && command.moreWords !== true)) {
    output.note(usage(command));
    return BAD_INPUT;
  }
  const readOnly = typeof command.readOnly === 'function' ? command.readOnly(config.words) : command.readOnly;
  let opened: Console | null = null;
  const interrupts = createInterrupts(() => {
    output.note('closing');
    setTimeout(() => process.exit(RUN_FAILED), QUIT_MS).unref();
    // Closing stops the run at work, which ends the command that waits for it.
    void opened?.close().catch(() => undefined);
  });
  try {
    opened = await compose(config, { host: 'terminal', readOnly });
    return await command.run({ console: opened, api: opened.api, config, output, interrupts });
  } finally {
    await opened?.close();
    interrupts.dispose();
  }
}

/** Runs one command (`argv` starts with its name) and resolves with the exit code: 0 done, 1 the run failed, 2 bad input, 3 the folder is in use. */
export async function runTerminal(argv: readonly string[]): Promise<number> {
  const output = createOutput(process.stdout, process.stderr);
  const [name = '', ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  let code: number;
  if (command === undefined) {
    if (name === '--help') output.result(usage());
    else output.note(name === '' ? usage() : `there is no command "${name}"\n${usage()}`);
    code = name === '--help' ? DONE : BAD_INPUT;
  } else {
    try {
      code = await runCommand(command, rest, output);
    } catch (error) {
      const info = toErrorInfo(error);
      output.note(redact(info.message));
      code = exitCodeFor(info.code);
    }
  }
  await output.flush();
  return code;
}
