// npm run test:mysql: the contract of every store on a server of your own, for example MySQL 8.
// NIMBUS_TEST_MYSQL_URL=mysql://USER:PASS@HOST:PORT/NAME is a login that may create databases; those made are named NAME_contract_N and dropped.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { mysqlStatus } from '../electron/storage/mysql/migrate.ts';

const BAD_INPUT = 2;
const url = process.env.NIMBUS_TEST_MYSQL_URL ?? '';

if (url === '') {
  console.error('Set NIMBUS_TEST_MYSQL_URL=mysql://USER:PASS@HOST:PORT/NAME to a login that may create databases.');
  process.exitCode = BAD_INPUT;
} else {
  try {
    const { place, server } = await mysqlStatus(url);
    console.log(`server: ${server} at ${place}`);
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'storage', 'tests/storage/mysql/mysql-contract'];
    const run = spawnSync(process.execPath, args, { cwd: path.resolve(import.meta.dirname, '..'), stdio: 'inherit' });
    process.exitCode = run.status ?? 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = BAD_INPUT;
  }
}
