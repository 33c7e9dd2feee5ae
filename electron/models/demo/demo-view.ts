/** Pure: what the demo model knows, read from the messages of one request and from nothing else. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import { foreignLanguage } from './language.ts';
import { withSpelling } from './spelling.ts';

export interface DemoCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface DoneCall extends DemoCall {
  /** The result as an object; empty when it was none. */
  result: Record<string, unknown>;
}

/** A question with what was done and answered, or a note that stands for earlier turns. */
export interface Exchange {
  isNote: boolean;
  /** The customer's words; the whole text of a note. */
  question: string;
  calls: DoneCall[];
  /** All text of the answer. */
  answer: string;
}

export interface DemoView {
  /** The customer's newest message, with misspelled words put right. */
  question: string;
  /** The customer's newest message as it was written, to be quoted. */
  said: string;
  /** Calls of this turn that have their results. */
  done: DoneCall[];
  /** What stands before the question, oldest first. */
  past: Exchange[];
  /** Names of the tools offered. */
  tools: ReadonlySet<string>;
}

/** What the demo model does next. */
export type DemoStep = { kind: 'say'; text: string } | { kind: 'call'; calls: DemoCall[] };

export const say = (text: string): DemoStep => ({ kind: 'say', text });

function toObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Calls of assistant messages, each with the result that follows it; calls without one are left out. */
function doneCalls(messages: readonly ContextMessage[]): DoneCall[] {
  const results = new Map(messages.filter(({ role }) => role === 'tool').map(({ toolCallId, content }) => [toolCallId ?? '', content]));
  return messages
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .flatMap((call) => {
      const result = results.get(call.id);
      return result === undefined ? [] : [{ name: call.name, arguments: call.arguments, result: toObject(result) }];
    });
}

function answerText(messages: readonly ContextMessage[]): string {
  return messages
    .filter(({ role, content }) => role === 'assistant' && content.trim() !== '')
    .map(({ content }) => content)
    .join('\n');
}

/** One exchange per user message with all that follows it; what precedes the first user message is left out, as no request has any. */
function exchanges(messages: readonly ContextMessage[]): Exchange[] {
  const groups: ContextMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'user') groups.push([message]);
    else groups.at(-1)?.push(message);
  }
  return groups.map(([head, ...rest]) => ({
    isNote: head?.kind !== undefined,
    question: head?.content ?? '',
    calls: doneCalls(rest),
    answer: answerText(rest),
  }));
}

/** The unfinished text that a request of the console's own asks to go on from; "" when none does. */
export function unfinishedText(messages: readonly ContextMessage[]): string {
  const request = messages.findLastIndex(({ role, kind, origin }) => role === 'user' && kind === undefined && origin === 'system');
  const before = messages[request - 1];
  return before?.role === 'assistant' && (before.state === 'stopped' || before.state === 'interrupted') ? before.content : '';
}

/** Where the current turn begins: the last message a customer wrote, notes and requests of the console's own left aside. */
function questionIndex(messages: readonly ContextMessage[]): number {
  const own = messages.findLastIndex(({ role, kind, origin }) => role === 'user' && kind === undefined && origin !== 'system');
  return own >= 0 ? own : messages.findLastIndex(({ role }) => role === 'user');
}

/** Accepts any list of messages, an empty one included. */
export function demoView(messages: readonly ContextMessage[], toolNames: Iterable<string>): DemoView {
  const index = questionIndex(messages);
  const said = index < 0 ? '' : (messages[index]?.content ?? '');
  return {
    question: foreignLanguage(said) === null ? withSpelling(said) : said,
    said,
    done: index < 0 ? [] : doneCalls(messages.slice(index + 1)),
    past: exchanges(messages.slice(0, Math.max(0, index))),
    tools: new Set(toolNames),
  };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/**
 * Goes on with the results of `calls` once all are there; until then the step is to make those that are missing, in parallel.
 * Every model call starts from the beginning, so a handler reads like straight code and keeps no state.
 */
export function withResults(view: DemoView, calls: readonly DemoCall[], then: (results: Record<string, unknown>[]) => DemoStep): DemoStep {
  const results: Record<string, unknown>[] = [];
  const missing: DemoCall[] = [];
  for (const call of calls) {
    const wanted = canonical(call.arguments);
    const found = view.done.findLast(({ name, arguments: made }) => name === call.name && canonical(made) === wanted);
    if (found === undefined) missing.push(call);
    else results.push(found.result);
  }
  const unknownTool = missing.find(({ name }) => !view.tools.has(name));
  if (unknownTool !== undefined) return say(`I'm sorry, I cannot do that here: the tool ${unknownTool.name} is not available to me.`);
  return missing.length > 0 ? { kind: 'call', calls: missing } : then(results);
}

export function textOf(record: Record<string, unknown>, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : '';
}

/** null when there is no such number. */
export function numberOf(record: Record<string, unknown>, key: string): number | null {
  const value = record[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The objects of a list; anything else in it is left out. */
export function recordsOf(record: Record<string, unknown>, key: string): Record<string, unknown>[] {
  const value = record[key];
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => (entry !== null && typeof entry === 'object' ? [{ ...entry }] : []));
}
