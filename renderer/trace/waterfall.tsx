// Draws a finished timeline: axis, grid, rows with bars. Geometry comes in as shares and goes to CSS as custom properties.
import { CircleDashed, Database, Hand, Layers, ListTree, Shrink, Sparkle, Wrench } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, memo, useRef } from 'react';
import type { Span, SpanKind } from '../../shared/trace.ts';
import { selectSpan } from '../state/inspect-actions.ts';
import { formatCost, formatDuration, formatReported } from '../ui/format.ts';
import { resultInWords } from '../turns/tool-values.ts';
import { nextRow } from '../ui/row-keys.ts';
import { spanState } from './span-words.ts';
import { notePlace, type Timeline, type TimelineRow } from './timeline.ts';

export const SPAN_ICONS: Record<SpanKind, typeof Wrench> = {
  run: ListTree,
  step: Layers,
  'model-call': Sparkle,
  'tool-call': Wrench,
  approval: Hand,
  compaction: Shrink,
  storage: Database,
  'retry-wait': CircleDashed,
};

export const SPAN_CLASSES: Record<SpanKind, string> = {
  run: 'k-run',
  step: 'k-step',
  'model-call': 'k-model',
  'tool-call': 'k-tool',
  approval: 'k-approval',
  compaction: 'k-compaction',
  storage: 'k-storage',
  'retry-wait': 'k-wait',
};

interface WaterfallProps {
  timeline: Timeline;
  selectedSpanId: string | null;
  /** With notes beside the bars and columns for tokens and money. */
  wide?: boolean;
}

export function Waterfall({ timeline, selectedSpanId, wide = false }: WaterfallProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = timeline.rows.findIndex((row) => row.span.id === selectedSpanId);
    const target = nextRow(index, event.key, timeline.rows.length);
    const row = target === null ? undefined : timeline.rows[target];
    if (row === undefined) return;
    event.preventDefault();
    selectSpan(row.span.id, row.span.detailBytes);
    list.current?.querySelector(`[id="span-${row.span.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className={`waterfall${wide ? ' wide-columns' : ''}`}>
      <div className="axis" aria-hidden>
        <span>Span</span>
        <span className="ticks">
          {timeline.ticks.map((tick) => (
            <span key={tick.at} style={{ '--at': tick.at } as CSSProperties}>
              {tick.label}
            </span>
          ))}
        </span>
        {wide && <NumberHeads />}
        <span className="axis-end">Time</span>
      </div>
      <div className="waterfall-rows scroll">
        <div className="grid-lines" aria-hidden>
          {timeline.ticks.map((tick) => (
            <i key={tick.at} style={{ '--at': tick.at } as CSSProperties} />
          ))}
          {timeline.now !== null && <i className="now" style={{ '--at': timeline.now } as CSSProperties} />}
        </div>
        <div
          role="listbox"
          aria-label="Spans"
          tabIndex={0}
          ref={list}
          aria-activedescendant={selectedSpanId === null ? undefined : `span-${selectedSpanId}`}
          onKeyDown={onKeyDown}
        >
          {timeline.rows.map((row) => (
            <SpanRow key={row.span.id} row={row} selected={row.span.id === selectedSpanId} wide={wide} />
          ))}
        </div>
      </div>
    </div>
  );
}

const SpanRow = memo(
  function SpanRow({ row, selected, wide }: { row: TimelineRow; selected: boolean; wide: boolean }) {
    const { span } = row;
    const Icon = SPAN_ICONS[span.kind];
    const kind = SPAN_CLASSES[span.kind];
    const failed = span.status === 'error';
    return (
      // The listbox handles the keys
      <div
        id={`span-${span.id}`}
        className={`span-row${failed ? ' failed' : ''}`}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        onClick={() => selectSpan(span.id, span.detailBytes)}
      >
        <span className="span-name" style={{ '--depth': row.depth } as CSSProperties}>
          <Icon className={`i m kind ${kind}`} aria-hidden />
          <span className="vh">{spanState(span)}: </span>
          <span className="trunc" title={span.note === '' ? span.name : `${span.name}: ${span.note}`}>
            {span.name}
          </span>
        </span>
        <span className="track">
          {row.bars.map((bar, index) => (
            <i
              key={index}
              className={`bar ${kind} ${bar.look}${failed ? ' error' : ''}`}
              style={{ '--from': bar.from, '--to': bar.to } as CSSProperties}
            />
          ))}
          {wide && <RowNote row={row} />}
        </span>
        {wide && <Numbers span={span} />}
        <span className="span-time num">{formatDuration(row.durationMs)}</span>
      </div>
    );
  },
  (before, after) => before.selected === after.selected && before.wide === after.wide && sameRow(before.row, after.row),
);

function sameRow(a: TimelineRow, b: TimelineRow): boolean {
  return (
    a.span === b.span &&
    a.depth === b.depth &&
    a.bars.length === b.bars.length &&
    a.bars.every((bar, index) => bar.from === b.bars[index]?.from && bar.to === b.bars[index]?.to)
  );
}

function NumberHeads() {
  return (
    <>
      <span className="axis-end">Input</span>
      <span className="axis-end">Output</span>
      <span className="axis-end">Cost</span>
    </>
  );
}

/** Tokens and money of model calls; other spans have none. */
function Numbers({ span }: { span: Span }) {
  if (span.kind !== 'model-call') {
    return (
      <>
        <span />
        <span />
        <span />
      </>
    );
  }
  return (
    <>
      <span className="span-time num">{formatReported(span.usage?.inputTokens)}</span>
      <span className="span-time num">{formatReported(span.usage?.outputTokens)}</span>
      <span className="span-time num">{formatCost(span.costMicroUsd)}</span>
    </>
  );
}

function RowNote({ row }: { row: TimelineRow }) {
  const { span } = row;
  const text = span.error?.message ?? (span.kind === 'tool-call' ? resultInWords(span.note) : span.note);
  const place = notePlace(row.bars);
  if (place === null || text === '' || span.kind === 'run') return null;
  return (
    <span className={`row-note trunc ${place.side}`} style={{ '--at': place.at } as CSSProperties}>
      {text}
    </span>
  );
}
