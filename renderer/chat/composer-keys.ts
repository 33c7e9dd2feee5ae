// What a key in the composer means. Pure.

export interface KeyPress {
  key: string;
  keyCode: number;
  shiftKey: boolean;
  altKey: boolean;
  isComposing: boolean;
}

/** Some browsers send the Enter that confirms an input-method word with this key code instead of `isComposing`. */
const IME_KEY_CODE = 229;

/** Enter sends, with Shift or Alt it breaks the line, and while an input method composes every key is its own. */
export function composerKey(press: KeyPress): 'send' | 'type' {
  if (press.isComposing || press.keyCode === IME_KEY_CODE) return 'type';
  return press.key === 'Enter' && !press.shiftKey && !press.altKey ? 'send' : 'type';
}

/** Ctrl or ⌘ with F finds a text, with G goes to a turn; null: another key. */
export function findKey(press: {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing: boolean;
}): 'text' | 'turn' | null {
  if (press.isComposing || press.altKey || press.shiftKey || !(press.ctrlKey || press.metaKey)) return null;
  const key = press.key.toLowerCase();
  return key === 'f' ? 'text' : key === 'g' ? 'turn' : null;
}
