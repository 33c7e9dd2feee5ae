// A quiet mark beside a message: Saved or Synced, in exactly these meanings.
import { Check, CheckCheck } from 'lucide-react';
import { words } from '../language/language.ts';
import { useConsole } from '../state/store.ts';
import { messageState } from '../state/sync-words.ts';
import './sync.css';

export function MessageMark({ unsynced }: { unsynced: boolean }) {
  const storage = useConsole((state) => state.appInfo?.storage ?? 'memory');
  const state = messageState(unsynced, storage);
  if (state === null) return null;
  const text = words().sync;
  const isWaiting = state === 'saved' && storage !== 'sqlite';
  const Icon = state === 'saved' ? Check : CheckCheck;
  return (
    <span
      className={`message-mark${isWaiting ? ' waiting' : ''}`}
      title={state === 'synced' ? text.syncedMeaning : isWaiting ? text.savedMarkTitle : text.savedMeaning}
    >
      <Icon className="i s" aria-hidden />
      {state === 'saved' ? text.savedMark : text.syncedMark}
    </span>
  );
}
