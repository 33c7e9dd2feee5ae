// Which key runs which command. Pure. Single letters act only outside text fields and dialogs.
import type { CommandId } from './commands.ts';

export interface PageKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  /** The focus is where text is typed or a sheet is open. */
  typing: boolean;
}

const WITH_CONTROL: Record<string, CommandId> = { k: 'open-palette', ',': 'show-settings' };

const LETTERS: Record<string, CommandId> = {
  j: 'next-turn',
  ']': 'next-turn',
  k: 'previous-turn',
  '[': 'previous-turn',
  p: 'pin-turn',
  c: 'toggle-compacted',
  n: 'new-conversation',
  '/': 'focus-search',
  m: 'focus-message',
  i: 'toggle-inspector',
  '?': 'show-shortcuts',
};

const AFTER_G: Record<string, CommandId> = { c: 'go-conversations', t: 'go-traces', x: 'go-context', m: 'go-memories' };

/** `wait`: G was pressed, the next key says where to. null: the key is not ours. */
export function commandOf(press: PageKey, afterG = false): CommandId | 'wait' | null {
  if (press.isComposing || press.altKey) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (press.ctrlKey || press.metaKey) return WITH_CONTROL[key] ?? null;
  if (press.typing) return null;
  if (afterG) return AFTER_G[key] ?? null;
  if (key === 'g') return 'wait';
  return LETTERS[key] ?? null;
}

/** Keys that belong to a field or a view and are no command; shown in the shortcut sheet. */
export const VIEW_KEYS = {
  send: ['Enter'],
  breakLine: ['Shift', 'Enter'],
  stopOrClose: ['Esc'],
  moveInList: ['↑', '↓'],
  turnInTrace: ['[', ']'],
  markUnread: ['U'],
} as const;

/** The key's name where this runs. */
export function keyLabel(key: string, platform: string): string {
  if (key !== 'Mod') return key;
  return platform.startsWith('Mac') || platform === 'darwin' ? '⌘' : 'Ctrl';
}
