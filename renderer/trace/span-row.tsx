// One row of the waterfall: name, bars, a note where there is room, numbers, time. Geometry comes in as shares and goes to CSS.
import { type CSSProperties, memo } from 'react';
import type { Span } from '../../shared/trace.ts';
import { words } from '../language/language.ts';
import { selectSpan } from '../state/inspect-actions.ts';
import { resultInWords } from '../turns/tool-values.ts';
import { formatCost, formatDuration, formatReported } from '../ui/format.ts';
import { SPAN_CLASSES, SPAN_ICONS } from './span-icons.ts';
import type { SpanNumbers } from './span-numbers.ts';
import { spanState } from './span-words.ts';
import { notePlace, type TimelineRow } from './timeline.ts';

interface SpanRowProps {
  row: TimelineRow;
  numbers: SpanNumbers | undefined;
  selected: boolean;
  wide: boolean;
  /** From 0, of `count` rows; most of them are not in the document. */
  index: number;
  count: number;
  onHover: (spanId: string | null, x: number, y: number) => void;
}

export const SpanRow = memo(
  function SpanRow({ row, numbers, selected, wide, index, count, onHover }: SpanRowProps) {
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
        aria-posinset={index + 1}
        aria-setsize={count}
        style={{ '--row': index } as CSSProperties}
        onClick={() => selectSpan(span.id, span.detailBytes)}
        onPointerMove={(event) => event.pointerType === 'mouse' && onHover(span.id, event.clientX, event.clientY)}
      >
        <span className="span-name" style={{ '--depth': row.depth } as CSSProperties}>
          <Icon className={`i m kind ${kind}`} aria-hidden />
          <span className="vh">{spanState(span)}: </span>
          <span className="trunc">{span.name}</span>
        </span>
        <span className="track">
          {row.bars.map((bar, at) => (
            <i
              key={at}
              className={`bar ${kind} ${bar.look}${failed ? ' error' : ''}`}
              style={{ '--from': bar.from, '--to': bar.to } as CSSProperties}
            />
          ))}
          {wide && <RowNote row={row} />}
        </span>
        {wide && <Numbers numbers={numbers} />}
        <span className="span-time num">{formatDuration(row.durationMs)}</span>
      </div>
    );
  },
  (before, after) =>
    before.selected === after.selected &&
    before.wide === after.wide &&
    before.index === after.index &&
    before.count === after.count &&
    before.onHover === after.onHover &&
    sameNumbers(before.numbers, after.numbers) &&
    sameRow(before.row, after.row),
);

function sameRow(a: TimelineRow, b: TimelineRow): boolean {
  return (
    a.span === b.span &&
    a.depth === b.depth &&
    a.durationMs === b.durationMs &&
    a.bars.length === b.bars.length &&
    a.bars.every((bar, index) => bar.from === b.bars[index]?.from && bar.to === b.bars[index]?.to)
  );
}

function sameNumbers(a: SpanNumbers | undefined, b: SpanNumbers | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.inputTokens === b.inputTokens && a.outputTokens === b.outputTokens && a.costMicroUsd === b.costMicroUsd;
}

export function NumberHeads() {
  const text = words().trace.columns;
  return (
    <>
      <span className="axis-end">{text.input}</span>
      <span className="axis-end">{text.cached}</span>
      <span className="axis-end">{text.output}</span>
      <span className="axis-end">{text.reasoning}</span>
      <span className="axis-end">{text.cost}</span>
    </>
  );
}

/** Tokens and money of model calls, steps and the run; other spans have none. */
function Numbers({ numbers }: { numbers: SpanNumbers | undefined }) {
  const texts =
    numbers === undefined
      ? ['', '', '', '', '']
      : [
          formatReported(numbers.inputTokens),
          formatReported(numbers.cacheReadTokens),
          formatReported(numbers.outputTokens),
          formatReported(numbers.reasoningTokens),
          formatCost(numbers.costMicroUsd),
        ];
  return texts.map((text, index) => (
    <span key={index} className="span-time num">
      {text}
    </span>
  ));
}

/** Why a pause was made stands where a result would. */
function noteOf(span: Span): string {
  if (span.error !== null) return span.error.message;
  return span.kind === 'tool-call' ? resultInWords(span.note) : span.note;
}

function RowNote({ row }: { row: TimelineRow }) {
  const text = noteOf(row.span);
  const place = notePlace(row.bars);
  if (place === null || text === '' || row.span.kind === 'run') return null;
  return (
    <span className={`row-note trunc ${place.side}`} style={{ '--at': place.at } as CSSProperties}>
      {text}
    </span>
  );
}
