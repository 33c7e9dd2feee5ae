// Changes that the shared database did not take, and answers that found no place: why, what they hold, and what can be done.
import { useCallback, useEffect, useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import type { ParkedOp, SyncConnection } from '../../shared/sync.ts';
import { words } from '../language/language.ts';
import { addNotice, changePreferences, engine, loadSync, openConversation, showDialog } from '../state/actions.ts';
import { handOver } from '../ui/hand-over.ts';
import { fullMoment } from './sync-facts.ts';

function useParked(count: number, state: SyncConnection): { ops: ParkedOp[] | null; problem: string | null; reload: () => void } {
  const [ops, setOps] = useState<ParkedOp[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reload = useCallback(() => {
    engine()
      .call('listParkedOps', {})
      .then(
        (found) => {
          setOps(found.ops);
          setProblem(null);
        },
        (error: unknown) => setProblem(toErrorInfo(error).message),
      );
  }, []);
  useEffect(reload, [reload, count, state]);
  return { ops, problem, reload };
}

export function ParkedList({ count, state }: { count: number; state: SyncConnection }) {
  const text = words().sync;
  const { ops, problem, reload } = useParked(count, state);
  return (
    <section aria-label={text.parkedTitle}>
      <h3>{text.parkedTitle}</h3>
      {problem !== null && (
        <p className="bad" role="alert">
          {text.parkedFailed} {problem}
        </p>
      )}
      {ops?.length === 0 && <p className="dim">{text.parkedNone}</p>}
      {ops !== null && ops.length > 0 && (
        <ul className="parked">
          {ops.map((op) => (
            <Parked key={op.id} op={op} onChange={reload} />
          ))}
        </ul>
      )}
      {state === 'offline' && <p className="form-note">{text.draftsOffline}</p>}
    </section>
  );
}

/** Two spaces of indent read well; a text that is no JSON is shown as it is. */
function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function Parked({ op, onChange }: { op: ParkedOp; onChange: () => void }) {
  const text = words().sync;
  const [content, setContent] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      addNotice('error', toErrorInfo(error).message);
    } finally {
      setBusy(false);
    }
  };
  const change = (method: 'retryParkedOp' | 'discardParkedOp') =>
    void run(async () => {
      await engine().call(method, { id: op.id });
      await loadSync();
      onChange();
    });
  return (
    <li className={`parked-op ${op.kind}`} aria-label={op.what}>
      <div className="parked-head">
        <b>{op.what}</b>
        <span className="dim">{text.kinds[op.kind]}</span>
        <time dateTime={new Date(op.at).toISOString()}>{fullMoment(op.at)}</time>
      </div>
      <p>{op.reason}</p>
      {op.text !== '' && content === null && (
        <blockquote dir="auto" className="parked-text">
          {op.text}
        </blockquote>
      )}
      {content !== null && (
        <pre className="parked-content scroll" role="region" aria-label={text.content} tabIndex={0}>
          {content}
        </pre>
      )}
      {asking ? (
        <Question busy={busy} onNo={() => setAsking(false)} onYes={() => change('discardParkedOp')} />
      ) : (
        <ParkedActions
          op={op}
          busy={busy}
          shown={content !== null}
          onRetry={() => change('retryParkedOp')}
          onContent={() => (content === null ? void run(async () => setContent(readable(await exported(op)))) : setContent(null))}
          onExport={() => void run(async () => handOver(`${op.kind}-${op.id}.json`, await exported(op)))}
          onDiscard={() => setAsking(true)}
        />
      )}
    </li>
  );
}

async function exported(op: ParkedOp): Promise<string> {
  return (await engine().call('exportParkedOp', { id: op.id })).text;
}

interface ParkedActionsProps {
  op: ParkedOp;
  busy: boolean;
  /** Its content is on the screen. */
  shown: boolean;
  onRetry: () => void;
  onContent: () => void;
  onExport: () => void;
  onDiscard: () => void;
}

/** A kept answer cannot be sent, so it is neither tried again nor discarded here. */
function ParkedActions({ op, busy, shown, onRetry, onContent, onExport, onDiscard }: ParkedActionsProps) {
  const text = words().sync;
  const { conversationId } = op;
  const open = (id: string) => {
    showDialog(null);
    changePreferences({ area: 'conversations' });
    void openConversation(id);
  };
  return (
    <div className="form-fields">
      {op.kind !== 'draft' && (
        <button type="button" className="sm" disabled={busy} onClick={onRetry}>
          {text.retry}
        </button>
      )}
      <button type="button" className="sm" aria-expanded={shown} disabled={busy} onClick={onContent}>
        {shown ? text.hideContent : text.content}
      </button>
      <button type="button" className="sm" disabled={busy} onClick={onExport}>
        {text.export}
      </button>
      {conversationId !== null && (
        <button type="button" className="sm" onClick={() => open(conversationId)}>
          {text.openConversation}
        </button>
      )}
      {op.kind !== 'draft' && (
        <button type="button" className="ghost sm danger" disabled={busy} onClick={onDiscard}>
          {text.discard}
        </button>
      )}
    </div>
  );
}

function Question({ busy, onYes, onNo }: { busy: boolean; onYes: () => void; onNo: () => void }) {
  const text = words().sync;
  return (
    <div className="parked-question" role="alertdialog" aria-label={text.discard}>
      <p>{text.discardQuestion}</p>
      <div className="form-fields">
        <button type="button" className="sm" autoFocus onClick={onNo}>
          {text.discardNo}
        </button>
        <button type="button" className="sm danger" disabled={busy} onClick={onYes}>
          {text.discardYes}
        </button>
      </div>
    </div>
  );
}
