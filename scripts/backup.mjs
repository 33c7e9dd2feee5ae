// npm run backup [-- --data-dir=FOLDER]: a copy of the data folder's databases, also beside a running console.
// npm run restore -- BACKUP [--data-dir=FOLDER]: puts a backup back while no console runs; what was there is kept.
import './check-node.mjs';
import path from 'node:path';
import { readConfig } from '../electron/config.ts';
import { backupFolder, restoreFolder } from '../electron/storage/sqlite/backup.ts';

const [command = '', ...argv] = process.argv.slice(2);
const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
try {
  const config = readConfig(argv, process.env, process.cwd(), { flags: ['data-dir'] });
  const [source] = config.words;
  if (command === 'backup' && config.words.length === 0) {
    const { folder, files } = backupFolder(config.dataFolder, stamp);
    console.log(`${folder}: ${files.join(', ')}`);
    if (config.mysqlUrl !== null) console.error('The shared database is not part of it: back it up with mariadb-dump or mysqldump.');
  } else if (command === 'restore' && source !== undefined && config.words.length === 1) {
    const { folder, files } = restoreFolder(config.dataFolder, path.resolve(source), `replaced-${stamp}`);
    console.log(`restored: ${files.join(', ')}; what was there before is in ${folder}`);
  } else {
    console.error('Usage: npm run backup [-- --data-dir=FOLDER] | npm run restore -- BACKUP [--data-dir=FOLDER]');
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error?.code === 'folder-in-use' ? 3 : error?.code === 'invalid-input' || error?.code === 'not-found' ? 2 : 1;
}
