/** Opens a cache of schema 1 and ends itself with SIGKILL in the middle of a later step. Parameters: the cache's file, the outbox's file, "before" or "after" its COMMIT. */
import { migrate, MIGRATIONS } from '../../../../electron/storage/sqlite/migrations.ts';
import { openConnection } from '../../../../electron/storage/sqlite/connection.ts';
import { openOutbox } from '../../../../electron/storage/sqlite/sqlite-outbox.ts';
import { newOperation } from '../../../../electron/storage/sync/operation.ts';

const [cacheFile = '', outboxFile = '', when = 'before'] = process.argv.slice(2);
const { outbox } = openOutbox(outboxFile);
const id = '00000000000000000000000000000abc';
const source = { id, tenant: 't', actor: null, subject: null, customerId: null, title: 'kept', strategy: null, at: 1 };
outbox.add(newOperation({ id: 'op-1', consoleId: 'c', conversationId: id, turn: null, kind: 'conversations.create', at: 1 }, [source]));
const connection = openConnection(cacheFile);
migrate(connection, null, MIGRATIONS.slice(0, 1));
const steps = MIGRATIONS.slice(0, 2);
if (when === 'before') {
  migrate(connection, null, [
    ...steps,
    (step) => {
      step.execute('CREATE TABLE half_done (id INTEGER)');
      process.kill(process.pid, 'SIGKILL');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
    },
  ]);
} else {
  migrate(connection, null, steps);
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
}
