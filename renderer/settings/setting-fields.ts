// The settings the console shows, by group. Pure. Values are checked by the engine, which knows their forms; words are in language/.
import type { SettingKey } from '../../shared/settings.ts';

/** `money`: typed in US dollars, kept in micro-USD. */
export type FieldKind = 'number' | 'choice' | 'switch' | 'text' | 'money';

export interface SettingField {
  key: SettingKey;
  kind: FieldKind;
  options?: readonly string[];
}

export const SETTING_GROUPS = {
  memory: [
    { key: 'memory.strategy', kind: 'choice', options: ['stable', 'summary', 'recent-turns'] },
    { key: 'memory.historyTokens', kind: 'number' },
    { key: 'memory.recentTurns', kind: 'number' },
    { key: 'memory.measure', kind: 'choice', options: ['php-chars', 'tokens'] },
    { key: 'memory.maxChars', kind: 'number' },
    { key: 'memory.maxHistoryTokens', kind: 'number' },
    { key: 'memory.recentMessagesMin', kind: 'number' },
    { key: 'memory.summaryModel', kind: 'text' },
    { key: 'memory.summaryLanguage', kind: 'text' },
    { key: 'memory.recall', kind: 'switch' },
    { key: 'memory.distilOnCompress', kind: 'switch' },
  ],
  runs: [
    { key: 'agent.maxSteps', kind: 'number' },
    { key: 'agent.maxSeconds', kind: 'number' },
  ],
  search: [{ key: 'search.embeddingModel', kind: 'text' }],
  caps: [
    { key: 'budget.turnMicroUsd', kind: 'money' },
    { key: 'budget.conversationMicroUsd', kind: 'money' },
    { key: 'budget.dayMicroUsd', kind: 'money' },
    { key: 'budget.action', kind: 'choice', options: ['warn', 'handoff', 'stop'] },
  ],
  privacy: [{ key: 'privacy.redact', kind: 'switch' }],
  keeping: [{ key: 'retentionDays', kind: 'number' }],
} as const satisfies Record<string, readonly SettingField[]>;

export type SettingGroupName = keyof typeof SETTING_GROUPS;
export type ShownSetting = (typeof SETTING_GROUPS)[SettingGroupName][number]['key'];

const MICRO = 1_000_000;

/** `0.50` for 500,000 micro-USD; as many places as the value has, two at least. */
export function dollarsOf(microUsd: number): string {
  const places = (microUsd % 10_000 === 0 ? 2 : 6) as number;
  const text = (microUsd / MICRO).toFixed(places);
  return places === 2 ? text : text.replace(/0+$/u, '');
}

/** Micro-USD of a typed amount: `0.5`, `0,50`, `$1.25`, `1,000.50`. null: not an amount. */
export function microUsdOf(typed: string): number | null {
  const text = typed.replaceAll(/[\s$]|USD/giu, '');
  const plain = /^\d+,\d{1,2}$/u.test(text) ? text.replace(',', '.') : text.replaceAll(/,(?=\d{3}(?:\D|$))/gu, '');
  if (!/^\d+(?:\.\d{0,6})?$/u.test(plain)) return null;
  return Math.round(Number(plain) * MICRO);
}
