// Where conversations are kept: what is in use, a choice for the next start, a test of the server in plain words, its tables. The password goes in and never comes back.
import { type FormEvent, useCallback, useEffect, useId, useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import { STORAGE_CHOICES, type StorageReport, type StorageView } from '../../shared/storage-choice.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { Group } from './setting-group.tsx';
import { connectionOf, formOf, type StorageForm } from './storage-form.ts';
import { ServerFields } from './storage-server-fields.tsx';
import { StorageFindings, TableForm } from './storage-report.tsx';
import './storage-settings.css';

/** What is chosen, loaded again on request; `problem` says why it is not there. */
export function useStorage(): { view: StorageView | null; problem: string | null; setView: (view: StorageView) => void } {
  const [view, setView] = useState<StorageView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(() => {
    engine()
      .call('getStorage', {})
      .then(
        ({ storage }) => setView(storage),
        (error: unknown) => setProblem(toErrorInfo(error).message),
      );
  }, []);
  useEffect(load, [load]);
  return { view, problem, setView };
}

export function StorageSettings() {
  const { view, problem, setView } = useStorage();
  const text = words().storage;
  if (view === null) {
    return (
      <Group title={text.title}>
        {problem === null ? <p className="setting dim">{text.loading}</p> : <p className="setting bad">{problem}</p>}
      </Group>
    );
  }
  return (
    <Group title={text.title}>
      <InUse view={view} />
      <Choice view={view} onView={setView} />
    </Group>
  );
}

function InUse({ view }: { view: StorageView }) {
  const text = words().storage;
  return (
    <div className="setting storage-now">
      <span className="setting-text">
        <span>{text.inUse}</span>
        <span className="dim">{text.folder(view.folder)}</span>
        {view.isSetAside && <span className="warn-text">{text.setAside}</span>}
        {view.problem !== '' && view.inUse !== null && <span className="bad">{view.problem}</span>}
      </span>
      <span className="storage-place">
        <b>{view.inUse === null ? text.none : text.modes[view.inUse]}</b>
        {view.place !== '' && <span className="mono dim">{view.place}</span>}
      </span>
    </div>
  );
}

type Working = 'test' | 'save' | 'restart' | null;

/** One thing at a time, and the sentence of what went wrong. */
function useWork() {
  const [working, setWorking] = useState<Working>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (kind: Working, work: () => Promise<unknown>) => {
    setWorking(kind);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(toErrorInfo(error).message);
    } finally {
      setWorking(null);
    }
  };
  return { working, problem, setProblem, run };
}

function Choice({ view, onView }: { view: StorageView; onView: (view: StorageView) => void }) {
  const text = words().storage;
  const [form, setForm] = useState<StorageForm>(() => formOf(view));
  const { working, problem, setProblem, run } = useWork();
  const [report, setReport] = useState<StorageReport | null>(null);
  const [saved, setSaved] = useState(false);
  const fixed = view.fixedBy.length > 0;
  const isShared = form.choice !== 'sqlite';
  const change = (part: Partial<StorageForm>) => {
    setForm((before) => ({ ...before, ...part }));
    setSaved(false);
    setReport(null);
    setProblem(null);
  };
  /** undefined: something is missing, and the person has been told. */
  const connection = () => {
    if (fixed) return null;
    const made = connectionOf(form, view);
    if ('connection' in made) return made.connection;
    setProblem(text.missing[made.missing]);
    return undefined;
  };
  const test = () => {
    const wanted = connection();
    if (wanted === undefined) return;
    setReport(null);
    void run('test', async () => setReport((await engine().call('testStorage', { connection: wanted })).report));
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const wanted = isShared ? connection() : null;
    if (wanted === undefined) return;
    void run('save', async () => {
      const { storage } = await engine().call('saveStorage', { choice: form.choice, connection: wanted, keep: form.keep });
      onView(storage);
      setForm({ ...formOf(storage), keep: form.keep });
      setSaved(true);
    });
  };
  const restart = () => void run('restart', () => engine().call('restartConsole', {}));
  return (
    <form className="storage-form" onSubmit={save} aria-label={text.choose}>
      <Choices form={form} view={view} fixed={fixed} onChange={change} />
      {isShared && <ServerFields form={form} view={view} fixed={fixed} onChange={change} />}
      <div className="form-fields">
        {isShared && (
          <button type="button" disabled={working !== null} onClick={test}>
            {working === 'test' ? text.testing : text.test}
          </button>
        )}
        {!fixed && (
          <button type="submit" className={saved ? '' : 'primary'} disabled={working !== null || saved}>
            {text.save}
          </button>
        )}
        {(saved || view.isSetAside || (!fixed && view.next !== view.inUse)) && (
          <button type="button" className={saved ? 'primary' : ''} disabled={working !== null} onClick={restart}>
            {working === 'restart' ? text.restarting : text.restart}
          </button>
        )}
      </div>
      {saved && <p role="status">{text.saved}</p>}
      {saved && <p className="form-note">{text.nothingLost}</p>}
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {report !== null && <StorageFindings report={report} />}
      {report !== null && <TableForm key={String(report.ok)} report={report} connection={connection} onReport={setReport} />}
    </form>
  );
}

interface ChoicesProps {
  form: StorageForm;
  view: StorageView;
  fixed: boolean;
  onChange: (part: Partial<StorageForm>) => void;
}

function Choices({ form, view, fixed, onChange }: ChoicesProps) {
  const text = words().storage;
  const name = useId();
  return (
    <>
      {fixed && (
        <p className="form-note" role="note">
          {text.fixed(view.fixedBy.join(', '))}
          {view.next === 'memory' && ` ${text.fixedInMemory}`}
        </p>
      )}
      <fieldset className="storage-choices" disabled={fixed}>
        <legend className="vh">{text.choose}</legend>
        {STORAGE_CHOICES.map((choice) => (
          <label key={choice} className="storage-choice">
            <input
              type="radio"
              name={name}
              checked={form.choice === choice && view.next !== 'memory'}
              onChange={() => onChange({ choice })}
            />
            <span className="setting-text">
              <span>{text.modes[choice]}</span>
              <span className="dim">{text.modeHelp[choice]}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
