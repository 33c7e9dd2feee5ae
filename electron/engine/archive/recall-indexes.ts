/** The full-text indexes of the conversations asked about last. Reads through the store; each index grows by what is new since its last use. */
import type { StoredTurn } from '../../../shared/conversation.ts';
import { ArchiveIndex } from '../memory/archive-index.ts';
import type { RecallHit, RecallQuery } from '../memory/archive-index.ts';
import type { ConversationStore } from '../ports.ts';

/** Conversations whose index is kept; the one unused longest goes first. */
const MOST_INDEXES = 8;
const READ_BATCH = 200;

export interface RecallIndexes {
  /** Hits up to the query's last turn, best first, with their turns. Rejects with the store's ConsoleError. */
  search(conversationId: string, query: RecallQuery): Promise<{ hits: RecallHit[]; turns: StoredTurn[] }>;
  /** Something in the conversation was taken out or changed. */
  drop(conversationId: string): void;
  /** Somebody wrote to the conversation, perhaps another console: what is found is compared with the store before it is told. */
  doubt(conversationId: string): void;
}

interface Kept {
  index: ArchiveIndex;
  turns: Map<number, StoredTurn>;
  /** Turns known to be in the store still; null: nobody has written since they were indexed. */
  confirmed: Set<number> | null;
}

export function createRecallIndexes(conversations: ConversationStore): RecallIndexes {
  const kept = new Map<string, Kept>();

  const upToDate = async (conversationId: string, through: number): Promise<Kept> => {
    const known = kept.get(conversationId);
    const current = known !== undefined && (await isCurrent(conversations, conversationId, known)) ? known : emptyIndex();
    // Before reading, so that a doubt raised meanwhile is not lost.
    kept.delete(conversationId);
    kept.set(conversationId, current);
    for (const turn of await turnsBetween(conversations, conversationId, current.index.newestTurn, through)) {
      if (turn.forgottenAt !== undefined) continue;
      current.index.add(turn);
      current.turns.set(turn.turn, turn);
    }
    const [oldest] = kept.keys();
    if (kept.size > MOST_INDEXES && oldest !== undefined) kept.delete(oldest);
    return current;
  };

  return {
    async search(conversationId, query) {
      let current = await upToDate(conversationId, query.throughTurn);
      let hits = current.index.search(query);
      if (!(await areStored(conversations, conversationId, current, hits))) {
        kept.delete(conversationId);
        current = await upToDate(conversationId, query.throughTurn);
        hits = current.index.search(query);
      }
      const { turns } = current;
      const found = new Set(hits.map((hit) => hit.turn));
      return { hits, turns: [...found].flatMap((turn) => turns.get(turn) ?? []).sort((left, right) => left.turn - right.turn) };
    },
    drop: (conversationId) => {
      kept.delete(conversationId);
    },
    doubt: (conversationId) => {
      const known = kept.get(conversationId);
      if (known !== undefined) known.confirmed = new Set();
    },
  };
}

function emptyIndex(): Kept {
  return { index: new ArchiveIndex(), turns: new Map(), confirmed: null };
}

/** False when one of the turns found was forgotten, deleted or answered anew: its text must not be told. */
async function areStored(conversations: ConversationStore, id: string, known: Kept, hits: readonly RecallHit[]): Promise<boolean> {
  const { confirmed, turns } = known;
  if (confirmed === null) return true;
  const open = [...new Set(hits.map((hit) => hit.turn))].filter((turn) => !confirmed.has(turn));
  const stored = await Promise.all(open.map((turn) => conversations.readTurn(id, turn)));
  for (const [place, turn] of open.entries()) {
    const now = stored[place];
    if (!now || now.forgottenAt !== undefined || now.runId !== turns.get(turn)?.runId) return false;
    confirmed.add(turn);
  }
  return true;
}

/** The newest indexed turn may have been answered anew; older ones never are. */
async function isCurrent(conversations: ConversationStore, conversationId: string, known: Kept): Promise<boolean> {
  const newest = known.turns.get(known.index.newestTurn);
  if (newest === undefined) return false;
  const stored = await conversations.readTurn(conversationId, newest.turn);
  return stored?.runId === newest.runId && stored.messages.length === newest.messages.length;
}

/** After one turn, up to another, oldest first. */
async function turnsBetween(conversations: ConversationStore, id: string, after: number, through: number): Promise<StoredTurn[]> {
  const newestFirst: StoredTurn[] = [];
  let beforeTurn = through + 1;
  while (beforeTurn > after + 1) {
    const batch = await conversations.readTurns(id, { beforeTurn, limit: Math.min(READ_BATCH, beforeTurn - after - 1) });
    newestFirst.push(...batch.filter((turn) => turn.turn > after && turn.turn >= 1));
    const oldest = batch.at(-1)?.turn;
    if (oldest === undefined || oldest <= 1) break;
    beforeTurn = oldest;
  }
  return newestFirst.reverse();
}
