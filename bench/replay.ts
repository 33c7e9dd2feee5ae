/** Pure: replays a conversation as an agent loop does, and measures what each model call would be sent. */
import { checkHistory } from '../electron/models/history-rules.ts';
import type { ContextMessage } from '../shared/compaction.ts';
import type { ChatMessage } from './chat-format.ts';
import { identifiersIn } from './identifiers.ts';
import { countTokens, tokensOf, wireText } from './tokens.ts';

export interface BenchConversation {
  system: string;
  tools: unknown[];
  messages: ChatMessage[];
}

/** What chooses the history; called once per customer message. */
export interface ContextBuilder {
  name: string;
  build(prior: readonly ChatMessage[], question: string, state: object): Promise<ChatMessage[]> | ChatMessage[];
}

/** Dollars per million tokens. */
export interface Prices {
  input: number;
  cached: number;
  output: number;
}

/** Sums over calls; shares are made from them at the end. */
export interface ReplayTotals {
  conversations: number;
  calls: number;
  turns: number;
  promptTokens: number;
  warmCachedTokens: number;
  coldCachedTokens: number;
  outputTokens: number;
  refusedCalls: number;
  firstRefusal: string;
  carried: number;
  carriedOf: number;
  far: number;
  farOf: number;
  buildMs: number;
  /** Largest history of a turn, in tokens. */
  mostHistoryTokens: number;
  missed: Map<string, number>;
}

const CACHE_BLOCK = 128;
const CACHE_LEAST = 1024;
/** An identifier last said more than this many turns ago is far. */
const FAR_TURNS = 2;

export function emptyTotals(): ReplayTotals {
  return {
    conversations: 0,
    calls: 0,
    turns: 0,
    promptTokens: 0,
    warmCachedTokens: 0,
    coldCachedTokens: 0,
    outputTokens: 0,
    refusedCalls: 0,
    firstRefusal: '',
    carried: 0,
    carriedOf: 0,
    far: 0,
    farOf: 0,
    buildMs: 0,
    mostHistoryTokens: 0,
    missed: new Map(),
  };
}

interface TrieNode {
  tokens: readonly number[];
  children: Map<string, TrieNode>;
}

/** All earlier requests; finds the longest prefix that any of them shares with a new one. */
class PrefixCache {
  #root: TrieNode = { tokens: [], children: new Map() };

  clear(): void {
    this.#root = { tokens: [], children: new Map() };
  }

  /** Tokens served from the cache; the request is remembered. */
  serve(parts: readonly string[]): number {
    let node = this.#root;
    let shared = 0;
    let together = true;
    for (const part of parts) {
      const known = node.children.get(part);
      if (known !== undefined) {
        if (together) shared += known.tokens.length;
        node = known;
        continue;
      }
      const tokens = tokensOf(part);
      if (together) {
        let most = 0;
        for (const child of node.children.values()) most = Math.max(most, commonLength(child.tokens, tokens));
        shared += most;
        together = false;
      }
      const made: TrieNode = { tokens, children: new Map() };
      node.children.set(part, made);
      node = made;
    }
    const whole = Math.floor(shared / CACHE_BLOCK) * CACHE_BLOCK;
    return whole >= CACHE_LEAST ? whole : 0;
  }
}

function commonLength(left: readonly number[], right: readonly number[]): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length] === right[length]) length += 1;
  return length;
}

/** Where an identifier was last said, by turn. */
class LastSaid {
  readonly #turns = new Map<string, number>();

  note(message: ChatMessage, turn: number): void {
    for (const id of messageIdentifiers(message)) this.#turns.set(id, turn);
  }

  turnOf(identifier: string): number | undefined {
    return this.#turns.get(identifier);
  }
}

const identifierMemo = new WeakMap<ChatMessage, Set<string>>();

function messageIdentifiers(message: ChatMessage): Set<string> {
  const known = identifierMemo.get(message);
  if (known !== undefined) return known;
  const found = identifiersIn(wireText(message));
  identifierMemo.set(message, found);
  return found;
}

/** True when the text holds the identifier as a whole word; an amount in any of its usual forms. */
export function holds(text: string, identifier: string): boolean {
  const plain = identifier.startsWith('#') ? identifier.slice(1) : identifier;
  return holdsWord(text, plain) || (/^\d+\.\d$/.test(plain) && holdsWord(text, `${plain}0`));
}

function holdsWord(text: string, plain: string): boolean {
  for (let from = text.indexOf(plain); from >= 0; from = text.indexOf(plain, from + 1)) {
    if (!/[\w]/.test(text[from - 1] ?? ' ') && !/[\w]/.test(text[from + plain.length] ?? ' ')) return true;
  }
  return false;
}

/** Plays one conversation through one builder and adds to `totals`. */
export async function replay(conversation: BenchConversation, builder: ContextBuilder, totals: ReplayTotals): Promise<void> {
  const fixed = [conversation.system, JSON.stringify(conversation.tools)];
  const warm = new PrefixCache();
  const cold = new PrefixCache();
  const said = new LastSaid();
  const state = {};
  const { messages } = conversation;
  let turn = 0;
  let context: ChatMessage[] = [];
  let contextText = '';
  let start = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      turn += 1;
      start = index;
      const prior = messages.slice(0, index);
      const began = performance.now();
      context = await builder.build(prior, message.content ?? '', state);
      totals.buildMs += performance.now() - began;
      totals.turns += 1;
      contextText = `${fixed.join('\n')}\n${context.map(wireText).join('\n')}`.replaceAll(/(?<=\d),(?=\d{3})/g, '');
      totals.mostHistoryTokens = Math.max(
        totals.mostHistoryTokens,
        context.reduce((sum, sent) => sum + countTokens(wireText(sent)), 0),
      );
      cold.clear();
    } else if (message.role === 'assistant' && turn > 0) {
      const request = [...context, ...messages.slice(start, index)];
      const parts = [...fixed, ...request.map(wireText)];
      totals.calls += 1;
      totals.promptTokens += parts.reduce((sum, part) => sum + countTokens(part), 0);
      totals.warmCachedTokens += warm.serve(parts);
      totals.coldCachedTokens += cold.serve(parts);
      totals.outputTokens += countTokens(wireText(message));
      const problem = checkHistory(uniqueCalls(request))[0];
      if (problem !== undefined) {
        totals.refusedCalls += 1;
        if (totals.firstRefusal === '') totals.firstRefusal = problem;
      }
      countCarried(message, turn, said, contextText, totals);
    }
    said.note(message, turn);
  }
  totals.conversations += 1;
}

function countCarried(message: ChatMessage, turn: number, said: LastSaid, contextText: string, totals: ReplayTotals): void {
  for (const identifier of messageIdentifiers(message)) {
    const last = said.turnOf(identifier);
    if (last === undefined || last >= turn) continue;
    const present = holds(contextText, identifier);
    const isFar = turn - last > FAR_TURNS;
    totals.carriedOf += 1;
    if (present) totals.carried += 1;
    else totals.missed.set(identifier, (totals.missed.get(identifier) ?? 0) + 1);
    if (isFar) totals.farOf += 1;
    if (isFar && present) totals.far += 1;
  }
}

/** As the rule checker reads messages. Recorded conversations repeat call ids and have empty results, which every strategy would be charged for; both are evened out. */
function uniqueCalls(messages: readonly ChatMessage[]): ContextMessage[] {
  const current = new Map<string, string>();
  let number = 0;
  return messages.map((message): ContextMessage => {
    const read: ContextMessage = { role: message.role === 'system' ? 'user' : message.role, content: message.content ?? '' };
    if (message.tool_calls !== undefined && message.tool_calls.length > 0) {
      read.toolCalls = message.tool_calls.map((call) => {
        number += 1;
        current.set(call.id, `call-${number}`);
        return { id: `call-${number}`, name: call.function.name, arguments: {} };
      });
    }
    if (message.role === 'tool') {
      read.toolCallId = current.get(message.tool_call_id ?? '') ?? `nobody-${message.tool_call_id ?? ''}`;
      if (read.content.trim() === '') read.content = '(nothing)';
    }
    return read;
  });
}

/** Cents for the calls so far: cached input, other input and output at their prices. */
export function cents(totals: ReplayTotals, prices: Prices, cache: 'warm' | 'cold'): number {
  const cached = cache === 'warm' ? totals.warmCachedTokens : totals.coldCachedTokens;
  const dollars = (cached * prices.cached + (totals.promptTokens - cached) * prices.input + totals.outputTokens * prices.output) / 1e6;
  return dollars * 100;
}

/** Share of the evidence messages whose whole text is in the context. */
export function evidencePresent(context: readonly ChatMessage[], evidence: readonly ChatMessage[]): number {
  const text = context.map((message) => message.content ?? '').join('\n');
  return evidence.filter((message) => text.includes((message.content ?? '').trim())).length;
}
