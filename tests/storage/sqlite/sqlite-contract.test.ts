import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../electron/storage/sqlite/sqlite-store.ts';
import { storeContract } from '../../contract/store-contract.ts';

storeContract('SQLite', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nimbus-sqlite-'));
  return { store: await openSqliteStore({ folder }), dispose: () => rm(folder, { recursive: true }) };
});
