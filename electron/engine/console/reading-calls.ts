/** The calls of the contract for finding one's way: turn marks, find, snippets of a search, read marks. */
import type { FoundMessage, SearchSnippet } from '../../../shared/api/reading.ts';
import { comparable, searchedWords } from '../../../shared/find-text.ts';
import { requireConversation, type Handlers, type ServiceParts } from './service-deps.ts';
import { foundIn, snippetOf } from '../search/conversation-find.ts';
import type { Store } from '../ports.ts';

type ReadingCalls = Pick<Handlers, 'getTurnMarks' | 'findInConversation' | 'getSearchSnippets' | 'markRead'>;

/** Turns read at once while a whole conversation is searched. */
const TURNS_PER_READ = 500;
/** Turns looked at for the snippet of one row, from the newest. */
const SNIPPET_TURNS = 2_000;
const SNIPPET_TURNS_PER_READ = 100;

export function readingCalls(parts: ServiceParts): ReadingCalls {
  const { store } = parts;
  return {
    getTurnMarks: async ({ conversationId }) => ({ turns: await store.conversations.listTurnMarks(conversationId) }),

    async findInConversation({ conversationId, text }) {
      await requireConversation(store, conversationId);
      const wanted = comparable(text).text;
      const found: FoundMessage[] = [];
      let total = 0;
      for await (const turn of turnsOf(store, conversationId, TURNS_PER_READ)) {
        // From the newest turn to the oldest; so are the messages of a turn here.
        for (const message of turn.messages.toReversed()) {
          const count = foundIn(message, wanted);
          if (count > 0) found.push({ turn: turn.turn, messageId: message.id, count });
          total += count;
        }
      }
      return { found: found.reverse(), total };
    },

    async getSearchSnippets({ conversationIds, search }) {
      const words = searchedWords(search);
      const snippets = await Promise.all(conversationIds.map((id) => newestSnippet(store, id, words)));
      return { snippets: snippets.filter((snippet) => snippet !== null) };
    },

    async markRead({ conversationId, read }) {
      const reader = await parts.reader();
      await store.conversations.markRead(conversationId, reader.id, read);
      await parts.supervisor.announce(conversationId);
      return {};
    },
  };
}

/** Whole turns, newest first, read page by page. */
async function* turnsOf(store: Store, id: string, limit: number, most = Number.POSITIVE_INFINITY) {
  let beforeTurn: number | undefined;
  for (let read = 0; read < most; ) {
    const turns = await store.conversations.readTurns(id, { limit, ...(beforeTurn !== undefined && { beforeTurn }) });
    yield* turns;
    read += turns.length;
    const oldest = turns.at(-1)?.turn;
    if (turns.length < limit || oldest === undefined) return;
    beforeTurn = oldest;
  }
}

async function newestSnippet(store: Store, id: string, words: readonly string[]): Promise<SearchSnippet | null> {
  if (words.length === 0) return null;
  for await (const turn of turnsOf(store, id, SNIPPET_TURNS_PER_READ, SNIPPET_TURNS)) {
    for (const message of turn.messages.toReversed()) {
      const snippet = message.role === 'tool' ? null : snippetOf(message.content, words);
      if (snippet !== null) return { conversationId: id, turn: turn.turn, ...snippet };
    }
  }
  return null;
}
