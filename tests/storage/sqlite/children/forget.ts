// Does I/O: a process that forgets a customer and ends itself with SIGKILL at a place. Arguments: folder, customer, place.
import type { DataFolder, Store } from '../../../../electron/engine/ports.ts';
import { createDataFolder } from '../../../../electron/storage/data-folder.ts';
import { openSqliteStore } from '../../../../electron/storage/sqlite/sqlite-store.ts';
import { createEngine } from '../../../engine/engine-fixture.ts';

const [folder = '', customerId = '', place = ''] = process.argv.slice(2);

function dieAt(here: string): void {
  if (here !== place) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

const opened = await openSqliteStore({ folder });
const store: Store = {
  ...opened,
  erasure: {
    conversationsOf: (id) => opened.erasure.conversationsOf(id),
    count: (id) => opened.erasure.count(id),
    textsOf: (id) => opened.erasure.textsOf(id),
    search: (texts) => opened.erasure.search(texts),
    compact: async () => {
      await opened.erasure.compact();
      dieAt('before the proof');
    },
    forget: async (id, at) => {
      dieAt('before the rows');
      const counts = await opened.erasure.forget(id, at);
      dieAt('before the copies');
      return counts;
    },
  },
};
const files = createDataFolder(folder);
const dataFolder: DataFolder = {
  scan: (texts) => files.scan(texts),
  cleanCopies: async (order) => {
    const done = await files.cleanCopies(order);
    dieAt('after the copies');
    return done;
  },
};
const engine = await createEngine({ store, dataFolder, conversationId: 'none' });
await engine.service.call('forgetCustomer', { customerId });
process.stdout.write('forgotten\n');
