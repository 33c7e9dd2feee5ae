// What the fields of a conversation's settings mean: budgets per strategy, typed texts, and whether anything is masked. Pure; shared/ schemas stay out of the page, whose policy forbids what they compile.
import type { Conversation, StrategyName } from '../../shared/conversation.ts';
import type { Reference } from '../../shared/ids.ts';
import type { Settings } from '../../shared/settings.ts';
import { dollarsOf, microUsdOf } from '../settings/setting-fields.ts';

/** Settings that a conversation may have of its own and that people change here. */
export type OwnKey =
  | 'memory.historyTokens'
  | 'memory.maxHistoryTokens'
  | 'memory.recentMessagesMin'
  | 'memory.maxChars'
  | 'memory.recentTurns'
  | 'budget.turnMicroUsd'
  | 'budget.conversationMicroUsd';

const MEMORY_KEYS: Record<StrategyName, readonly OwnKey[]> = {
  stable: ['memory.historyTokens'],
  summary: ['memory.maxHistoryTokens', 'memory.recentMessagesMin'],
  'recent-turns': ['memory.maxChars', 'memory.recentTurns'],
};

/** The fields that do something under a strategy, then the cost caps. */
export function ownKeys(strategy: StrategyName): OwnKey[] {
  return [...MEMORY_KEYS[strategy], 'budget.turnMicroUsd', 'budget.conversationMicroUsd'];
}

export function isMoney(key: OwnKey): boolean {
  return key.startsWith('budget.');
}

/** A value as it stands in its field: money in dollars, everything else as a number. */
export function ownText(key: OwnKey, value: number): string {
  return isMoney(key) ? dollarsOf(value) : String(value);
}

/** What a typed text means, or what is wrong with it. Bounds are the engine's to check: its refusal says them. */
export type Typed<T> = { ok: true; value: T } | { ok: false; wrong: 'amount' | 'number' | 'reference' | 'empty' };

/** An empty text takes the conversation's own value back. */
export function ownValue(key: OwnKey, typed: string): Typed<number | null> {
  const text = typed.trim();
  if (text === '') return { ok: true, value: null };
  if (isMoney(key)) {
    const amount = microUsdOf(text);
    return amount === null ? { ok: false, wrong: 'amount' } : { ok: true, value: amount };
  }
  return /^\d{1,15}$/u.test(text) ? { ok: true, value: Number(text) } : { ok: false, wrong: 'number' };
}

/** `TYPE:ID` of one of the axes, split at the first colon; an empty text is nobody. */
export function axisValue(typed: string): Typed<Reference | null> {
  const text = typed.trim();
  if (text === '') return { ok: true, value: null };
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) return { ok: false, wrong: 'reference' };
  return { ok: true, value: { type: text.slice(0, colon), id: text.slice(colon + 1) } };
}

export function axisText(reference: Reference | null): string {
  return reference === null ? '' : `${reference.type}:${reference.id}`;
}

/** A text that may not be empty, e.g. the tenant. */
export function filledValue(typed: string): Typed<string> {
  const text = typed.trim();
  return text === '' ? { ok: false, wrong: 'empty' } : { ok: true, value: text };
}

export type Masking = 'masked' | 'application-off' | 'conversation-off' | 'both-off';

/** Personal data is masked only while both switches are on. */
export function maskingOf(conversation: Pick<Conversation, 'redact'>, settings: Pick<Settings, 'privacy.redact'>): Masking {
  const here = conversation.redact !== false;
  if (settings['privacy.redact']) return here ? 'masked' : 'conversation-off';
  return here ? 'application-off' : 'both-off';
}
