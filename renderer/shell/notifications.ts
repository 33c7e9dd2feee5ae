// The system's notification when Nimbus asks for a person while nobody looks. I/O: asks the system's permission, shows, and comes to the front on a click.
import type { ConsoleEvent } from '../../shared/console-api.ts';
import { words } from '../language/language.ts';
import { addNotice, changePreferences, openConversation } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';

/** Asks for permission in the moment a person turns it on; says so where the system refuses. */
export async function turnNotificationsOn(): Promise<void> {
  if (typeof Notification === 'undefined') return addNotice('warning', words().appearance.notifyUnknown);
  const answer = Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission;
  if (answer === 'granted') changePreferences({ notify: true });
  else addNotice('warning', words().appearance.notifyRefused);
}

/** Conversations that ask for a person by these events and did not before. Pure. */
export function newlyWaiting(events: readonly ConsoleEvent[], wasWaiting: (conversationId: string) => boolean): string[] {
  const found = new Set<string>();
  for (const event of events) {
    if (event.type === 'turn-end' && (event.state === 'handed-off' || event.state === 'waiting-approval')) found.add(event.conversationId);
    if (event.type === 'conversation-change' && event.conversation.handoffReason !== null && !wasWaiting(event.conversation.id))
      found.add(event.conversation.id);
  }
  return [...found];
}

/** Call with every batch before it is folded into the state. */
export function announce(events: readonly ConsoleEvent[]): void {
  const { preferences, data } = useConsole.getState();
  if (!preferences.notify || document.hasFocus()) return;
  const summary = (id: string) => data.items.find((item) => item.id === id) ?? data.conversations[id]?.summary;
  // What is not in the list is not known to have waited before.
  for (const id of newlyWaiting(events, (known) => (summary(known)?.handoffReason ?? null) !== null)) {
    const text = words().appearance;
    const who = summary(id)?.customerName ?? text.visitor;
    const shown = new Notification(text.needsYou(who), { body: summary(id)?.title ?? '', tag: `nimbus-${id}` });
    shown.addEventListener('click', () => {
      globalThis.focus();
      changePreferences({ area: 'conversations' });
      void openConversation(id);
    });
  }
}
