// Brings the shared MySQL or MariaDB database up to schema.sql, fills it with the demo shop, or tells what is there.
// Usage: npm run db:migrate [-- --yes] | db:seed | db:status. The address is NIMBUS_MYSQL_ADMIN_URL, else NIMBUS_MYSQL_URL; .env is read.
import './check-node.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnvironmentFile } from '../electron/environment-file.ts';
import { migrateMysql, mysqlStatus } from '../electron/storage/mysql/migrate.ts';
import { openMysqlStore } from '../electron/storage/mysql/mysql-store.ts';
import { shopData } from '../electron/engine/shop/shop-data.ts';

const BAD_INPUT = 2;
const file = existsSync('.env') ? parseEnvironmentFile(readFileSync('.env', 'utf8')).values : {};
const variables = { ...file, ...process.env };
const schemaSql = readFileSync(fileURLToPath(new URL('../schema.sql', import.meta.url)), 'utf8');

const commands = {
  migrate: async (url) => {
    const before = await mysqlStatus(url);
    // What holds conversations is changed only after a person had the chance to copy it: the server's own backups are not ours to make.
    if (before.conversations > 0 && before.version !== before.needed && !process.argv.includes('--yes')) {
      console.error(
        `${before.place} holds ${before.conversations} conversations under ${before.version === null ? 'the schema of another program' : `schema ${before.version}`}; needed is ${before.needed}.`,
      );
      console.error('Nothing was changed. Take a copy first, then say so:');
      console.error('  mariadb-dump --single-transaction --user=ADMIN --password DATABASE > nimbus-before-migration.sql   (or mysqldump)');
      console.error('  npm run db:migrate -- --yes');
      process.exitCode = BAD_INPUT;
      return;
    }
    const changes = await migrateMysql({ url, schemaSql, onStep: (text) => console.error(text) });
    console.log(changes === 0 ? 'the database is up to date' : `${changes} changes made; the database is up to date`);
  },
  seed: async (url) => {
    const store = await openMysqlStore({ url });
    try {
      if (await store.shop.isSeeded()) {
        console.log('the demo shop is there already; nothing was changed');
        return;
      }
      await store.shop.seed(shopData(Date.now()));
      console.log('the demo shop was stored');
    } finally {
      await store.close();
    }
  },
  status: async (url) => {
    const status = await mysqlStatus(url);
    console.log(`database: ${status.place}`);
    console.log(`server: ${status.server}`);
    const schema = status.version === null ? 'none; run "npm run db:migrate"' : `${status.version} (needed: ${status.needed})`;
    console.log(`schema: ${schema}`);
    console.log(`conversations: ${status.conversations}`);
    console.log(`messages: ${status.messages}`);
  },
};

const command = commands[process.argv[2] ?? ''];
const url = variables.NIMBUS_MYSQL_ADMIN_URL ?? variables.NIMBUS_MYSQL_URL;
if (command === undefined) {
  console.error('Usage: npm run db:migrate | db:seed | db:status');
  process.exitCode = BAD_INPUT;
} else if (url === undefined || url === '') {
  console.error('Set NIMBUS_MYSQL_ADMIN_URL (or NIMBUS_MYSQL_URL) to mysql://USER:PASS@HOST:PORT/DATABASE.');
  process.exitCode = BAD_INPUT;
} else {
  try {
    await command(url);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error?.code === 'invalid-input' ? BAD_INPUT : 1;
  }
}
