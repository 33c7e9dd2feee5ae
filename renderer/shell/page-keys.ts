// The keys that act everywhere. I/O: listens on the page.
import { useEffect } from 'react';
import { runCommand } from './commands.ts';
import { commandOf } from './key-presses.ts';

/** After G the second key may take this long, in milliseconds. */
const SECOND_KEY_MS = 1500;

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && (target.isContentEditable || target.closest('[role="menu"], [role="listbox"]') !== null))
  );
}

export function usePageKeys(): void {
  useEffect(() => {
    let pressedG = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      const afterG = event.timeStamp - pressedG < SECOND_KEY_MS;
      pressedG = -Infinity;
      const command = commandOf({ key, ctrlKey, metaKey, altKey, isComposing, typing: isTyping(event.target) }, afterG);
      if (command === null) return;
      event.preventDefault();
      if (command === 'wait') pressedG = event.timeStamp;
      else runCommand(command);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
