/** Pure (state in memory): rows of the conversation list, their read marks, and the short form of a conversation's turns. */
import type { ConversationSummary } from '../../../shared/conversation.ts';
import type { ConversationStore, ListQuery, Reader } from '../../engine/ports.ts';
import { compareText } from '../clean.ts';
import { badCursor } from '../failures.ts';
import { passesFilter, unreadTurns } from '../list-conditions.ts';
import { documentTerms, questionTerms } from '../search-terms.ts';
import { isReadable, lastTextOf, listCursor, parseListCursor } from '../stored-message.ts';
import type { ConversationRecord, MemoryTables } from './records.ts';

type ListPart = Pick<ConversationStore, 'summary' | 'list' | 'listTurnMarks' | 'markRead'>;

export function memoryList(tables: MemoryTables): ListPart {
  return {
    summary: async (id, reader) => {
      const record = tables.conversations.get(id);
      return record === undefined ? null : summaryOf(tables, record, reader);
    },
    list: async (query) => list(tables, query),
    listTurnMarks: async (id) =>
      [...(tables.conversations.get(id)?.turns.values() ?? [])]
        .map(({ turn, startedAt, state }) => ({ turn, at: startedAt, state }))
        .sort((left, right) => left.turn - right.turn),
    markRead: async (id, readerId, read) => {
      const record = tables.conversations.get(id);
      if (record === undefined) return;
      const { turnCount } = record.conversation;
      const newest = record.turns.get(turnCount);
      const readAt = newest === undefined ? 0 : (newest.endedAt ?? newest.startedAt);
      record.readMarks.set(readerId, read ? { readAt, readTurn: turnCount } : { readAt: null, readTurn: Math.max(0, turnCount - 1) });
    },
  };
}

function unreadOf(record: ConversationRecord, reader: Reader): number {
  const { turnCount, createdAt } = record.conversation;
  const newest = record.turns.get(turnCount);
  return unreadTurns(
    {
      turnCount,
      startedAt: createdAt,
      newest: newest === undefined ? null : { runId: newest.runId, changedAt: newest.endedAt ?? newest.startedAt },
      mark: record.readMarks.get(reader.id) ?? null,
    },
    reader.since,
  );
}

function summaryOf(tables: MemoryTables, record: ConversationRecord, reader: Reader | undefined): ConversationSummary {
  const { conversation } = record;
  const last = record.messages.findLast(isReadable);
  const customer = conversation.customerId === null ? undefined : tables.customers.get(conversation.customerId);
  return structuredClone({
    ...conversation,
    customerName: customer?.name ?? null,
    lastText: last === undefined ? '' : lastTextOf(last.content),
    lastRole: last?.role ?? null,
    turnState: record.turns.get(conversation.turnCount)?.state ?? null,
    ...(reader !== undefined && { unreadTurns: unreadOf(record, reader) }),
  });
}

function list(tables: MemoryTables, query: ListQuery): Awaited<ReturnType<ConversationStore['list']>> {
  const start = query.cursor === undefined ? null : parseListCursor(query.cursor);
  if (query.cursor !== undefined && start === null) throw badCursor();
  const questions = questionTerms(query.search ?? '');
  const found = [...tables.conversations.values()]
    .filter((record) => matches(tables, record, questions, query.search ?? '') && isWanted(tables, record, query))
    .map((record) => record.conversation)
    .sort(newestFirst);
  const rest = (start === null ? found : found.filter((conversation) => newestFirst(start, conversation) < 0)).slice(query.offset ?? 0);
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.flatMap(({ id }) => {
      const record = tables.conversations.get(id);
      return record === undefined ? [] : [summaryOf(tables, record, query.reader)];
    }),
    nextCursor: last !== undefined && rest.length > page.length ? listCursor(last, found.length) : null,
    total: found.length,
  };
}

function isWanted(tables: MemoryTables, record: ConversationRecord, { filter, reader }: ListQuery): boolean {
  if (filter === undefined) return true;
  const { conversation } = record;
  const turnState = record.turns.get(conversation.turnCount)?.state ?? null;
  if (!passesFilter(filter, { ...conversation, turnState })) return false;
  if (filter.ticket === true && ![...tables.tickets.values()].some((ticket) => ticket.conversationId === conversation.id)) return false;
  return filter.unread !== true || reader === undefined || unreadOf(record, reader) > 0;
}

function newestFirst(left: { updatedAt: number; id: string }, right: { updatedAt: number; id: string }): number {
  return right.updatedAt - left.updatedAt || compareText(left.id, right.id);
}

/** Every term begins a term of the title, the customer's name, the id or a readable message. Text without any term finds nothing. */
function matches(tables: MemoryTables, record: ConversationRecord, questions: string[], search: string): boolean {
  if (search.trim() === '') return true;
  if (questions.length === 0) return false;
  const { conversation } = record;
  const name = conversation.customerId === null ? '' : (tables.customers.get(conversation.customerId)?.name ?? '');
  const texts = [conversation.title, name, conversation.id, ...record.messages.filter(isReadable).map((message) => message.content)];
  const terms = texts.flatMap(documentTerms);
  return questions.every((question) => terms.some((term) => term.startsWith(question)));
}
