// The settings the console shows, in groups, in words. Pure. Values are checked by the engine, which knows their forms.
import type { SettingKey } from '../../shared/settings.ts';

export interface SettingField {
  key: SettingKey;
  label: string;
  help: string;
  kind: 'number' | 'choice' | 'switch' | 'text';
  options?: readonly string[];
  unit?: string;
}

export interface SettingGroup {
  title: string;
  fields: readonly SettingField[];
}

export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'Memory',
    fields: [
      {
        key: 'memory.strategy',
        label: 'Strategy',
        help: 'How the context of the next request is made',
        kind: 'choice',
        options: ['recent-turns', 'summary', 'stable'],
      },
      {
        key: 'memory.recentTurns',
        label: 'Recent turns in full',
        help: 'Newest turns sent with their tool calls',
        kind: 'number',
        unit: 'turns',
      },
      {
        key: 'memory.measure',
        label: 'Measure',
        help: 'What the budget of recent-turns is counted in',
        kind: 'choice',
        options: ['php-chars', 'tokens'],
      },
      {
        key: 'memory.maxChars',
        label: 'History budget',
        help: 'recent-turns, PHP-compatible characters',
        kind: 'number',
        unit: 'characters',
      },
      {
        key: 'memory.historyTokens',
        label: 'History budget',
        help: 'stable, and recent-turns counted in tokens',
        kind: 'number',
        unit: 'tokens',
      },
      {
        key: 'memory.maxHistoryTokens',
        label: 'Summarise above',
        help: 'summary: older messages are summarised',
        kind: 'number',
        unit: 'tokens',
      },
      {
        key: 'memory.recentMessagesMin',
        label: 'Never summarised',
        help: 'summary: newest messages kept as they are',
        kind: 'number',
        unit: 'messages',
      },
      { key: 'memory.summaryModel', label: 'Summary model', help: 'PROVIDER/MODEL; empty: the answering model', kind: 'text' },
      { key: 'memory.summaryLanguage', label: 'Summary language', help: 'Empty: that of the conversation', kind: 'text' },
      { key: 'memory.distilOnCompress', label: 'Write memories', help: 'When the budget is crossed', kind: 'switch' },
    ],
  },
  {
    title: 'Runs',
    fields: [
      { key: 'agent.maxSteps', label: 'Steps per run', help: 'Model calls before Nimbus gives up', kind: 'number', unit: 'steps' },
      { key: 'agent.maxSeconds', label: 'Time per run', help: 'Wall clock', kind: 'number', unit: 'seconds' },
    ],
  },
  {
    title: 'Cost caps',
    fields: [
      {
        key: 'budget.turnMicroUsd',
        label: 'Per turn',
        help: '1,000,000 micro-USD are one US dollar; 0: no cap',
        kind: 'number',
        unit: 'µUSD',
      },
      { key: 'budget.conversationMicroUsd', label: 'Per conversation', help: '0: no cap', kind: 'number', unit: 'µUSD' },
      { key: 'budget.dayMicroUsd', label: 'Per day', help: 'All conversations of a UTC day; 0: no cap', kind: 'number', unit: 'µUSD' },
      {
        key: 'budget.action',
        label: 'When a cap is reached',
        help: 'A cap is never passed by more than one step',
        kind: 'choice',
        options: ['warn', 'handoff', 'stop'],
      },
      { key: 'models.prices', label: 'Own prices', help: 'JSON, micro-USD per million tokens', kind: 'text' },
    ],
  },
  {
    title: 'Privacy and search',
    fields: [
      {
        key: 'privacy.redact',
        label: 'Hide personal data from providers',
        help: 'Addresses, numbers and names are replaced in what is sent',
        kind: 'switch',
      },
      {
        key: 'search.embeddingModel',
        label: 'Embedding model',
        help: 'PROVIDER/MODEL for help articles; empty: searched by words',
        kind: 'text',
      },
    ],
  },
  {
    title: 'Storage',
    fields: [
      {
        key: 'retentionDays',
        label: 'Keep conversations',
        help: 'Deleted when unchanged for so long; 0 keeps them',
        kind: 'number',
        unit: 'days',
      },
    ],
  },
];
