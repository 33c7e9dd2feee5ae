// The page of a console whose storage could not be opened: why, and the ways on. Nothing is lost meanwhile.
import { useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { StorageSettings } from './storage-settings.tsx';

export function StorageStart({ message }: { message: string }) {
  const text = words().storage;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const restart = async (here: boolean) => {
    setBusy(true);
    setProblem(null);
    try {
      // The page is drawn anew once the engine is there.
      await engine().call('restartConsole', { here });
    } catch (error) {
      setProblem(toErrorInfo(error).message);
      setBusy(false);
    }
  };
  return (
    <main className="fatal scroll">
      <div className="storage-start settings">
        <h1>{text.startTitle}</h1>
        <p role="alert">{message}</p>
        <p>{text.startHelp}</p>
        <div className="form-fields">
          <button type="button" className="primary" disabled={busy} onClick={() => void restart(false)}>
            {busy ? text.restarting : text.tryAgain}
          </button>
          <button type="button" disabled={busy} onClick={() => void restart(true)}>
            {text.here}
          </button>
        </div>
        {problem !== null && <p className="bad">{problem}</p>}
        <StorageSettings />
      </div>
    </main>
  );
}
