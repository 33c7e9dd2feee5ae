// A payload too large to load at once: pieces on demand, or the whole of it as a file. I/O through the client.
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { PayloadPart } from '../../shared/api/traces.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import type { Span } from '../../shared/trace.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { formatBytes, formatCount, formatPercent } from '../ui/format.ts';
import { handOver } from '../ui/hand-over.ts';
import { NOTHING_YET, payloadState, PIECE_CHARACTERS, type PayloadSoFar, withPiece } from './payload-parts.ts';

/** Characters of one piece while a file is made. */
const FILE_PIECE = 1_048_576;

export function LargePayload({ span }: { span: Span }) {
  const text = words().trace.detail;
  const isTool = span.kind === 'tool-call';
  return (
    <div className="payload">
      <p className="dim">{text.largeHint}</p>
      <LargeText span={span} part="request" title={isTool ? text.arguments : text.request} />
      <LargeText span={span} part="response" title={isTool ? text.result : text.response} />
    </div>
  );
}

function LargeText({ span, part, title }: { span: Span; part: PayloadPart; title: string }) {
  const text = words().trace.detail;
  const [so, setSo] = useState<PayloadSoFar>(NOTHING_YET);
  const [busy, setBusy] = useState<number | 'loading' | null>(null);
  const [error, setError] = useState<ErrorInfo | null>(null);
  const guarded = async (work: () => Promise<void>) => {
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(toErrorInfo(failure));
    }
    setBusy(null);
  };
  const read = (offset: number, characters: number) => engine().call('readSpanText', { spanId: span.id, part, offset, characters });
  const more = () =>
    guarded(async () => {
      setBusy('loading');
      const piece = await read(so.next ?? 0, PIECE_CHARACTERS);
      setSo((before) => withPiece(before, piece));
    });
  const save = () =>
    guarded(async () => {
      const pieces: string[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const piece: { text: string; total: number; next: number | null } = await read(offset, FILE_PIECE);
        pieces.push(piece.text);
        offset = piece.next;
        setBusy(piece.total === 0 ? 1 : (piece.next ?? piece.total) / piece.total);
      }
      handOver(`${span.name.replaceAll(/[^\w-]+/gu, '-')}-${part}.json`, pieces.join(''));
    });
  const state = payloadState(so);
  return (
    <div>
      <div className="io-head">
        <span className="eyebrow">{title}</span>
        {state !== 'nothing' && <span className="dim num">{text.shown(formatCount(so.text.length), formatCount(so.total))}</span>}
      </div>
      {state !== 'nothing' && (
        <pre className="scroll" tabIndex={0} dir="auto">
          {so.text}
        </pre>
      )}
      <div className="payload-actions">
        {(state === 'nothing' || state === 'more') && (
          <button type="button" className="sm" disabled={busy !== null} onClick={() => void more()}>
            {state === 'nothing' ? text.load(formatBytes(PIECE_CHARACTERS)) : text.loadMore(formatBytes(PIECE_CHARACTERS))}
          </button>
        )}
        {state === 'limit' && <span className="dim">{text.limit}</span>}
        <button type="button" className="sm" disabled={busy !== null} onClick={() => void save()}>
          <Download className="i s" aria-hidden />
          {typeof busy === 'number' ? text.saving(formatPercent(busy)) : text.saveAsFile}
        </button>
      </div>
      {error !== null && (
        <p className="panel-error" role="alert">
          {text.cannotLoad(error.message)}
        </p>
      )}
    </div>
  );
}
