// Pure data: words of a turn: its menu, and what forgetting it means.
export const TURNS = {
  menu: (turn: number) => `Actions for turn ${turn}`,
  copyAnswer: 'Copy answer',
  copyMarkdown: 'Copy turn as Markdown',
  noClipboard: 'The clipboard is not available here. Select the text and copy it.',
  pin: 'Pin: send in full while it fits',
  unpin: 'Unpin',
  showTrace: 'Show in trace',
  showContext: 'Show in context',
  whyNotSeen: 'Why did the model not see this?',
  forget: 'Forget this turn…',
  forgetTitle: (turn: number) => `Forget turn ${turn}?`,
  forgetWarning:
    'Its texts are taken out of everything that is stored: messages, search, traces, summaries and memories, and out of every request sent since. The turn stays as an empty place. This cannot be undone.',
  forgetConfirm: 'Forget this turn',
  cancel: 'Cancel',
};
