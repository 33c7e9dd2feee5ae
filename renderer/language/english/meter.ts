// Pure data: words of the meter of the next request and of the cost caps.
export const METER = {
  parts: {
    system: 'System',
    tools: 'Tools',
    tenant: 'Tenant',
    summary: 'Summary',
    ledger: 'Ledger',
    pinned: 'Pinned',
    compacted: 'Compacted',
    full: 'Full',
    recalled: 'Recalled',
    current: 'Current',
    reserve: 'Reserve',
    free: 'Free',
  },
  units: {
    tokens: 'tokens',
    characters: 'characters',
  },
  history: (used: string, max: string, unit: string) => `history ${used} of ${max} ${unit}`,
  historyTokens: (history: string, tokens: string) => `${history}, ~${tokens} tokens`,
  spoken: (used: string, max: string, unit: string, total: string) =>
    `${used} of ${max} history ${unit}, about ${total} tokens in the next request`,
  about: (value: string) => `about ${value}`,
  next: (total: string) => `Next request ~${total} tokens`,
  windowUnknown: 'window unknown',
  ofWindow: (share: string, window: string) => `${share} of the ${window} window`,
  ofCap: (cap: string) => `of ${cap}`,
  turn: 'Turn',
  conversation: 'Conversation',
  today: 'Today',
};
