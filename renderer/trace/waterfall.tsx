// Draws a finished timeline: axis, grid, and of the rows those that are in view. Geometry comes in as shares and goes to CSS.
import { defaultRangeExtractor } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useCallback, useRef, useState } from 'react';
import { words } from '../language/language.ts';
import { selectSpan } from '../state/inspect-actions.ts';
import { nextRow } from '../ui/row-keys.ts';
import { useVirtualRows } from '../ui/use-virtual-rows.ts';
import type { SpanNumbers } from './span-numbers.ts';
import { NumberHeads, SpanRow } from './span-row.tsx';
import { SpanTip } from './span-tip.tsx';
import type { Timeline } from './timeline.ts';

/** As trace.css has it. */
const ROW_PX = 24;
const ROWS_AROUND = 12;

interface WaterfallProps {
  timeline: Timeline;
  numbers: ReadonlyMap<string, SpanNumbers>;
  selectedSpanId: string | null;
  now: number;
  /** With notes beside the bars and columns for tokens and money. */
  wide?: boolean;
  /** Takes the element with the bars, for zooming. */
  setTrack?: (element: HTMLElement | null) => void;
  /** Enter on a row. */
  onOpen: () => void;
}

export function Waterfall({ timeline, numbers, selectedSpanId, now, wide = false, setTrack, onOpen }: WaterfallProps) {
  const text = words().trace;
  const frame = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<{ spanId: string; x: number; y: number } | null>(null);
  const onHover = useCallback((spanId: string | null, x: number, y: number) => setTip(spanId === null ? null : { spanId, x, y }), []);
  const { rows } = timeline;
  const selectedIndex = rows.findIndex((row) => row.span.id === selectedSpanId);
  const virtualizer = useVirtualRows({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: ROWS_AROUND,
    // The chosen row stays in the document: the list's focus stands on it.
    rangeExtractor: (range) => [
      ...new Set([...defaultRangeExtractor(range), ...(selectedIndex >= 0 && selectedIndex < range.count ? [selectedIndex] : [])]),
    ],
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && selectedIndex >= 0) {
      event.preventDefault();
      onOpen();
      return;
    }
    const target = nextRow(selectedIndex, event.key, rows.length);
    const row = target === null ? undefined : rows[target];
    if (target === null || row === undefined) return;
    event.preventDefault();
    selectSpan(row.span.id, row.span.detailBytes);
    virtualizer.scrollToIndex(target, { align: 'auto' });
  };
  const hovered = tip === null ? undefined : rows.find((row) => row.span.id === tip.spanId);
  return (
    <div className={`waterfall${wide ? ' wide-columns' : ''}`} ref={setTrack}>
      <Axis timeline={timeline} wide={wide} />
      <div className="waterfall-rows scroll" ref={frame} onPointerLeave={() => setTip(null)}>
        <div className="row-space" style={{ '--rows': rows.length } as CSSProperties}>
          <GridLines timeline={timeline} />
          <div
            role="listbox"
            aria-label={text.spans}
            tabIndex={0}
            aria-activedescendant={selectedIndex < 0 ? undefined : `span-${selectedSpanId}`}
            onKeyDown={onKeyDown}
          >
            {virtualizer.getVirtualItems().map(({ index }) => {
              const row = rows[index];
              return row === undefined ? null : (
                <SpanRow
                  key={row.span.id}
                  row={row}
                  numbers={numbers.get(row.span.id)}
                  selected={index === selectedIndex}
                  wide={wide}
                  index={index}
                  count={rows.length}
                  onHover={onHover}
                />
              );
            })}
          </div>
        </div>
      </div>
      {hovered !== undefined && tip !== null && (
        <SpanTip
          span={hovered.span}
          numbers={numbers.get(hovered.span.id)}
          runStartedAt={timeline.startedAt}
          now={now}
          x={tip.x}
          y={tip.y}
        />
      )}
    </div>
  );
}

function Axis({ timeline, wide }: { timeline: Timeline; wide: boolean }) {
  const text = words().trace;
  return (
    <div className="axis" aria-hidden>
      <span>{text.columns.span}</span>
      <span className="ticks">
        {timeline.ticks.map((tick) => (
          <span key={tick.at} style={{ '--at': tick.at } as CSSProperties}>
            {tick.label}
          </span>
        ))}
      </span>
      {wide && <NumberHeads />}
      <span className="axis-end">{text.columns.time}</span>
    </div>
  );
}

function GridLines({ timeline }: { timeline: Timeline }) {
  return (
    <div className="grid-lines" aria-hidden>
      {timeline.ticks.map((tick) => (
        <i key={tick.at} style={{ '--at': tick.at } as CSSProperties} />
      ))}
      {timeline.now !== null && <i className="now" style={{ '--at': timeline.now } as CSSProperties} />}
    </div>
  );
}
