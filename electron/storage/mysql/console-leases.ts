/** Does I/O: the leases of the turns that this console runs, taken, checked and renewed along with its writes. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import type { MysqlSession } from './mysql-session.ts';

export interface ConsoleIdentity {
  /** The same after a restart, so that a console finds its own interrupted turns at once. */
  id: string;
  /** Shown to other consoles. */
  name: string;
}

const MICROSECONDS = 1000;
/** Renewals in the life of a lease. */
const RENEWALS = 3;
const EXPIRY = 'UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND';

interface LeaseRow {
  console_id: string;
  console_name: string;
  fence: number | string;
  is_live: number;
}

export class ConsoleLeases {
  readonly identity: ConsoleIdentity;
  private readonly database: MysqlDatabase;
  private readonly ttlMs: number;
  /** Conversations whose turn may be ours; renewing changes only rows that are. */
  private readonly held = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(database: MysqlDatabase, identity: ConsoleIdentity, ttlMs: number) {
    this.database = database;
    this.identity = identity;
    this.ttlMs = ttlMs;
  }

  /** For a turn that begins: no other runs, so whatever lease is left is taken over with a larger fence. */
  async take(session: MysqlSession, conversationId: string, turnId: string): Promise<void> {
    const row = await this.row(session, conversationId);
    await this.put(session, conversationId, turnId, Number(row?.fence ?? 0) + 1);
  }

  /** For a write of a running turn: throws `conflict` while another console has it; takes it over when that one is gone. */
  async check(session: MysqlSession, conversationId: string, turnId: string): Promise<void> {
    const row = await this.row(session, conversationId);
    const isOwn = row?.console_id === this.identity.id;
    if (row !== null && !isOwn && row.is_live !== 0) {
      throw new ConsoleError('conflict', `This turn is run by ${row.console_name}; nothing was written.`);
    }
    await this.put(session, conversationId, turnId, Number(row?.fence ?? 0) + (isOwn ? 0 : 1));
  }

  /** The name of the other console that runs the turn; null: none does. */
  async holder(conversationId: string): Promise<string | null> {
    const sql = `SELECT console_name AS name FROM turn_leases
      WHERE conversation_id = ? AND console_id <> ? AND expires_at > UTC_TIMESTAMP(3)`;
    const row = await this.database.read((session) => session.one<{ name: string }>(sql, conversationId, this.identity.id));
    return row?.name ?? null;
  }

  /** The row stays, so that the next fence is larger. */
  async release(session: MysqlSession, conversationId: string): Promise<void> {
    const sql = 'UPDATE turn_leases SET expires_at = UTC_TIMESTAMP(3) WHERE conversation_id = ? AND console_id = ?';
    await session.run(sql, conversationId, this.identity.id);
    this.held.delete(conversationId);
  }

  /** Leases still held run out by themselves. */
  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private row(session: MysqlSession, conversationId: string): Promise<LeaseRow | null> {
    const sql = `SELECT console_id, console_name, fence, expires_at > UTC_TIMESTAMP(3) AS is_live FROM turn_leases
      WHERE conversation_id = ? FOR UPDATE`;
    return session.one<LeaseRow>(sql, conversationId);
  }

  private async put(session: MysqlSession, conversationId: string, turnId: string, fence: number): Promise<void> {
    await session.run(
      `INSERT INTO turn_leases (conversation_id, turn_id, console_id, console_name, fence, expires_at) VALUES (?, ?, ?, ?, ?, ${EXPIRY})
        ON DUPLICATE KEY UPDATE turn_id = VALUES(turn_id), console_id = VALUES(console_id), console_name = VALUES(console_name),
        fence = VALUES(fence), expires_at = VALUES(expires_at)`,
      conversationId,
      turnId,
      this.identity.id,
      this.identity.name,
      fence,
      this.ttlMs * MICROSECONDS,
    );
    this.held.add(conversationId);
    this.timer ??= setInterval(() => void this.renew(), this.ttlMs / RENEWALS).unref();
  }

  /** A model may think longer than a lease lives. */
  private async renew(): Promise<void> {
    const held = [...this.held];
    if (held.length === 0) return;
    const sql = `UPDATE turn_leases SET expires_at = ${EXPIRY}
      WHERE console_id = ? AND expires_at > UTC_TIMESTAMP(3) AND conversation_id IN (${held.map(() => '?').join(', ')})`;
    try {
      await this.database.write((session) => session.run(sql, this.ttlMs * MICROSECONDS, this.identity.id, ...held));
    } catch {
      // The next renewal or the next write of the turn tells whether the lease is lost.
    }
  }
}

/** Condition on `turns`: not run by another console that is alive. Its one parameter is this console's id. */
export const NOT_RUN_ELSEWHERE = `NOT EXISTS (SELECT 1 FROM turn_leases l
  WHERE l.conversation_id = turns.conversation_id AND l.console_id <> ? AND l.expires_at > UTC_TIMESTAMP(3))`;
