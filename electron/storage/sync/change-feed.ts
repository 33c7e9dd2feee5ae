/** Does I/O: what changed in the shared database since the last look: one small question to the server. */
import type { MysqlSession } from '../mysql/mysql-session.ts';

/** By the server's clock. Overlaps far more than a transaction lasts, so that one which commits late is seen too. */
const LOOK_BACK_SECONDS = 120;
/** A longer absence is made good by whoever compares everything. */
const LONGEST_LOOK_BACK_SECONDS = 86_400;
const MOST_FOREIGN = 100;

/** `id` is text in every branch, so that their collations agree. Its three parameters are the seconds to look back. */
const LOOK = `SELECT 'conversation' AS kind, CONVERT(id USING utf8mb4) AS id, version AS value FROM conversations
    WHERE updated_at >= CURRENT_TIMESTAMP - INTERVAL ? SECOND
  UNION ALL SELECT 'gone', CONVERT(conversation_id USING utf8mb4), 0 FROM tombstones
    WHERE deleted_at >= UTC_TIMESTAMP(3) - INTERVAL ? SECOND
  UNION ALL SELECT 'foreign', CONVERT(f.conversation_id USING utf8mb4), 0
    FROM (SELECT DISTINCT conversation_id FROM messages WHERE seq IS NULL LIMIT ${MOST_FOREIGN}) f
  UNION ALL SELECT 'foreign', CONVERT(u.id USING utf8mb4), 0 FROM (SELECT id FROM conversations WHERE changed_at IS NULL LIMIT ${MOST_FOREIGN}) u
  UNION ALL SELECT 'ticket', CONVERT(CAST(id AS CHAR) USING utf8mb4), version FROM tickets
    WHERE touched_at >= CURRENT_TIMESTAMP - INTERVAL ? SECOND
  UNION ALL SELECT 'articles', CONVERT(name USING utf8mb4), value FROM counters WHERE name = 'articles_revision'
  UNION ALL SELECT 'abandoned', CONVERT(t.conversation_id USING utf8mb4), t.turn FROM turns t
    LEFT JOIN turn_leases l ON l.conversation_id = t.conversation_id
    WHERE t.state = 'running' AND (l.expires_at IS NULL OR l.expires_at <= UTC_TIMESTAMP(3))
  UNION ALL SELECT 'time', 'server', CAST(UNIX_TIMESTAMP(CURRENT_TIMESTAMP(3)) * 1000 AS SIGNED)`;

export interface FeedDeps {
  read<T>(work: (session: MysqlSession) => Promise<T>): Promise<T>;
  /** Gives rows of other programs their place. */
  adopt(conversationId: string): Promise<void>;
  /** This computer's clock, UTC milliseconds. */
  now(): number;
}

export interface Changes {
  /** Conversations whose version differs from the last one seen, with it. */
  conversations: Map<string, number>;
  gone: string[];
  tickets: number[];
  /** null: unchanged. */
  articlesRevision: number | null;
  abandoned: string[];
  /** This computer's clock minus the server's, in milliseconds. */
  clockSkewMs: number;
}

export interface ChangeFeed {
  /** What differs from the last look. */
  look(): Promise<Changes>;
  /** Known without a look, e.g. from a cache; null: forgotten. */
  remember(conversationId: string, version: number | null): void;
  /** Conversations that people look at: they are missed when another program deletes them. */
  watch(conversationIds: readonly string[]): void;
}

const MOST_WATCHED = 200;

/** `isFirstSilent`: the first look only learns what is there. */
export function createChangeFeed(deps: FeedDeps, isFirstSilent: boolean): ChangeFeed {
  const versions = new Map<string, number>();
  const ticketVersions = new Map<number, number>();
  const buried = new Set<string>();
  let watched = new Set<string>();
  let articles: number | null = null;
  let isFirst = true;
  /** By this computer's clock; null: never. */
  let lookedAt: number | null = null;

  const gone = async (session: MysqlSession, tombs: readonly string[]): Promise<string[]> => {
    const fresh = tombs.filter((id) => !buried.has(id));
    for (const id of fresh) buried.add(id);
    const ids = [...watched];
    if (ids.length === 0) return fresh;
    const sql = `SELECT id FROM conversations WHERE id IN (${ids.map(() => '?').join(', ')})`;
    const found = new Set((await session.all<{ id: string }>(sql, ...ids)).map((row) => row.id));
    const missed = ids.filter((id) => !found.has(id));
    for (const id of missed) watched.delete(id);
    return [...new Set([...fresh, ...missed])];
  };

  /** What happened while the server could not be asked is not to be missed. */
  const lookBack = (now: number): number => {
    const away = lookedAt === null ? 0 : Math.max(0, Math.ceil((now - lookedAt) / 1000));
    return Math.min(LONGEST_LOOK_BACK_SECONDS, LOOK_BACK_SECONDS + away);
  };

  const look = async (): Promise<Changes> => {
    const startedAt = deps.now();
    const seconds = lookBack(startedAt);
    const { rows, lost, here } = await deps.read(async (session) => {
      const askedAt = deps.now();
      const found = await session.all<{ kind: string; id: string; value: number | string }>(LOOK, seconds, seconds, seconds);
      const answeredAt = deps.now();
      const tombs = found.filter((row) => row.kind === 'gone').map((row) => row.id);
      return { rows: found, lost: await gone(session, tombs), here: (askedAt + answeredAt) / 2 };
    });
    const changes: Changes = { conversations: new Map(), gone: lost, tickets: [], articlesRevision: null, abandoned: [], clockSkewMs: 0 };
    for (const { kind, id, value } of rows) {
      const version = Number(value);
      if (kind === 'conversation' && versions.get(id) !== version) {
        versions.set(id, version);
        changes.conversations.set(id, version);
      } else if (kind === 'ticket' && ticketVersions.get(Number(id)) !== version) {
        ticketVersions.set(Number(id), version);
        changes.tickets.push(Number(id));
      } else if (kind === 'articles' && articles !== version) {
        articles = version;
        changes.articlesRevision = version;
      } else if (kind === 'abandoned') changes.abandoned.push(id);
      else if (kind === 'time') changes.clockSkewMs = Math.round(here - version);
    }
    const foreign = new Set(rows.filter((row) => row.kind === 'foreign').map((row) => row.id));
    for (const id of foreign) await deps.adopt(id);
    for (const id of lost) versions.delete(id);
    lookedAt = startedAt;
    return changes;
  };

  return {
    look: async () => {
      const changes = await look();
      const isSilent = isFirst && isFirstSilent;
      isFirst = false;
      return isSilent ? { ...changes, conversations: new Map(), gone: [], tickets: [], articlesRevision: null } : changes;
    },
    remember: (id, version) => {
      if (version === null) versions.delete(id);
      else versions.set(id, version);
    },
    watch: (ids) => {
      watched = new Set([...ids, ...watched].slice(0, MOST_WATCHED));
    },
  };
}
