import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { storeContract } from '../contract/store-contract.ts';

storeContract('in memory', async () => ({ store: createInMemoryStore(), dispose: async () => undefined }));
