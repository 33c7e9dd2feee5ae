/** Part of the console's contract: where conversations are kept. Pure data. Passwords go in and never come back. */
import { z } from 'zod';
import { STORAGE_CHOICES } from '../storage-choice.ts';
import type { StorageReport, StorageView } from '../storage-choice.ts';
import { noParams, result } from './schema.ts';

const MOST_PORT = 65_535;
const login = z.string().max(500);

export const storageServerSchema = z.object({
  hosts: z.string().trim().min(1, 'name the host of the server').max(1000),
  port: z.number().int().min(1, 'a port is a number from 1 to 65535').max(MOST_PORT, 'a port is a number from 1 to 65535').default(3306),
  database: z.string().trim().min(1, 'name the database').max(64),
  user: z.string().trim().min(1, 'name the user of the database').max(128),
  caFile: z.string().trim().max(1000).default(''),
});

/** Fields, or an address `mysql://USER:PASS@HOST:PORT/DATABASE?ca=FILE`. `password: null`: the one that is kept, for the same user and hosts. */
export const storageConnectionSchema = z.union([
  z.strictObject({ url: z.string().trim().min(1, 'paste an address first').max(4000) }),
  storageServerSchema.extend({ password: login.nullable() }).strict(),
]);
export type StorageConnection = z.output<typeof storageConnectionSchema>;

export const STORAGE_API = {
  getStorage: { params: noParams, result: result<{ storage: StorageView }>() },
  /** Every host is tried; nothing is changed. null: what the next start uses. */
  testStorage: { params: z.object({ connection: storageConnectionSchema.nullable() }), result: result<{ report: StorageReport }>() },
  /**
   * Makes or completes the tables. `adminUrl`: an address whose login may do so, used once and not kept; null: the connection's own.
   * Resolves with the number of changes and the connection's report afterwards.
   */
  migrateStorage: {
    params: z.object({
      connection: storageConnectionSchema.nullable(),
      adminUrl: z.string().trim().min(1, "paste the administrator's address first").max(4000).nullable(),
    }),
    result: result<{ changes: number; report: StorageReport }>(),
  },
  /** For the next start. `connection: null` with `sqlite`; the server that was saved stays known. `keep` is where the password goes. */
  saveStorage: {
    params: z.object({
      choice: z.enum(STORAGE_CHOICES),
      connection: storageConnectionSchema.nullable(),
      keep: z.enum(['keychain', 'session']),
    }),
    result: result<{ storage: StorageView }>(),
  },
  /** Starts the engine anew with what is chosen; `here`: on this computer, for this time. Answers first, then tells `console-restart`. */
  restartConsole: { params: z.object({ here: z.boolean().default(false) }), result: result<Record<string, never>>() },
} as const;
