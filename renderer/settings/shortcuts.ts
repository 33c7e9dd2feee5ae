// Which key does what. Pure. Single letters act only outside text fields and dialogs.

export type Command =
  | 'next-turn'
  | 'previous-turn'
  | 'toggle-compacted'
  | 'new-conversation'
  | 'focus-search'
  | 'focus-message'
  | 'toggle-inspector'
  | 'show-shortcuts'
  | 'show-settings';

export const SHORTCUTS: readonly { keys: readonly string[]; words: string }[] = [
  { keys: ['Enter'], words: 'Send the message' },
  { keys: ['Shift', 'Enter'], words: 'Break the line' },
  { keys: ['Esc'], words: 'Stop the answer, close a sheet' },
  { keys: ['↑', '↓'], words: 'Move in a list' },
  { keys: ['J', 'K'], words: 'Next and previous turn' },
  { keys: ['[', ']'], words: 'Previous and next turn in the trace' },
  { keys: ['Ctrl', 'F'], words: 'Find in the conversation' },
  { keys: ['Ctrl', 'G'], words: 'Go to a turn' },
  { keys: ['U'], words: 'Mark a row of the list as unread' },
  { keys: ['C'], words: 'Show compacted turns' },
  { keys: ['I'], words: 'Show or hide the inspector' },
  { keys: ['N'], words: 'New conversation' },
  { keys: ['/'], words: 'Search conversations' },
  { keys: ['M'], words: 'Write a message' },
  { keys: ['Ctrl', ','], words: 'Settings' },
  { keys: ['?'], words: 'This sheet' },
];

export interface PageKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  /** The focus is where text is typed or a sheet is open. */
  typing: boolean;
}

const LETTERS: Record<string, Command> = {
  j: 'next-turn',
  ']': 'next-turn',
  k: 'previous-turn',
  '[': 'previous-turn',
  c: 'toggle-compacted',
  n: 'new-conversation',
  '/': 'focus-search',
  m: 'focus-message',
  i: 'toggle-inspector',
  '?': 'show-shortcuts',
};

export function commandOf(press: PageKey): Command | null {
  if (press.isComposing || press.altKey) return null;
  if (press.ctrlKey || press.metaKey) return press.key === ',' ? 'show-settings' : null;
  if (press.typing) return null;
  return LETTERS[press.key.length === 1 ? press.key.toLowerCase() : press.key] ?? null;
}
