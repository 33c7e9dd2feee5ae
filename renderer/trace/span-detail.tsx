// The selected span: times, usage, error, and request and response when they are asked for.
import type { Span } from '../../shared/trace.ts';
import { AUTO_LOAD_BYTES, loadDetail } from '../state/inspect-actions.ts';
import { useConsole } from '../state/store.ts';
import { ToolValueView } from '../turns/tool-card.tsx';
import { formatBytes, formatCost, formatDuration, formatReported } from '../ui/format.ts';
import { RequestView } from './request-view.tsx';
import { modelTimes, spanTitle } from './span-words.ts';
import { Fact } from './fact.tsx';
import { SPAN_CLASSES, SPAN_ICONS } from './waterfall.tsx';

export function SpanDetailView({ span, now }: { span: Span; now: number }) {
  const Icon = SPAN_ICONS[span.kind];
  const end = span.endedAt ?? now;
  return (
    <section className="span-detail scroll" aria-label="Selected span">
      <header className="detail-head">
        <Icon className={`i kind ${SPAN_CLASSES[span.kind]}`} aria-hidden />
        <h3>{spanTitle(span)}</h3>
        <StatusChip span={span} />
      </header>
      {span.kind === 'tool-call' || span.kind === 'model-call' ? <p className="detail-name mono">{span.name}</p> : null}
      <dl className="facts">
        {span.kind === 'model-call' ? (
          <ModelFacts span={span} now={now} />
        ) : (
          <Fact name="Time" value={formatDuration(end - span.startedAt)} />
        )}
      </dl>
      {span.note !== '' && span.detailBytes === 0 && (
        <p className="detail-note" dir="auto">
          {span.note}
        </p>
      )}
      {span.error !== null && (
        <p className="panel-error" role="alert">
          {span.error.message}
          {span.error.retryable ? ' The same request may succeed later.' : ''} <code>{span.error.code}</code>
        </p>
      )}
      <Payload span={span} />
    </section>
  );
}

function ModelFacts({ span, now }: { span: Span; now: number }) {
  const times = modelTimes(span, now);
  return (
    <>
      <Fact
        name="First token"
        value={times.streamedMs === null ? `none after ${formatDuration(times.waitedMs)}` : formatDuration(times.waitedMs)}
      />
      {times.streamedMs !== null && (
        <Fact
          name="Streaming"
          value={`${formatDuration(times.streamedMs)}${times.tokensPerSecond === null ? '' : `, ${times.tokensPerSecond}/s`}`}
        />
      )}
      <Fact name="Input" value={formatReported(span.usage?.inputTokens)} />
      <Fact name="of it cached" value={formatReported(span.usage?.cacheReadTokens)} />
      <Fact name="Output" value={formatReported(span.usage?.outputTokens)} />
      <Fact name="Cost" value={formatCost(span.costMicroUsd)} />
    </>
  );
}

function StatusChip({ span }: { span: Span }) {
  if (span.endedAt === null) return <span className="chip accent">running</span>;
  if (span.status === 'error') return <span className="chip bad">error</span>;
  if (span.status === 'cancelled') return <span className="chip">cancelled</span>;
  return <span className="chip ok">ok</span>;
}

function Payload({ span }: { span: Span }) {
  const detail = useConsole((state) => state.details[span.id]);
  if (span.detailBytes === 0) return null;
  if (detail === undefined) {
    return (
      <p className="panel-hint">
        {span.detailBytes > AUTO_LOAD_BYTES ? 'Large payloads load when you ask for them. ' : ''}
        <button type="button" className="sm" onClick={() => void loadDetail(span.id)}>
          Load {formatBytes(span.detailBytes)}
        </button>
      </p>
    );
  }
  if (detail === 'loading') return <p className="panel-hint">Loading {formatBytes(span.detailBytes)}</p>;
  if (detail === 'none') return <p className="panel-hint">Nothing is stored for this span any more.</p>;
  if ('code' in detail) {
    return (
      <p className="panel-error" role="alert">
        The payload cannot be loaded: {detail.message}{' '}
        <button type="button" className="sm" onClick={() => void loadDetail(span.id)}>
          Try again
        </button>
      </p>
    );
  }
  const isTool = span.kind === 'tool-call';
  return (
    <div className="payload">
      {isTool ? <ToolValueView title="Arguments" value={detail.request} /> : <RequestView request={detail.request} />}
      <ToolValueView title={isTool ? 'Result' : 'Response'} value={detail.response} />
    </div>
  );
}
