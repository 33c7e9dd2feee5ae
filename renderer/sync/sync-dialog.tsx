// The page about sync: how it stands with the shared database, what the words mean, and what needs a person.
import { useEffect, useState } from 'react';
import { words } from '../language/language.ts';
import { loadSync, showDialog } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { DialogSheet } from '../ui/dialog.tsx';
import { ParkedList } from './parked-list.tsx';
import { syncFacts } from './sync-facts.ts';
import './sync.css';

/** Times of contact change all the time and are asked for only while somebody looks. */
const REFRESH_MS = 2_000;

export function SyncDialog() {
  const text = words().sync;
  const sync = useConsole((state) => state.data.sync ?? null);
  const storage = useConsole((state) => state.appInfo?.storage ?? 'sqlite');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const refresh = () => void loadSync().then(() => setNow(Date.now()));
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <DialogSheet title={text.title} size="large" onClose={() => showDialog(null)}>
      <div className="sheet-content sync-page scroll">
        {sync === null ? (
          <p>{storage === 'memory' ? text.memoryOnly : text.localOnly}</p>
        ) : (
          <dl className="sync-facts">
            {syncFacts(sync, now).map((fact) => (
              <div key={fact.name} className={fact.tone}>
                <dt>{fact.name}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
        )}
        <section aria-label={text.meanings}>
          <h3>{text.meanings}</h3>
          <dl className="sync-meanings">
            <div>
              <dt>{text.savedWord}</dt>
              <dd>{text.savedMeaning}</dd>
            </div>
            <div>
              <dt>{text.syncedWord}</dt>
              <dd>{text.syncedMeaning}</dd>
            </div>
          </dl>
        </section>
        {sync?.hasCache === true && <ParkedList count={sync.parked} state={sync.state} />}
        <div className="form-fields">
          <button type="button" onClick={() => showDialog('settings')}>
            {text.settings}
          </button>
        </div>
      </div>
    </DialogSheet>
  );
}
