/** Pure: conversations by the number, always the same ones, as rows of the shared tables and the words they are found by. */
import { documentTerms } from '../../electron/storage/search-terms.ts';
import { conversationRow, messageRow, turnRow } from '../../electron/storage/rows.ts';
import { lastTextOf, storedMessage, titleOf } from '../../electron/storage/stored-message.ts';
import type { Conversation, NewMessage } from '../../shared/conversation.ts';

/** 2026-01-05T08:00:00Z. */
const START = 1_767_600_000_000;
const MINUTE_MS = 60_000;
const VOCABULARY = 20_000;
const SENTENCES = 4_000;
const WORDS_PER_SENTENCE = 18;
/** Of a sentence that holds the frequent word. */
const FREQUENT_EVERY = 10;

/** Stands in one of ten messages. */
export const FREQUENT_WORD = 'delivery';

/** Stands in one conversation only. */
export function rareWord(index: number): string {
  return `ref${100_000 + index}`;
}

export function idOf(index: number): string {
  return (index + 1).toString(16).padStart(32, '0');
}

/** The long and the short conversation whose windows are compared; beyond the numbered ones. */
export const LONG_ID = `f${'0'.repeat(30)}1`;
export const SHORT_ID = `f${'0'.repeat(30)}2`;

interface Sentence {
  text: string;
  terms: string[];
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES = ['ba', 'ke', 'li', 'mo', 'nu', 'pa', 're', 'si', 'to', 'vu', 'wa', 'xe', 'yi', 'zo', 'cha', 'dru'] as const;

function wordOf(index: number): string {
  let text = '';
  for (let rest = index + 16; rest > 0; rest = Math.floor(rest / 16)) text += SYLLABLES[rest % 16];
  return text;
}

/** Few words are frequent, most are rare, as in any language. */
function sentences(): Sentence[] {
  const random = randomFrom(7);
  return Array.from({ length: SENTENCES }, (_, index) => {
    const words = Array.from({ length: WORDS_PER_SENTENCE }, () => wordOf(Math.floor(VOCABULARY ** random()) - 1));
    if (index % FREQUENT_EVERY === 0) words.push(FREQUENT_WORD);
    const text = words.join(' ');
    return { text, terms: documentTerms(text) };
  });
}

const KNOWN = sentences();

export interface MadeUpMessage {
  row: ReturnType<typeof messageRow>;
  terms: string[];
}

export interface MadeUp {
  conversation: ReturnType<typeof conversationRow>;
  lastText: string;
  titleTerms: string[];
  turns: ReturnType<typeof turnRow>[];
  messages: MadeUpMessage[];
}

/** `messages` is even: every question has its answer. */
export function madeUp(id: string, number: number, messages: number): MadeUp {
  const random = randomFrom(number + 1);
  const start = START + number * MINUTE_MS;
  const turns: MadeUp['turns'] = [];
  const made: MadeUpMessage[] = [];
  let title = '';
  for (let turn = 1; turn <= messages / 2; turn += 1) {
    const at = start + turn * 1_000;
    for (const role of ['user', 'assistant'] as const) {
      const sentence = KNOWN[Math.floor(random() * SENTENCES)] ?? { text: '', terms: [] };
      const extra = turn === 1 && role === 'user' ? rareWord(number) : '';
      const content = extra === '' ? sentence.text : `${sentence.text} ${extra}`;
      const message: NewMessage = {
        id: `${role[0]}-${number}-${turn}`,
        role,
        content,
        origin: role === 'user' ? 'customer' : 'model',
        trust: 'untrusted',
        at,
      };
      if (title === '') title = titleOf(content);
      const stored = storedMessage(message, { conversationId: id, turn, seq: made.length + 1 });
      made.push({ row: messageRow(stored), terms: extra === '' ? sentence.terms : [...sentence.terms, extra] });
    }
    turns.push(
      turnRow({
        conversationId: id,
        turn,
        state: 'answered',
        outcome: 'answered',
        runId: `run-${number}-${turn}`,
        promptVersion: 'p',
        startedAt: at,
        endedAt: at,
        error: null,
        pinned: false,
      }),
    );
  }
  const conversation: Conversation = {
    id,
    tenant: 'nimbus',
    actor: null,
    subject: null,
    customerId: null,
    title,
    strategy: null,
    handoffReason: null,
    createdAt: start,
    updatedAt: start + made.length * 500,
    turnCount: turns.length,
    messageCount: made.length,
  };
  return {
    conversation: conversationRow(conversation),
    lastText: lastTextOf(made.at(-1)?.row.content ?? ''),
    titleTerms: documentTerms(title),
    turns,
    messages: made,
  };
}
