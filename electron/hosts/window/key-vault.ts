/** Does I/O: keys of providers, encrypted by the system's key store, in one file of the data folder that only its owner may read. */
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { safeStorage } from 'electron';
import { z } from 'zod';
import { ConsoleError } from '../../../shared/errors.ts';
import type { KeyStorage, VaultSlot } from '../../../shared/models.ts';
import { VAULT_SLOTS } from '../../../shared/models.ts';
import type { KeyVault } from '../../compose.ts';

const FILE = 'keys.json';
/** Read and write for the owner, nothing for others. */
const OWNER_ONLY = 0o600;
/** Backends on Linux whose password is the same on every machine: what they encrypt is as good as plain text. */
const UNSAFE_BACKENDS: readonly string[] = ['basic_text', 'unknown'];

const fileSchema = z.object({ version: z.literal(1), keys: z.partialRecord(z.enum(VAULT_SLOTS), z.base64()) });
type KeyFile = z.infer<typeof fileSchema>;

/** Call after the app is ready. `platform` decides whether the kind of key store must be looked at. */
export function createKeychainVault(options: { dataFolder: string; platform: string }): KeyVault {
  const file = path.join(options.dataFolder, FILE);
  let writing: Promise<void> = Promise.resolve();

  const storage = async (): Promise<KeyStorage> => {
    if (options.platform === 'linux') {
      const backend = safeStorage.getSelectedStorageBackend();
      if (UNSAFE_BACKENDS.includes(backend)) {
        return { canPersist: false, reason: `This system offers no safe key store (${backend}): a stored key could be read by anybody.` };
      }
    }
    const available = await safeStorage.isAsyncEncryptionAvailable().catch(() => false);
    return available ? { canPersist: true, reason: '' } : { canPersist: false, reason: "The system's key store is not available." };
  };

  const change = (edit: (keys: KeyFile['keys']) => Promise<void>): Promise<void> => {
    const work = writing.then(async () => {
      const { keys } = await readKeyFile(file);
      await edit(keys);
      await writeKeyFile(file, { version: 1, keys });
    });
    writing = work.catch(() => undefined);
    return work;
  };

  return {
    storage,
    async read(slot) {
      const { keys } = await readKeyFile(file);
      const sealed = keys[slot];
      if (sealed === undefined) return null;
      // A file brought from a safe system to an unsafe one is left alone.
      if (!(await storage()).canPersist) return null;
      try {
        return (await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'))).result;
      } catch {
        // The system's own words may hold anything; ours hold no key.
        throw new ConsoleError('storage', `The kept entry cannot be opened: ${nameOf(slot)}. Save it again.`);
      }
    },
    async write(slot, key) {
      const { canPersist, reason } = await storage();
      if (!canPersist) throw new ConsoleError('unsupported', reason);
      const sealed = await seal(slot, key);
      await change(async (keys) => {
        keys[slot] = sealed;
      });
    },
    forget: (slot) =>
      change(async (keys) => {
        delete keys[slot];
      }),
  };
}

function nameOf(slot: VaultSlot): string {
  return slot === 'mysql' ? 'the password of MySQL' : `the key for ${slot}`;
}

async function seal(slot: VaultSlot, key: string): Promise<string> {
  try {
    return (await safeStorage.encryptStringAsync(key)).toString('base64');
  } catch {
    throw new ConsoleError('storage', `The system's key store refused ${nameOf(slot)}; keep it for this session only.`);
  }
}

/** A missing file holds nothing; one of another form is an error, so that it is never overwritten unseen. */
async function readKeyFile(file: string): Promise<KeyFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { version: 1, keys: {} };
    throw new ConsoleError('storage', `${FILE} in the data folder cannot be read.`);
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new ConsoleError('storage', `${FILE} in the data folder is damaged; remove it and save the keys again.`);
  }
}

/** Whole or not at all: a crash leaves the old file. */
async function writeKeyFile(file: string, content: KeyFile): Promise<void> {
  const draft = `${file}.new`;
  try {
    await rm(draft, { force: true });
    await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    await chmod(draft, OWNER_ONLY);
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new ConsoleError('not-saved', `The key could not be written to ${FILE} in the data folder; is the disk full or read-only?`);
  }
}
