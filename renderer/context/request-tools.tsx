// The requests of a conversation: pick one, compare it, take it away as text, try another system prompt on it. I/O through the client.
import { useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import type { RequestDiff, RequestMark } from '../../shared/inspection.ts';
import { words } from '../language/language.ts';
import { addNotice, engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatCount, formatEstimate } from '../ui/format.ts';
import { useRequests } from './past-request.ts';
import { differingPieces, REQUEST_FORMATS, type RequestFormat, requestText, type TextPiece } from './request-formats.ts';

type Name = { spanId: string; promptVersion?: string } | { trial: { next?: string } };

const NEXT = 'next';

export function RequestTools({ data, draft }: { data: ConversationData; draft: string }) {
  const texts = words().inspector;
  const requests = useRequests(data);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState(NEXT);
  const [diff, setDiff] = useState<RequestDiff | null>(null);
  const conversationId = data.summary.id;
  const report = (error: unknown) => addNotice('error', toErrorInfo(error).message);
  const named = (value: string): Name => (value === NEXT ? { trial: draft === '' ? {} : { next: draft } } : { spanId: value });
  const first = from === '' ? (requests.at(-1)?.spanId ?? NEXT) : from;
  const compare = () => {
    engine()
      .call('diffRequests', { conversationId, from: named(first), to: named(to) })
      .then((found) => setDiff(found.diff), report);
  };
  return (
    <section className="side-part" aria-label={texts.requests}>
      <h2>{texts.requests}</h2>
      <RequestSelect label={texts.request} requests={requests} value={first} onChange={setFrom} />
      <RequestSelect label={texts.comparedWith} requests={requests} value={to} onChange={setTo} />
      <button type="button" onClick={compare}>
        {texts.compare}
      </button>
      {diff !== null && <DiffView diff={diff} />}
      <TakeAway conversationId={conversationId} name={named(first)} />
    </section>
  );
}

interface RequestSelectProps {
  label: string;
  requests: readonly RequestMark[];
  value: string;
  onChange: (value: string) => void;
}

function RequestSelect({ label, requests, value, onChange }: RequestSelectProps) {
  const texts = words().inspector;
  return (
    <label className="trial-head">
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {requests.map(({ spanId, turn, step }) => (
          <option key={spanId} value={spanId}>
            {texts.requestName(turn, step ?? 0)}
          </option>
        ))}
        <option value={NEXT}>{texts.nextQuestion}</option>
      </select>
    </label>
  );
}

/** Where two requests differ, why, what it costs, and all differing parts side by side. */
export function DiffView({ diff }: { diff: RequestDiff }) {
  const texts = words().inspector;
  const rows = diff.rows.filter((row) => row.kind !== 'same');
  return (
    <div className="diff" role="region" tabIndex={0} aria-label={texts.differences}>
      <p role="status">
        <b>{texts.causes[diff.cause]}</b>{' '}
        {diff.first !== null && texts.firstAt(diff.first.label, diff.first.message ?? 0, formatCount(diff.first.character))}{' '}
        {texts.cacheCost(formatEstimate(diff.cacheableTokens), formatEstimate(diff.lostTokens))}
      </p>
      {rows.map((row, index) => {
        const pieces = differingPieces(row.before?.text ?? '', row.after?.text ?? '');
        return (
          <div key={index} className="diff-row">
            <span className="dim">
              {(row.after ?? row.before)?.label}: {texts.rowKinds[row.kind]}
            </span>
            {row.before !== null && (
              <del dir="auto">
                <Pieces pieces={pieces.before} />
              </del>
            )}
            {row.after !== null && (
              <ins dir="auto">
                <Pieces pieces={pieces.after} />
              </ins>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Text with the pieces that differ marked. */
export function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  return pieces.map((piece, index) => (piece.differs ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>));
}

/** One request as text, to be copied. */
function TakeAway({ conversationId, name }: { conversationId: string; name: Name }) {
  const texts = words().inspector;
  const [format, setFormat] = useState<RequestFormat>('json');
  const [text, setText] = useState('');
  const report = (error: unknown) => addNotice('error', toErrorInfo(error).message);
  const take = () => {
    engine()
      .call('inspectRequest', { conversationId, request: name })
      .then(({ request }) => setText(request.erased ? texts.erased(request.mark?.sha256 ?? '') : requestText(request, format)), report);
  };
  return (
    <>
      <label className="trial-head">
        {texts.takeAs}
        <select value={format} onChange={(event) => setFormat(REQUEST_FORMATS.find((each) => each === event.target.value) ?? 'json')}>
          {REQUEST_FORMATS.map((each) => (
            <option key={each} value={each}>
              {texts.formats[each]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={take}>
        {texts.showText}
      </button>
      {text !== '' && (
        <div className="taken">
          <CopyButton text={() => text} label={texts.copyRequest} />
          <pre className="scroll" tabIndex={0} aria-label={texts.requestText}>
            {text}
          </pre>
        </div>
      )}
    </>
  );
}
