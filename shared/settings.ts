/** Pure data: every setting key with its form and default. `--set=KEY=VALUE` and the settings screen use the same table. */
import { z } from 'zod';
import { issueText } from './issue-text.ts';
import { ownPricesText } from './own-prices.ts';

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
/** `z.coerce.boolean` takes any non-empty text as true, so words are listed. */
const yesNo = z.preprocess(
  (value) =>
    value === 'true' || value === '1' || value === 'on' ? true : value === 'false' || value === '0' || value === 'off' ? false : value,
  z.boolean(),
);

export const SETTINGS = {
  'memory.strategy': {
    schema: z.enum(['recent-turns', 'summary', 'stable']),
    default: 'stable',
    help: 'how the context of the next request is made',
  },
  'memory.recentTurns': { schema: wholeNumber(1, 1000), default: 2, help: 'newest turns sent in full' },
  'memory.maxChars': {
    schema: wholeNumber(2, 100_000_000),
    default: 12_000,
    help: 'history budget of recent-turns, in characters of the PHP-compatible measure',
  },
  'memory.measure': {
    schema: z.enum(['php-chars', 'tokens']),
    default: 'php-chars',
    help: 'what memory.maxChars or memory.historyTokens is counted in by recent-turns',
  },
  'memory.historyTokens': { schema: wholeNumber(1, 10_000_000), default: 3000, help: 'history budget in tokens' },
  'memory.maxHistoryTokens': {
    schema: wholeNumber(1, 10_000_000),
    default: 6000,
    help: 'summary: above this many tokens older messages are summarised',
  },
  'memory.recentMessagesMin': { schema: wholeNumber(1, 10_000), default: 4, help: 'summary: newest messages that are never summarised' },
  'memory.recall': { schema: yesNo, default: true, help: 'stable: older turns that the question is about are found and sent' },
  'memory.summaryModel': {
    schema: z.string().max(200),
    default: '',
    help: 'PROVIDER/MODEL that writes summaries; empty = the answering model',
  },
  'memory.summaryLanguage': { schema: z.string().max(60), default: '', help: 'language of summaries; empty = that of the conversation' },
  'memory.distilOnCompress': { schema: yesNo, default: true, help: 'write memories when the budget is crossed' },
  'agent.promptVersion': {
    schema: z.string().max(64),
    default: '',
    help: 'version of the system prompt; empty = the one that is activated for all',
  },
  'agent.maxSteps': { schema: wholeNumber(1, 100), default: 8, help: 'model calls per run' },
  'agent.maxSeconds': { schema: z.coerce.number().positive().max(3600), default: 90, help: 'wall clock per run, in seconds' },
  'budget.turnMicroUsd': {
    schema: wholeNumber(0, 1_000_000_000),
    default: 0,
    help: 'most a turn may cost, in micro-USD; 0 = no cap',
  },
  'budget.conversationMicroUsd': {
    schema: wholeNumber(0, 1_000_000_000),
    default: 0,
    help: 'most a conversation may cost, in micro-USD; 0 = no cap',
  },
  'budget.dayMicroUsd': {
    schema: wholeNumber(0, 1_000_000_000_000),
    default: 0,
    help: 'most all conversations of a UTC day may cost, in micro-USD; 0 = no cap',
  },
  'budget.action': { schema: z.enum(['warn', 'handoff', 'stop']), default: 'warn', help: 'what happens when a cap is reached' },
  'search.embeddingModel': {
    schema: z.string().max(200),
    default: '',
    help: 'PROVIDER/MODEL that embeds help articles, e.g. openai/text-embedding-3-small; empty = articles are searched by words only',
  },
  'models.prices': {
    schema: ownPricesText,
    default: '',
    help: 'own prices as JSON: {"PROVIDER/MODEL": {"input": , "cachedInput": , "output": , "window": }}, micro-USD per million tokens',
  },
  'privacy.redact': {
    schema: yesNo,
    default: false,
    help: 'e-mail addresses, phone numbers, cards, IBANs and the name and address of the customer are replaced in what providers are sent',
  },
  retentionDays: {
    schema: wholeNumber(0, 36_500),
    default: 30,
    help: 'conversations unchanged for so many days are deleted; 0 keeps them',
  },
} as const satisfies Record<string, { schema: z.ZodType; default: unknown; help: string }>;

export type SettingKey = keyof typeof SETTINGS;
export type Settings = { [K in SettingKey]: z.infer<(typeof SETTINGS)[K]['schema']> };

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

export function defaultSettings(): Settings {
  return Object.fromEntries(SETTING_KEYS.map((key) => [key, SETTINGS[key].default])) as Settings;
}

/** Parses one value from text or JSON. Returns the value or a sentence that says what is wrong with it; `name`: what the person wrote the key as. */
export function parseSetting(
  key: string,
  value: unknown,
  name: string = key,
): { ok: true; key: SettingKey; value: Settings[SettingKey] } | { ok: false; reason: string } {
  if (!isSettingKey(key)) return { ok: false, reason: `there is no setting "${key}"; the settings are ${SETTING_KEYS.join(', ')}` };
  const parsed = SETTINGS[key].schema.safeParse(value);
  if (parsed.success) return { ok: true, key, value: parsed.data };
  const reason = issueText(parsed.error.issues[0], name);
  return { ok: false, reason: reason.startsWith(name) ? reason : `${name}: ${reason}` };
}
