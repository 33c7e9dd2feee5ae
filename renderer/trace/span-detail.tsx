// The selected span: times, usage, error, and request and response when they are asked for. I/O: the focus.
import { MessageSquare } from 'lucide-react';
import type { Span } from '../../shared/trace.ts';
import { scrollToTurn } from '../chat/use-virtual-log.ts';
import { words } from '../language/language.ts';
import { changePreferences } from '../state/actions.ts';
import { AUTO_LOAD_BYTES, loadDetail, showMessageOfSpan } from '../state/inspect-actions.ts';
import { useConsole } from '../state/store.ts';
import { ToolValueView } from '../turns/tool-card.tsx';
import { formatBytes } from '../ui/format.ts';
import { Fact } from './fact.tsx';
import { LargePayload } from './large-payload.tsx';
import { RequestView } from './request-view.tsx';
import { spanFacts } from './span-facts.ts';
import { SPAN_CLASSES, SPAN_ICONS } from './span-icons.ts';
import type { SpanNumbers } from './span-numbers.ts';
import { spanTitle } from './span-words.ts';

/** The detail's place in the page: Enter on a row leads there. */
const DETAIL_ID = 'selected-span';

export function focusDetail(): void {
  document.getElementById(DETAIL_ID)?.focus();
}

/** Once the conversation is drawn, its log goes to the turn. */
export function scrollSoon(turn: number): void {
  requestAnimationFrame(() => requestAnimationFrame(() => scrollToTurn(turn)));
}

interface SpanDetailProps {
  span: Span;
  numbers: SpanNumbers | undefined;
  /** UTC milliseconds. */
  runStartedAt: number;
  now: number;
}

export function SpanDetailView({ span, numbers, runStartedAt, now }: SpanDetailProps) {
  const Icon = SPAN_ICONS[span.kind];
  const text = words().trace.detail;
  return (
    <section id={DETAIL_ID} className="span-detail scroll" aria-label={text.selected} tabIndex={-1}>
      <header className="detail-head">
        <Icon className={`i kind ${SPAN_CLASSES[span.kind]}`} aria-hidden />
        <h3>{spanTitle(span)}</h3>
        <StatusChip span={span} />
        <span className="grow" />
        <ButtonToMessage span={span} />
      </header>
      {span.kind === 'tool-call' || span.kind === 'model-call' ? <p className="detail-name mono">{span.name}</p> : null}
      <dl className="facts">
        {spanFacts(span, numbers, runStartedAt, now).map(({ name, value }) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {span.note !== '' && span.detailBytes === 0 && (
        <p className="detail-note" dir="auto">
          {span.note}
        </p>
      )}
      {span.error !== null && (
        <p className="panel-error" role="alert">
          {span.error.message}
          {span.error.retryable ? ` ${text.retryable}` : ''} <code>{span.error.code}</code>
        </p>
      )}
      <Payload span={span} />
    </section>
  );
}

function ButtonToMessage({ span }: { span: Span }) {
  const show = () => {
    changePreferences({ area: 'conversations' });
    scrollSoon(showMessageOfSpan(span));
  };
  return (
    <button type="button" className="ghost sm" onClick={show}>
      <MessageSquare className="i s" aria-hidden />
      {words().trace.detail.showInChat}
    </button>
  );
}

function StatusChip({ span }: { span: Span }) {
  const text = words().trace.states;
  if (span.endedAt === null) return <span className="chip accent">{text.running}</span>;
  if (span.status === 'error') return <span className="chip bad">{text.error}</span>;
  if (span.status === 'cancelled') return <span className="chip">{text.cancelled}</span>;
  return <span className="chip ok">{text.ok}</span>;
}

function Payload({ span }: { span: Span }) {
  const detail = useConsole((state) => state.details[span.id]);
  const text = words().trace.detail;
  if (span.detailBytes === 0) return null;
  if (span.detailBytes > AUTO_LOAD_BYTES) return <LargePayload span={span} />;
  if (detail === undefined) {
    return (
      <p className="panel-hint">
        <button type="button" className="sm" onClick={() => void loadDetail(span.id)}>
          {text.load(formatBytes(span.detailBytes))}
        </button>
      </p>
    );
  }
  if (detail === 'loading') return <p className="panel-hint">{text.loading(formatBytes(span.detailBytes))}</p>;
  if (detail === 'none') return <p className="panel-hint">{text.gone}</p>;
  if ('code' in detail) {
    return (
      <p className="panel-error" role="alert">
        {text.cannotLoad(detail.message)}{' '}
        <button type="button" className="sm" onClick={() => void loadDetail(span.id)}>
          {text.tryAgain}
        </button>
      </p>
    );
  }
  const isTool = span.kind === 'tool-call';
  return (
    <div className="payload">
      {isTool ? <ToolValueView title={text.arguments} value={detail.request} /> : <RequestView request={detail.request} />}
      <ToolValueView title={isTool ? text.result : text.response} value={detail.response} />
    </div>
  );
}
