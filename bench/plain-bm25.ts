/** Pure: the plainest thing that finds what was said: BM25 over single messages, hits with both neighbours, dates indexed, a tenth for the newest. */
import { type ChatMessage, textOf } from './chat-format.ts';
import type { ContextBuilder } from './replay.ts';
import { messageTokenCount } from './tokens.ts';

const RECENT_SHARE = 0.1;
const SATURATION = 1.2;
const LENGTH_PENALTY = 0.75;
const STOP_WORDS = new Set(
  'a an and are as at be but by did do does for from had has have he her his how i in is it its me my of on or our she so that the their they this to was we were what when where which who whose why will with you your'.split(
    ' ',
  ),
);

interface Document {
  terms: Map<string, number>;
  length: number;
}

function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map((word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word));
}

function documentOf(message: ChatMessage): Document {
  const date = message.date === undefined ? '' : new Date(message.date).toUTCString();
  const words = termsOf(`${message.name ?? ''} ${textOf(message)} ${date.slice(0, 16)}`);
  const terms = new Map<string, number>();
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { terms, length: words.length };
}

function ranked(documents: readonly Document[], question: string): number[] {
  const average = documents.reduce((sum, document) => sum + document.length, 0) / Math.max(1, documents.length);
  const asked = [...new Set(termsOf(question))].map((term) => {
    const holders = documents.filter((document) => document.terms.has(term)).length;
    return { term, rarity: Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5)) };
  });
  const scores = documents.map((document) =>
    asked.reduce((score, { term, rarity }) => {
      const frequency = document.terms.get(term) ?? 0;
      const damping = SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * document.length) / average);
      return score + (rarity * frequency * (SATURATION + 1)) / (frequency + damping);
    }, 0),
  );
  const score = (number: number): number => scores[number] ?? 0;
  return [...documents.keys()].filter((number) => score(number) > 0).toSorted((left, right) => score(right) - score(left) || left - right);
}

/** A baseline for dialogues without tools: calls and results are left out. */
export function plainBm25(budget: number): ContextBuilder {
  const known = new WeakMap<ChatMessage, Document>();
  const documentFor = (message: ChatMessage): Document => {
    const document = known.get(message) ?? documentOf(message);
    known.set(message, document);
    return document;
  };
  return {
    name: 'plain-bm25',
    build(prior, question) {
      const said = prior.filter((message) => (message.role === 'user' || message.role === 'assistant') && textOf(message) !== '');
      const chosen = new Set<number>();
      let left = budget;
      const take = (number: number, least: number): boolean => {
        const message = said[number];
        if (message === undefined || chosen.has(number)) return true;
        const size = messageTokenCount(message);
        if (left - size < least) return false;
        chosen.add(number);
        left -= size;
        return true;
      };
      for (let number = said.length - 1; number >= 0 && take(number, budget * (1 - RECENT_SHARE)); number -= 1);
      for (const number of ranked(said.map(documentFor), question)) for (const near of [number, number - 1, number + 1]) take(near, 0);
      const kept = [...chosen].toSorted((left, right) => left - right).flatMap((number) => said[number] ?? []);
      return kept.map((message) => ({ role: message.role, content: message.content }));
    },
  };
}
