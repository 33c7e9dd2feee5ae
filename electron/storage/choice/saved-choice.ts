/** Does I/O: where conversations are kept, as a person chose it: a small file of the data folder. The password is never in it. */
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { storageServerSchema } from '../../../shared/api/storage.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { STORAGE_CHOICES } from '../../../shared/storage-choice.ts';
import { makeFolder } from '../make-folder.ts';

export const CHOICE_FILE = 'storage.json';
const OWNER_ONLY = 0o600;

const fileSchema = z.object({ version: z.literal(1), choice: z.enum(STORAGE_CHOICES), server: storageServerSchema.nullable() });
export type SavedChoice = Omit<z.output<typeof fileSchema>, 'version'>;

/** null: nothing was chosen. Rejects with `storage` for a file of another form, so that it is never passed over unseen. */
export async function readSavedChoice(folder: string): Promise<SavedChoice | null> {
  let text: string;
  try {
    text = await readFile(path.join(folder, CHOICE_FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw new ConsoleError('storage', `${CHOICE_FILE} in the data folder cannot be read.`, { cause: error });
  }
  try {
    const { choice, server } = fileSchema.parse(JSON.parse(text));
    if (choice !== 'sqlite' && server === null) throw new Error('no server');
    return { choice, server };
  } catch (error) {
    const advice = 'Choose the storage again in the settings, or remove the file to work on this computer';
    throw new ConsoleError('storage', `${CHOICE_FILE} in the data folder is damaged. ${advice}.`, { cause: error });
  }
}

/** Whole or not at all. Rejects with `not-saved`. */
export async function writeSavedChoice(folder: string, choice: SavedChoice): Promise<void> {
  const file = path.join(folder, CHOICE_FILE);
  const draft = `${file}.new`;
  try {
    makeFolder(folder);
    await rm(draft, { force: true });
    await writeFile(draft, `${JSON.stringify({ version: 1, ...choice }, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx', flush: true });
    await chmod(draft, OWNER_ONLY);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new ConsoleError('not-saved', `The choice could not be written to ${CHOICE_FILE} in the data folder; is the disk full?`, {
      cause: error,
    });
  }
}
