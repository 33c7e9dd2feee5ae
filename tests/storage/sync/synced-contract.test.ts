import { afterAll, beforeAll, vi } from 'vitest';
import { storeContract } from '../../contract/store-contract.ts';
import { startSyncSetup } from './sync-setup.ts';
import type { SyncSetup } from './sync-setup.ts';

vi.setConfig({ testTimeout: 120_000 });

let setup: SyncSetup;

beforeAll(async () => {
  setup = await startSyncSetup();
}, 120_000);

afterAll(async () => {
  await setup?.stop();
});

storeContract('MySQL with an offline cache', async () => {
  const database = await setup.database();
  return { store: await setup.open(database.url), dispose: async () => undefined };
});
