// One provider opened: its key, its address, a test, and its models to choose from.
import { words } from '../language/language.ts';
import { Check, CircleAlert, Info } from 'lucide-react';
import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import type { ConnectionReport, KeyStorage, ModelView, ProviderView } from '../../shared/models.ts';
import { engine } from '../state/actions.ts';
import { modelFacts } from './model-words.ts';
import { TapeImport } from './tape-import.tsx';

interface ProviderFormProps {
  provider: ProviderView;
  /** The model in use, '' when another provider answers. */
  current: string;
  keyStorage: KeyStorage;
  onChange: () => void;
}

/** Runs one thing at a time and keeps the sentence of what went wrong. */
function useWork(): { busy: boolean; problem: string | null; run: (work: () => Promise<void>) => void } {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    work()
      .catch((error: unknown) => setProblem(toErrorInfo(error).message))
      .finally(() => setBusy(false));
  };
  return { busy, problem, run };
}

export function ProviderForm(props: ProviderFormProps) {
  const { provider } = props;
  return (
    <div className="provider-form">
      {provider.keyVariable !== null && <KeyForm {...props} variable={provider.keyVariable} />}
      {provider.takesBaseUrl && <AddressForm {...props} />}
      <Models {...props} />
    </div>
  );
}

function KeyForm({ provider, keyStorage, onChange, variable }: ProviderFormProps & { variable: string }) {
  const [key, setKey] = useState('');
  const [keep, setKeep] = useState<'keychain' | 'session'>(keyStorage.canPersist ? 'keychain' : 'session');
  const { busy, problem, run } = useWork();
  const id = useId();
  const save = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await engine().call('saveKey', { provider: provider.provider, key, keep });
      setKey('');
      onChange();
    });
  };
  const forget = () =>
    run(async () => {
      await engine().call('forgetKey', { provider: provider.provider });
      onChange();
    });
  if (provider.key === 'environment') {
    return (
      <p className="form-note">
        {words().models.keyFrom} <code>{variable}</code>
        {words().models.keyFromEnd}
      </p>
    );
  }
  return (
    <form className="form-row" onSubmit={save}>
      <label htmlFor={id}>{words().models.key}</label>
      <div className="form-fields">
        <input
          id={id}
          className="text-input wide-input"
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder={provider.key === 'none' ? words().models.paste : words().models.pasteOther}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <select
          aria-label={words().models.keep}
          value={keep}
          onChange={(event) => setKeep(event.target.value === 'keychain' ? 'keychain' : 'session')}
        >
          <option value="keychain" disabled={!keyStorage.canPersist}>
            {words().models.inKeychain}
          </option>
          <option value="session">{words().models.inSession}</option>
        </select>
        <button type="submit" className="primary" disabled={busy || key.trim() === ''}>
          {words().models.saveKey}
        </button>
        {(provider.key === 'keychain' || provider.key === 'session') && (
          <button type="button" disabled={busy} onClick={forget}>
            {words().models.forget}
          </button>
        )}
      </div>
      {!keyStorage.canPersist && keyStorage.reason !== '' && <p className="form-note">{keyStorage.reason}</p>}
      <Problem text={problem} />
    </form>
  );
}

function AddressForm({ provider, onChange }: ProviderFormProps) {
  const [address, setAddress] = useState(provider.baseUrl ?? '');
  const { busy, problem, run } = useWork();
  const id = useId();
  const save = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await engine().call('saveBaseUrl', { provider: provider.provider, baseUrl: address.trim() === '' ? null : address.trim() });
      onChange();
    });
  };
  return (
    <form className="form-row" onSubmit={save}>
      <label htmlFor={id}>{words().models.address}</label>
      <div className="form-fields">
        <input
          id={id}
          className="text-input wide-input"
          inputMode="url"
          spellCheck={false}
          placeholder={words().models.ownAddress}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
        <button type="submit" disabled={busy || address.trim() === (provider.baseUrl ?? '')}>
          {words().models.saveAddress}
        </button>
      </div>
      <Problem text={problem} />
    </form>
  );
}

function Models({ provider, current, onChange }: ProviderFormProps) {
  const [models, setModels] = useState<ModelView[] | null>(null);
  const [note, setNote] = useState('');
  const [chosen, setChosen] = useState(current);
  const [report, setReport] = useState<ConnectionReport | null>(null);
  const { busy, problem, run } = useWork();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const load = useCallback(() => {
    engine()
      .call('listModels', { provider: provider.provider })
      .then(
        (found) => {
          setModels(found.models);
          setNote(found.problem);
          // A suggestion must not slip into what somebody is typing.
          const typing = document.activeElement === field.current;
          setChosen((before) => (before === '' && !typing ? (found.models[0]?.id ?? '') : before));
        },
        (error: unknown) => setNote(toErrorInfo(error).message),
      );
  }, [provider.provider]);
  useEffect(load, [load, provider.key, provider.baseUrl]);
  const use = () =>
    run(async () => {
      await engine().call('chooseModel', { model: `${provider.provider}/${chosen}` });
      onChange();
    });
  const test = () =>
    run(async () => {
      const found = await engine().call('testConnection', { provider: provider.provider, ...(chosen === '' ? {} : { model: chosen }) });
      setReport(found.report);
    });
  const shown = models?.find((model) => model.id === chosen);
  return (
    <div className="form-row">
      <label htmlFor={id}>{words().models.model}</label>
      <div className="form-fields">
        <input
          id={id}
          ref={field}
          className="text-input wide-input"
          list={`${id}-models`}
          spellCheck={false}
          placeholder={models === null ? words().models.loadingModels : words().models.modelName}
          value={chosen}
          onChange={(event) => setChosen(event.target.value.trim())}
        />
        <datalist id={`${id}-models`}>
          {models?.map((model) => (
            <option key={model.id} value={model.id} />
          ))}
        </datalist>
        <button type="button" disabled={busy} onClick={test}>
          {words().models.test}
        </button>
        <button type="button" className="primary" disabled={busy || chosen === '' || chosen === current} onClick={use}>
          {words().models.useModel}
        </button>
      </div>
      {shown !== undefined && provider.provider !== 'tape' && <p className="form-note">{modelFacts(shown)}</p>}
      {provider.provider === 'tape' && (
        <TapeImport
          onImport={(tape) => {
            setChosen(tape.id);
            load();
          }}
        />
      )}
      {/* The report says the same, and what to do about it. */}
      {note !== '' && report === null && <p className="form-note">{note}</p>}
      <Problem text={problem} />
      {report !== null && <Report report={report} />}
    </div>
  );
}

function Report({ report }: { report: ConnectionReport }) {
  return (
    <div className={`report ${report.ok ? 'fine' : 'wrong'}`} role="status">
      {report.problem !== '' && (
        <p>
          <b>{report.problem}</b> {report.action}
        </p>
      )}
      <ul>
        {report.facts.map((fact) => {
          // What is wrong stands above, with what to do.
          if (fact.text === report.problem) return null;
          const Icon = fact.ok === null ? Info : fact.ok ? Check : CircleAlert;
          return (
            <li key={fact.text} className={fact.ok === null ? 'limit' : fact.ok ? 'good' : 'poor'}>
              <Icon
                className="i m"
                aria-label={fact.ok === null ? words().models.limit : fact.ok ? words().models.works : words().models.fails}
                role="img"
              />
              {fact.text}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="bad" role="alert">
      {text}
    </p>
  );
}
