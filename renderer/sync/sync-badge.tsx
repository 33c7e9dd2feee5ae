// The badge of the title bar: where changes stand. Opens the page about them.
import { SAVED_MEANING, SYNCED_MEANING } from '../../shared/sync.ts';
import { words } from '../language/language.ts';
import { showDialog } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { syncWords } from '../state/sync-words.ts';

export function SyncBadge() {
  const info = useConsole((state) => state.appInfo);
  const connection = useConsole((state) => state.connection);
  const sync = useConsole((state) => state.data.sync ?? null);
  const text = words().sync;
  if (connection !== 'open' || info === null) {
    return <span className="sync off">{connection === 'connecting' ? text.connecting : text.notConnected}</span>;
  }
  const state = sync === null ? { text: text.storage[info.storage], calm: info.storage !== 'memory' } : syncWords(sync);
  return (
    <button
      type="button"
      className={`sync ${state.calm ? '' : 'off'}`}
      aria-haspopup="dialog"
      aria-label={text.open(state.text)}
      title={sync === null ? info.dataFolder : `${SAVED_MEANING} ${SYNCED_MEANING}`}
      onClick={() => showDialog('sync')}
    >
      {state.text}
    </button>
  );
}
