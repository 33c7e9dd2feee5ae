/** Does I/O: which console runs the turn of a conversation, by the server's clock. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import type { MysqlSession } from './mysql-session.ts';

/** A lease is renewed three times in its life. */
export const DEFAULT_LEASE_MS = 45_000;

export interface TurnLease {
  conversationId: string;
  turnId: string;
  consoleId: string;
  /** Grows with each lease of the conversation; a write under an older one is refused. */
  fence: number;
}

export type LeaseOutcome =
  | { kind: 'held'; lease: TurnLease }
  /** Another console's; `expiresInMs` by the server's clock. */
  | { kind: 'busy'; consoleName: string; expiresInMs: number };

interface LeaseRow {
  console_id: string;
  console_name: string;
  fence: number | string;
  remaining: number | string;
}

const REMAINING = 'TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), expires_at) AS remaining';
const EXPIRY = 'UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND';
const MICROSECONDS = 1000;

/** Takes the lease when it is free, has run out, or is this console's own. `not-found` without the conversation. */
export function acquireLease(
  database: MysqlDatabase,
  wanted: { conversationId: string; turnId: string; consoleId: string; consoleName: string; ttlMs: number },
): Promise<LeaseOutcome> {
  const { conversationId, turnId, consoleId, consoleName, ttlMs } = wanted;
  return database.write(async (session): Promise<LeaseOutcome> => {
    const known = await session.one('SELECT 1 AS found FROM conversations WHERE id = ? FOR UPDATE', conversationId);
    if (known === null) throw new ConsoleError('not-found', `There is no conversation ${conversationId}.`);
    const sql = `SELECT console_id, console_name, fence, ${REMAINING} FROM turn_leases WHERE conversation_id = ? FOR UPDATE`;
    const row = await session.one<LeaseRow>(sql, conversationId);
    const remaining = Number(row?.remaining ?? 0);
    if (row !== null && remaining > 0 && row.console_id !== consoleId) {
      return { kind: 'busy', consoleName: row.console_name, expiresInMs: Math.ceil(remaining / MICROSECONDS) };
    }
    const fence = Number(row?.fence ?? 0) + 1;
    await session.run(
      `INSERT INTO turn_leases (conversation_id, turn_id, console_id, console_name, fence, expires_at) VALUES (?, ?, ?, ?, ?, ${EXPIRY})
        ON DUPLICATE KEY UPDATE turn_id = VALUES(turn_id), console_id = VALUES(console_id), console_name = VALUES(console_name),
        fence = VALUES(fence), expires_at = VALUES(expires_at)`,
      conversationId,
      turnId,
      consoleId,
      consoleName,
      fence,
      ttlMs * MICROSECONDS,
    );
    return { kind: 'held', lease: { conversationId, turnId, consoleId, fence } };
  });
}

/** False when the lease is lost: it ran out, or another console has it. */
export function renewLease(database: MysqlDatabase, lease: TurnLease, ttlMs: number): Promise<boolean> {
  return database.write(async (session) => {
    const sql = `UPDATE turn_leases SET expires_at = ${EXPIRY}
      WHERE conversation_id = ? AND console_id = ? AND fence = ? AND expires_at > UTC_TIMESTAMP(3)`;
    return (await session.run(sql, ttlMs * MICROSECONDS, lease.conversationId, lease.consoleId, lease.fence)) > 0;
  });
}

/** The row stays, so that the next fence is larger. Nothing happens when the lease was lost before. */
export function releaseLease(database: MysqlDatabase, lease: TurnLease): Promise<void> {
  return database.write(async (session) => {
    const sql = 'UPDATE turn_leases SET expires_at = UTC_TIMESTAMP(3) WHERE conversation_id = ? AND console_id = ? AND fence = ?';
    await session.run(sql, lease.conversationId, lease.consoleId, lease.fence);
  });
}

/** For the transaction that adds a message of Nimbus: throws `conflict` when the lease is not held any more. */
export async function assertLease(session: MysqlSession, lease: TurnLease): Promise<void> {
  const sql = `SELECT 1 AS found FROM turn_leases
    WHERE conversation_id = ? AND console_id = ? AND fence = ? AND expires_at > UTC_TIMESTAMP(3) FOR UPDATE`;
  const row = await session.one(sql, lease.conversationId, lease.consoleId, lease.fence);
  if (row === null) throw new ConsoleError('conflict', 'Another console has taken over this conversation; the answer was not added.');
}
