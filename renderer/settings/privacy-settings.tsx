// Privacy: what retention would delete now, and forgetting a customer with a typed word and a proof. I/O through the engine.
import { useEffect, useId, useState } from 'react';
import type { ErasureProof } from '../../shared/erasure.ts';
import { toErrorInfo } from '../../shared/errors.ts';
import type { Customer } from '../../shared/shop.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { Group } from './setting-group.tsx';

const MOST_FOUND = 6;

export function PrivacySettings() {
  return (
    <Group title={words().privacy.title}>
      <Retention />
      <Forget />
    </Group>
  );
}

function Retention() {
  const text = words().privacy;
  const [due, setDue] = useState<{ days: number; conversations: number } | null>(null);
  const [problem, setProblem] = useState('');
  const load = () =>
    engine()
      .call('previewRetention', {})
      .then(setDue, (error: unknown) => setProblem(toErrorInfo(error).message));
  useEffect(() => void load(), []);
  const agree = () =>
    engine()
      .call('applyRetention', {})
      .then(load, (error: unknown) => setProblem(toErrorInfo(error).message));
  return (
    <div className="setting">
      <span className="setting-text">
        {due !== null && <span>{due.days === 0 ? text.keepsAll : text.retention(due.conversations, due.days)}</span>}
        <span className="dim">{text.retentionHelp}</span>
        {problem !== '' && (
          <span className="bad" role="alert">
            {problem}
          </span>
        )}
      </span>
      {due !== null && due.conversations > 0 && (
        <button type="button" onClick={() => void agree()}>
          {text.agreeRetention}
        </button>
      )}
    </div>
  );
}

function Forget() {
  const text = words().privacy;
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<Customer[]>([]);
  const [chosen, setChosen] = useState<Customer | null>(null);
  const [problem, setProblem] = useState('');
  const id = useId();
  useEffect(() => {
    let isOld = false;
    if (search.trim() === '') return undefined;
    engine()
      .call('listCustomers', { search, limit: MOST_FOUND })
      .then(
        ({ customers }) => {
          if (!isOld) setFound(customers);
        },
        (error: unknown) => setProblem(toErrorInfo(error).message),
      );
    return () => {
      isOld = true;
    };
  }, [search]);
  return (
    <>
      <div className="setting">
        <label className="setting-text" htmlFor={id}>
          <span>{text.forget}</span>
          <span className="dim">{text.forgetHelp}</span>
          {problem !== '' && (
            <span className="bad" role="alert">
              {problem}
            </span>
          )}
          {search.trim() !== '' && found.length === 0 && <span className="dim">{text.none}</span>}
        </label>
        <input
          id={id}
          type="search"
          className="text-input"
          placeholder={text.search}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setChosen(null);
          }}
        />
      </div>
      {chosen === null &&
        search.trim() !== '' &&
        found.map((customer) => (
          <div className="setting" key={customer.id}>
            <button type="button" className="ghost" onClick={() => setChosen(customer)}>{`${customer.name} · ${customer.id}`}</button>
          </div>
        ))}
      {chosen !== null && <Confirm key={chosen.id} customerId={chosen.id} />}
    </>
  );
}

function Confirm({ customerId }: { customerId: string }) {
  const text = words().privacy;
  const [counts, setCounts] = useState<Record<string, number> | null>(null);
  const [typed, setTyped] = useState('');
  const [proof, setProof] = useState<ErasureProof | null>(null);
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState('');
  const id = useId();
  const told = (error: unknown) => setProblem(toErrorInfo(error).message);
  useEffect(() => {
    engine()
      .call('previewForgetCustomer', { customerId })
      .then((preview) => setCounts(preview.counts), told);
  }, [customerId]);
  const forget = () => {
    setWorking(true);
    setProblem('');
    void engine()
      .call('forgetCustomer', { customerId })
      .then((done) => setProof(done.proof), told)
      .finally(() => setWorking(false));
  };
  if (proof !== null) return <Proof proof={proof} />;
  return (
    <div className="setting">
      <label className="setting-text" htmlFor={id}>
        {counts !== null && <span>{text.count(listed(counts))}</span>}
        <span className="dim" role="status">
          {isWorking ? text.working : text.confirm(customerId)}
        </span>
        {problem !== '' && (
          <span className="bad" role="alert">
            {problem}
          </span>
        )}
      </label>
      <span className="setting-control">
        <input id={id} type="text" className="text-input" value={typed} onChange={(event) => setTyped(event.target.value)} />
        <button type="button" className="danger" disabled={typed !== customerId || isWorking} onClick={forget}>
          {text.agree}
        </button>
      </span>
    </div>
  );
}

function Proof({ proof }: { proof: ErasureProof }) {
  const text = words().privacy;
  return (
    <div className="setting" role="status">
      <span className="setting-text">
        <span>{text.removed(listed(proof.removed))}</span>
        <span>{text.copies(proof.copies.cleaned, proof.copies.deleted)}</span>
        <span>{text.scanned(proof.scanned.files, proof.scanned.columns)}</span>
        <b>{proof.matches.length === 0 ? text.clean : text.left}</b>
        {proof.matches.map((match) => (
          <span key={match.place}>{`${match.place}: ${match.count} (${match.reason})`}</span>
        ))}
      </span>
    </div>
  );
}

function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([table, count]) => `${table} ${count}`)
    .join(', ');
}
