/** Does I/O: the outbox, a file of its own in which a change is Saved until MySQL has it. Worker only. */
import { existsSync, renameSync } from 'node:fs';
import { sha256 } from '../rows.ts';
import { isOperationKind } from '../sync/operation.ts';
import type { Operation, OperationState, OutboxCounts, OutboxEntry } from '../sync/operation.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import type { CleaningOrder } from '../../engine/ports.ts';
import { customersInOutbox, eraseFromOutbox } from './outbox-erasure.ts';
import { tidy } from './sqlite-erasure.ts';
import { isDamage } from './sqlite-errors.ts';

/** `number` is the console's own order; `outbox_ready` finds the head of each conversation. */
const OUTBOX_SCHEMA = `
CREATE TABLE IF NOT EXISTS outbox (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  op_id TEXT NOT NULL UNIQUE,
  console_id TEXT NOT NULL,
  conversation_id TEXT,
  turn INTEGER,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  client_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL DEFAULT 0,
  last_errno INTEGER,
  reason TEXT,
  result TEXT,
  base INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS own_values (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outbox_ready ON outbox (state, conversation_id, number);
`;

interface OutboxRow {
  number: number;
  op_id: string;
  console_id: string;
  conversation_id: string | null;
  turn: number | null;
  kind: string;
  payload: string;
  sha256: string;
  schema_version: number;
  client_at: number;
  state: OperationState;
  attempts: number;
  next_try_at: number;
  last_errno: number | null;
  reason: string | null;
  result: string | null;
  base: number | null;
}

export interface SqliteOutbox {
  /** Saved when it returns; the same id again changes nothing. */
  add(operation: Operation): void;
  /** Oldest operation of each conversation that may be sent now, and operations of none; parked ones hold theirs back. */
  ready(now: number, limit: number): OutboxEntry[];
  acknowledge(id: string, result: string): void;
  reject(id: string, reason: string): void;
  park(id: string, reason: string, errno: number | null): void;
  /** Counts an attempt and waits until `nextTryAt`. */
  postpone(id: string, nextTryAt: number, reason: string, errno: number | null): void;
  /** A person's word for a parked or rejected operation: try again now, or give it up. */
  retry(id: string): void;
  discard(id: string): void;
  counts(): OutboxCounts;
  /** Not acknowledged, in order: what a rebuilt cache must be given again. */
  waiting(): OutboxEntry[];
  /** Parked and rejected, oldest first. */
  stopped(): OutboxEntry[];
  /** Acknowledged operations older than this; never others. Returns how many. */
  forgetAcknowledged(before: number): number;
  /** The change was made in the cache first, on a conversation of so many messages. */
  setBase(id: string, base: number): void;
  /** null: it does not wait any more. */
  find(id: string): OutboxEntry | null;
  /** As if it had never been: nobody was told that it is Saved. */
  remove(id: string): void;
  /** Texts of this console alone: drafts, preferences, its id. null removes. */
  readValue(name: string): string | null;
  writeValue(name: string, value: string | null): void;
  listValues(prefix: string): Record<string, string>;
  /** Changes about erased records go, waiting ones too when a customer is forgotten. Returns their ids. */
  erase(order: CleaningOrder): string[];
  /** Customers that its changes may name. */
  customers(): string[];
  close(): void;
}

const AHEAD = `EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.conversation_id = o.conversation_id AND earlier.number < o.number
  AND earlier.state IN ('pending', 'parked'))`;

/** Opens the outbox of a folder whose lock is held, and salvages what can be read of a damaged one: the old file is kept beside. */
export function openOutbox(file: string): { outbox: SqliteOutbox; salvaged: SalvageReport | null } {
  const salvaged = existsSync(file) && isDamaged(file) ? salvage(file) : null;
  const connection = openConnection(file);
  connection.execute(OUTBOX_SCHEMA);
  if (salvaged !== null) connection.write(() => salvaged.rows.forEach((row) => connection.insert('outbox', row, 'ignore')));
  return {
    outbox: outboxOn(connection),
    salvaged: salvaged === null ? null : { kept: salvaged.rows.length, damaged: salvaged.damaged, file: salvaged.file },
  };
}

function outboxOn(connection: Connection): SqliteOutbox {
  const change = (sql: string, ...parameters: (string | number | null)[]): number =>
    connection.write(() => connection.run(sql, ...parameters));
  const select = (where: string, ...parameters: (string | number)[]): OutboxEntry[] =>
    connection.all<OutboxRow>(`SELECT o.* FROM outbox AS o WHERE ${where}`, ...parameters).map(entryOf);
  return {
    add: (operation) => {
      connection.write(() => connection.insert('outbox', rowOf(operation), 'ignore'));
    },
    ready: (now, limit) => select(`o.state = 'pending' AND o.next_try_at <= ? AND NOT ${AHEAD} ORDER BY o.number LIMIT ?`, now, limit),
    acknowledge: (id, result) => {
      change("UPDATE outbox SET state = 'acked', result = ?, reason = NULL WHERE op_id = ?", result, id);
    },
    reject: (id, reason) => {
      change("UPDATE outbox SET state = 'rejected', reason = ?, attempts = attempts + 1 WHERE op_id = ?", reason, id);
    },
    park: (id, reason, errno) => {
      change("UPDATE outbox SET state = 'parked', reason = ?, last_errno = ?, attempts = attempts + 1 WHERE op_id = ?", reason, errno, id);
    },
    postpone: (id, nextTryAt, reason, errno) => {
      const sql = 'UPDATE outbox SET attempts = attempts + 1, next_try_at = ?, reason = ?, last_errno = ? WHERE op_id = ?';
      change(sql, nextTryAt, reason, errno, id);
    },
    retry: (id) => {
      change("UPDATE outbox SET state = 'pending', next_try_at = 0 WHERE op_id = ? AND state IN ('parked', 'rejected')", id);
    },
    discard: (id) => {
      change("DELETE FROM outbox WHERE op_id = ? AND state IN ('parked', 'rejected')", id);
    },
    counts: () => {
      const rows = connection.all<{ state: OperationState; count: number }>('SELECT state, COUNT(*) AS count FROM outbox GROUP BY state');
      const count = (state: OperationState): number => rows.find((row) => row.state === state)?.count ?? 0;
      return { pending: count('pending'), parked: count('parked'), rejected: count('rejected') };
    },
    waiting: () => select("o.state IN ('pending', 'parked') ORDER BY o.number"),
    stopped: () => select("o.state IN ('parked', 'rejected') ORDER BY o.number"),
    forgetAcknowledged: (before) => change("DELETE FROM outbox WHERE state = 'acked' AND client_at < ?", before),
    setBase: (id, base) => {
      change('UPDATE outbox SET base = ? WHERE op_id = ?', base, id);
    },
    find: (id) => select("o.state IN ('pending', 'parked') AND o.op_id = ?", id)[0] ?? null,
    remove: (id) => {
      change('DELETE FROM outbox WHERE op_id = ?', id);
    },
    readValue: (name) => connection.one<{ value: string }>('SELECT value FROM own_values WHERE name = ?', name)?.value ?? null,
    writeValue: (name, value) => {
      if (value === null) change('DELETE FROM own_values WHERE name = ?', name);
      else connection.write(() => connection.insert('own_values', { name, value }, 'replace'));
    },
    listValues: (prefix) => {
      const rows = connection.all<{ name: string; value: string }>(
        'SELECT name, value FROM own_values WHERE substr(name, 1, ?) = ? ORDER BY name',
        prefix.length,
        prefix,
      );
      return Object.fromEntries(rows.map((row) => [row.name.slice(prefix.length), row.value]));
    },
    erase: (order) => {
      const gone = eraseFromOutbox(connection, order);
      tidy(connection);
      return gone;
    },
    customers: () => customersInOutbox(connection),
    close: () => connection.close(),
  };
}

function rowOf(operation: Operation): Omit<OutboxRow, 'number'> {
  return {
    op_id: operation.id,
    console_id: operation.consoleId,
    conversation_id: operation.conversationId,
    turn: operation.turn,
    kind: operation.kind,
    payload: operation.payload,
    sha256: operation.sha256,
    schema_version: operation.version,
    client_at: operation.at,
    state: 'pending',
    attempts: 0,
    next_try_at: 0,
    last_errno: null,
    reason: null,
    result: null,
    base: null,
  };
}

function entryOf(row: OutboxRow): OutboxEntry {
  return {
    number: row.number,
    id: row.op_id,
    consoleId: row.console_id,
    conversationId: row.conversation_id,
    turn: row.turn,
    kind: isOperationKind(row.kind) ? row.kind : 'conversations.update',
    payload: row.payload,
    // A kind of a later version fails this check when it is applied, and is parked.
    sha256: isOperationKind(row.kind) ? row.sha256 : `unknown kind ${row.kind}`,
    version: row.schema_version,
    at: row.client_at,
    state: row.state,
    attempts: row.attempts,
    nextTryAt: row.next_try_at,
    lastErrno: row.last_errno,
    reason: row.reason,
    result: row.result,
    base: row.base,
  };
}

export interface SalvageReport {
  /** Operations that were whole. */
  kept: number;
  /** Rows that were found but are not what was saved. */
  damaged: number;
  /** Where the damaged file is now. */
  file: string;
}

function isDamaged(file: string): boolean {
  let connection: Connection | null = null;
  try {
    connection = openConnection(file, { readOnly: true });
    return String(connection.pragma('integrity_check(1)')) !== 'ok';
  } catch (error) {
    if (isDamage(error instanceof Error && error.cause !== undefined ? error.cause : error)) return true;
    throw error;
  } finally {
    connection?.close();
  }
}

/** Reads from both ends up to what cannot be read, keeps rows whose payload has its hash, and moves the file aside. */
function salvage(file: string): { rows: OutboxRow[]; damaged: number; file: string } {
  const found = new Map<number, OutboxRow>();
  let connection: Connection | null = null;
  try {
    connection = openConnection(file, { readOnly: true });
    readFrom(connection, 'number > ? ORDER BY number', 0, found);
    readFrom(connection, 'number < ? ORDER BY number DESC', Number.MAX_SAFE_INTEGER, found);
  } catch {
    // Not even the first page: there is nothing to keep.
  } finally {
    connection?.close();
  }
  let aside = `${file}.damaged`;
  for (let copy = 2; existsSync(aside); copy += 1) aside = `${file}.damaged-${copy}`;
  renameSync(file, aside);
  for (const companion of ['-wal', '-shm']) if (existsSync(file + companion)) renameSync(file + companion, aside + companion);
  const rows = [...found.values()].sort((left, right) => left.number - right.number);
  const whole = rows.filter((row) => sha256(row.payload) === row.sha256);
  return { rows: whole, damaged: rows.length - whole.length, file: aside };
}

function readFrom(connection: Connection, condition: string, start: number, found: Map<number, OutboxRow>): void {
  let place = start;
  try {
    for (;;) {
      const row = connection.one<OutboxRow>(`SELECT * FROM outbox NOT INDEXED WHERE ${condition} LIMIT 1`, place);
      if (row === null) return;
      found.set(row.number, row);
      place = row.number;
    }
  } catch {
    // The other end is read up to here.
  }
}
