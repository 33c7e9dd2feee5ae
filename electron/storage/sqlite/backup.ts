/** Does I/O: whole copies of a data folder's databases, and back. For commands that run beside or instead of a console. */
import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs';
import path from 'node:path';
import { ConsoleError } from '../../../shared/errors.ts';
import { openConnection } from './connection.ts';
import { lockFolder } from './folder-lock.ts';
import { BACKUP_FOLDER, DATABASE_FILE } from './open-folder.ts';

const FILES = [DATABASE_FILE, 'outbox.db', 'cache.db'] as const;

export interface BackupReport {
  /** Where the copies are. */
  folder: string;
  files: string[];
}

/** A consistent copy of each database, on the disk when it returns; works beside a running console. Throws `not-found` where there is none. */
export function backupFolder(folder: string, name: string): BackupReport {
  const present = FILES.filter((file) => existsSync(path.join(folder, file)));
  if (present.length === 0)
    throw new ConsoleError('not-found', `${folder} holds no database of Nimbus Console; name another with --data-dir=FOLDER.`);
  const target = path.join(folder, BACKUP_FOLDER, name);
  if (existsSync(target)) throw new ConsoleError('conflict', `There is a backup ${target} already.`);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const file of present) {
    const copy = path.join(target, file);
    const connection = openConnection(path.join(folder, file), { readOnly: true });
    try {
      connection.run('VACUUM INTO ?', copy);
    } finally {
      connection.close();
    }
    onDisk(copy);
  }
  return { folder: target, files: [...present] };
}

/**
 * Puts the copies of a backup in place of the folder's databases, which are kept beside them under `replacedName`.
 * Throws `folder-in-use` while a console runs, `not-found` or `storage` when the backup is none or damaged; then nothing was changed.
 */
export function restoreFolder(folder: string, source: string, replacedName: string): BackupReport {
  const present = FILES.filter((file) => existsSync(path.join(source, file)));
  if (present.length === 0) throw new ConsoleError('not-found', `${source} is no backup: it holds none of ${FILES.join(', ')}.`);
  for (const file of present) check(path.join(source, file));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  try {
    const replaced = path.join(folder, BACKUP_FOLDER, replacedName);
    mkdirSync(replaced, { recursive: true, mode: 0o700 });
    for (const file of FILES) {
      for (const each of [file, `${file}-wal`, `${file}-shm`]) {
        const own = path.join(folder, each);
        if (existsSync(own)) renameSync(own, path.join(replaced, each));
      }
    }
    for (const file of present) {
      copyFileSync(path.join(source, file), path.join(folder, file));
      onDisk(path.join(folder, file));
    }
    return { folder: replaced, files: [...present] };
  } finally {
    unlock();
  }
}

function check(file: string): void {
  const connection = openConnection(file, { readOnly: true });
  try {
    const found = String(connection.pragma('quick_check(1)'));
    if (found !== 'ok') throw new ConsoleError('storage', `The backup ${file} is damaged (${found}); nothing was changed.`);
  } finally {
    connection.close();
  }
}

function onDisk(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
