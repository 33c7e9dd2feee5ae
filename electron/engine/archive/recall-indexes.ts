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
}

interface Kept {
  index: ArchiveIndex;
  turns: Map<number, StoredTurn>;
}

export function createRecallIndexes(conversations: ConversationStore): RecallIndexes {
  const kept = new Map<string, Kept>();

  const upToDate = async (conversationId: string, through: number): Promise<Kept> => {
    const known = kept.get(conversationId);
    const current = known !== undefined && (await isCurrent(conversations, conversationId, known)) ? known : emptyIndex();
    for (const turn of await turnsBetween(conversations, conversationId, current.index.newestTurn, through)) {
      if (turn.forgottenAt !== undefined) continue;
      current.index.add(turn);
      current.turns.set(turn.turn, turn);
    }
    kept.delete(conversationId);
    kept.set(conversationId, current);
    const [oldest] = kept.keys();
    if (kept.size > MOST_INDEXES && oldest !== undefined) kept.delete(oldest);
    return current;
  };

  return {
    async search(conversationId, query) {
      const { index, turns } = await upToDate(conversationId, query.throughTurn);
      const hits = index.search(query);
      const found = new Set(hits.map((hit) => hit.turn));
      return { hits, turns: [...found].flatMap((turn) => turns.get(turn) ?? []).sort((left, right) => left.turn - right.turn) };
    },
    drop: (conversationId) => {
      kept.delete(conversationId);
    },
  };
}

function emptyIndex(): Kept {
  return { index: new ArchiveIndex(), turns: new Map() };
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
