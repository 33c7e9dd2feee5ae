// Draws a finished timeline: axis, grid, rows with bars. Geometry comes in as shares and goes to CSS as custom properties.
import { CircleDashed, Database, Hand, Layers, ListTree, Shrink, Sparkle, Wrench } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, memo, useRef } from 'react';
import type { SpanKind } from '../../shared/trace.ts';
import { selectSpan } from '../state/inspect-actions.ts';
import { formatDuration } from '../ui/format.ts';
import { nextRow } from '../ui/row-keys.ts';
import { spanLabel } from './span-words.ts';
import type { Timeline, TimelineRow } from './timeline.ts';

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

export function Waterfall({ timeline, selectedSpanId }: { timeline: Timeline; selectedSpanId: string | null }) {
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
    <div className="waterfall">
      <div className="axis" aria-hidden>
        <span>Span</span>
        <span className="ticks">
          {timeline.ticks.map((tick) => (
            <span key={tick.at} style={{ '--at': tick.at } as CSSProperties}>
              {tick.label}
            </span>
          ))}
        </span>
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
            <SpanRow key={row.span.id} row={row} selected={row.span.id === selectedSpanId} />
          ))}
        </div>
      </div>
    </div>
  );
}

const SpanRow = memo(
  function SpanRow({ row, selected }: { row: TimelineRow; selected: boolean }) {
    const { span } = row;
    const Icon = SPAN_ICONS[span.kind];
    const kind = SPAN_CLASSES[span.kind];
    const failed = span.status === 'error';
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
      <div
        id={`span-${span.id}`}
        className={`span-row${failed ? ' failed' : ''}`}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        aria-label={spanLabel(span, row.durationMs)}
        onClick={() => selectSpan(span.id, span.detailBytes)}
      >
        <span className="span-name" style={{ '--depth': row.depth } as CSSProperties}>
          <Icon className={`i m kind ${kind}`} aria-hidden />
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
        </span>
        <span className="span-time num">{formatDuration(row.durationMs)}</span>
      </div>
    );
  },
  (before, after) => before.selected === after.selected && sameRow(before.row, after.row),
);

function sameRow(a: TimelineRow, b: TimelineRow): boolean {
  return (
    a.span === b.span &&
    a.depth === b.depth &&
    a.bars.length === b.bars.length &&
    a.bars.every((bar, index) => bar.from === b.bars[index]?.from && bar.to === b.bars[index]?.to)
  );
}
