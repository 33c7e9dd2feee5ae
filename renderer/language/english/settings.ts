// Pure data: words of the settings.
export const SETTINGS = {
  title: 'Settings',
  pages: {
    model: 'Models and keys',
    storage: 'Storage',
    memory: 'Memory',
    budgets: 'Budgets',
    appearance: 'Appearance',
    privacy: 'Privacy',
    about: 'About',
  },
  groups: {
    memory: 'Memory',
    runs: 'Runs',
    search: 'Search',
    caps: 'Cost caps',
    privacy: 'Personal data',
    keeping: 'Keeping',
  },
  resetTo: (value: string) => `Reset to ${value}`,
  resetToEmpty: 'Reset to empty',
  notAnAmount: 'Write an amount in US dollars, such as 0.50.',
  choices: {
    warn: 'Warn',
    handoff: 'Hand over to a person',
    stop: 'Stop',
    tokens: 'Tokens',
    'php-chars': 'Characters as in PHP',
    stable: 'stable',
    summary: 'summary',
    'recent-turns': 'recent-turns',
  },
  fields: {
    'memory.strategy': {
      label: 'Strategy',
      help: 'How the context of the next request is made',
      unit: '',
    },
    'memory.recentTurns': {
      label: 'Recent turns in full',
      help: 'Newest turns sent with their tool calls',
      unit: 'turns',
    },
    'memory.measure': {
      label: 'Measure',
      help: 'What the budget of recent-turns is counted in',
      unit: '',
    },
    'memory.maxChars': {
      label: 'History budget in characters',
      help: 'recent-turns, PHP-compatible characters',
      unit: 'characters',
    },
    'memory.historyTokens': {
      label: 'History budget in tokens',
      help: 'stable, and recent-turns counted in tokens',
      unit: 'tokens',
    },
    'memory.maxHistoryTokens': {
      label: 'Summarise above',
      help: 'summary: older messages are summarised',
      unit: 'tokens',
    },
    'memory.recentMessagesMin': {
      label: 'Never summarised',
      help: 'summary: newest messages kept as they are',
      unit: 'messages',
    },
    'memory.summaryModel': {
      label: 'Summary model',
      help: 'PROVIDER/MODEL; empty: the answering model',
      unit: '',
    },
    'memory.summaryLanguage': {
      label: 'Summary language',
      help: 'Empty: that of the conversation',
      unit: '',
    },
    'memory.recall': {
      label: 'Recall',
      help: 'stable: earlier turns that fit the question are sent again',
      unit: '',
    },
    'memory.distilOnCompress': {
      label: 'Write memories',
      help: 'Short facts about the customer, when the budget is crossed',
      unit: '',
    },
    'agent.maxSteps': {
      label: 'Steps per run',
      help: 'Model calls before Nimbus gives up',
      unit: 'steps',
    },
    'agent.maxSeconds': {
      label: 'Time per run',
      help: 'Wall clock',
      unit: 'seconds',
    },
    'search.embeddingModel': {
      label: 'Embedding model',
      help: 'PROVIDER/MODEL for help articles; empty: searched by words',
      unit: '',
    },
    'budget.turnMicroUsd': {
      label: 'Per turn',
      help: 'In US dollars; 0: no cap',
      unit: '',
    },
    'budget.conversationMicroUsd': {
      label: 'Per conversation',
      help: 'In US dollars; 0: no cap',
      unit: '',
    },
    'budget.dayMicroUsd': {
      label: 'Per day',
      help: 'All conversations of a UTC day, in US dollars; 0: no cap',
      unit: '',
    },
    'budget.action': {
      label: 'When a cap is reached',
      help: 'A cap is never passed by more than one step',
      unit: '',
    },
    'privacy.redact': {
      label: 'Hide personal data from providers',
      help: 'Addresses, numbers and names are replaced in what is sent',
      unit: '',
    },
    retentionDays: {
      label: 'Keep conversations',
      help: 'Deleted when unchanged for so long; 0 keeps them',
      unit: 'days',
    },
  },
};
