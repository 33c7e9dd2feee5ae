// Whether Nimbus can go on from the text a turn broke off in. Pure; the engine decides by the same rule.
import type { StoredMessage, TurnRecord } from '../../shared/conversation.ts';

const BROKEN_OFF = ['failed', 'stopped', 'interrupted'] as const;

/** Continue is offered on the newest turn where words of the model are kept in part: stopped, interrupted, cut at the output limit. */
export function canContinue(
  record: TurnRecord | undefined,
  messages: readonly StoredMessage[],
  at: { isNewest: boolean; running: boolean },
): boolean {
  if (!at.isNewest || at.running || !BROKEN_OFF.some((state) => state === record?.state)) return false;
  return messages.some(
    ({ role, origin, state }) => role === 'assistant' && origin === 'model' && (state === 'stopped' || state === 'interrupted'),
  );
}
