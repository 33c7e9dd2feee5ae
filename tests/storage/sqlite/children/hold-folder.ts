// Does I/O: a process that opens the store of a folder, says so, and keeps it. Arguments: folder, what to do next.
import { openSqliteStore } from '../../../../electron/storage/sqlite/sqlite-store.ts';
import { answer, conversation, incoming, question } from '../../../contract/store-builders.ts';

const [folder = '', task = 'hold'] = process.argv.slice(2);
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  const store = await openSqliteStore({ folder });
  say('open');
  if (task === 'write') {
    const { id } = await store.conversations.create(conversation());
    say(`conversation ${id}`);
    await store.conversations.accept(incoming(id, question('begin', { id: 'question' }), 'run'));
    for (let index = 0; ; index += 1) {
      // Said only after it is saved: what the parent has read must be there after a kill.
      await store.conversations.append(id, 1, 'run', [answer(`answer ${index} ${'x'.repeat(2_000)}`, { id: `a-${index}` })]);
      say(`saved ${index}`);
    }
  }
  process.stdin.resume();
  process.stdin.on('end', () => {
    void store.close();
  });
} catch (error) {
  say(
    `refused ${JSON.stringify(error instanceof Error && 'code' in error ? { code: error.code, message: error.message } : String(error))}`,
  );
}
