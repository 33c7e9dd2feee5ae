/** Does I/O: takes erased records out of the copies of a data folder. Blocks; for a worker. */
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { CleaningOrder } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import { BACKUP_FOLDER } from './folder-copies.ts';
import { eraseConversation, eraseCustomer, hasTable, tidy } from './sqlite-erasure.ts';
import { sqliteUpkeep } from './sqlite-upkeep.ts';
import { eraseFromOutbox } from './outbox-erasure.ts';

const SIDE_FILE = /-(?:wal|shm|journal)$/;
/** A database that was set aside because it was damaged. */
const SET_ASIDE = /\.db\.damaged(?:-\d+)?$/;
const UNFINISHED = /\.unfinished$/;

export interface CleaningReport {
  cleaned: number;
  deleted: number;
}

/** Every file below "backups" and every database set aside. A copy that cannot be cleaned is deleted. Throws errors of the file system. */
export function cleanCopies(folder: string, order: CleaningOrder): CleaningReport {
  const report: CleaningReport = { cleaned: 0, deleted: 0 };
  for (const file of copyFiles(folder)) {
    if (!existsSync(file)) continue;
    if (!UNFINISHED.test(file) && cleanCopy(file, order)) report.cleaned += 1;
    else {
      for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) rmSync(each, { force: true });
      report.deleted += 1;
    }
  }
  return report;
}

function copyFiles(folder: string): string[] {
  const backups = path.join(folder, BACKUP_FOLDER);
  const kept = existsSync(backups) ? readdirSync(backups, { recursive: true, withFileTypes: true }) : [];
  const files = kept
    .filter((entry) => entry.isFile() && !SIDE_FILE.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const aside = existsSync(folder) ? readdirSync(folder).filter((name) => SET_ASIDE.test(name)) : [];
  const databases = files.filter((file) => file.endsWith('.db') || UNFINISHED.test(file) || SET_ASIDE.test(file));
  return [...databases, ...aside.map((name) => path.join(folder, name))];
}

function cleanCopy(file: string, order: CleaningOrder): boolean {
  let connection: Connection | null = null;
  try {
    chmodSync(file, 0o600);
    connection = openConnection(file);
    const opened = connection;
    if (String(opened.pragma('quick_check(1)')) !== 'ok') return false;
    if (hasTable(opened, 'conversations')) {
      opened.write(() => {
        if (order.customerId !== null) eraseCustomer(opened, order.customerId);
        for (const id of order.conversationIds) eraseConversation(opened, id);
      });
      for (const { conversationId, turn } of order.turns) forgetTurn(opened, conversationId, turn);
    }
    if (hasTable(opened, 'outbox')) eraseFromOutbox(opened, order);
    tidy(opened);
    // One file, as a copy is: without a log beside it.
    opened.pragma('journal_mode = DELETE');
    return true;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}

/** A copy of an earlier version keeps turns in another form: there the whole conversation goes. */
function forgetTurn(connection: Connection, conversationId: string, turn: number): void {
  if (connection.one('SELECT 1 FROM turns WHERE conversation_id = ? AND turn = ?', conversationId, turn) === null) return;
  try {
    sqliteUpkeep(connection).forgetTurn(conversationId, turn, 0);
  } catch {
    connection.write(() => eraseConversation(connection, conversationId));
  }
}
