/** Does I/O: what idle consoles ask of the shared database. Starts a private MariaDB server. `npm run bench:idle [-- CONSOLES]`; prints Markdown. */
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { openWatchedStore } from '../electron/storage/sync/watched-store.ts';
import { startMariadb } from '../tests/fakes/mariadb-server.ts';

const CONSOLES = Number(process.argv[2] ?? 50);
const SECONDS = 20;

const server = await startMariadb();
try {
  await server.sql('CREATE DATABASE console');
  await server.sql(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'), 'console');
  const fill = Array.from(
    { length: 2_000 },
    (_, index) => `('${index.toString(16).padStart(32, '0')}', NOW() - INTERVAL 1 DAY, UTC_TIMESTAMP(3))`,
  );
  await server.sql(`INSERT INTO conversations (id, updated_at, changed_at) VALUES ${fill.join(',')}`, 'console');
  const clock = {
    now: () => Date.now(),
    sleep: (ms: number) => wait(ms),
    after: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
  const stores = [];
  for (let index = 0; index < CONSOLES; index += 1) {
    stores.push(await openWatchedStore({ url: server.url('console'), console: { id: `bench-${index}`, name: `Desk ${index}` }, clock }));
  }
  const read = async (): Promise<{ questions: number; bytes: number; cpu: number }> => {
    const text = await server.sql("SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Bytes_sent', 'Bytes_received')");
    const values = new Map(text.split('\n').map((line) => line.split('\t') as [string, string]));
    const number = (name: string): number => Number(values.get(name) ?? 0);
    const stat = (await readFile(`/proc/${(await readFile(`${server.folder}/pid`, 'utf8')).trim()}/stat`, 'utf8')).split(' ');
    return {
      questions: number('Questions'),
      bytes: number('Bytes_sent') + number('Bytes_received'),
      cpu: Number(stat[13]) + Number(stat[14]),
    };
  };
  await wait(2_000);
  const before = await read();
  await wait(SECONDS * 1_000);
  const after = await read();
  const per = (value: number): string => (value / SECONDS).toFixed(1);
  console.log(`| idle consoles | statements per second | kB per second | CPU of the server |`);
  console.log(`|---|---|---|---|`);
  const cpu = ((after.cpu - before.cpu) / SECONDS).toFixed(1);
  console.log(
    `| ${CONSOLES} | ${per(after.questions - before.questions)} | ${per((after.bytes - before.bytes) / 1024)} | ${cpu} % of one core |`,
  );
  for (const store of stores) await store.close();
} finally {
  await server.stop();
}
