// The box under the pointer: a span's numbers, as its detail shows them to the keyboard. Never in the way of the pointer.
import type { CSSProperties } from 'react';
import type { Span } from '../../shared/trace.ts';
import { Fact } from './fact.tsx';
import { spanFacts } from './span-facts.ts';
import type { SpanNumbers } from './span-numbers.ts';
import { spanTitle } from './span-words.ts';

interface SpanTipProps {
  span: Span;
  numbers: SpanNumbers | undefined;
  runStartedAt: number;
  now: number;
  x: number;
  y: number;
}

export function SpanTip({ span, numbers, runStartedAt, now, x, y }: SpanTipProps) {
  const side = x > globalThis.innerWidth / 2 ? ' left' : '';
  const above = y > globalThis.innerHeight / 2 ? ' above' : '';
  return (
    <div className={`span-tip${side}${above}`} aria-hidden style={{ '--x': `${x}px`, '--y': `${y}px` } as CSSProperties}>
      <b>{spanTitle(span)}</b>
      <span className="dim">{span.name}</span>
      <dl className="facts">
        {spanFacts(span, numbers, runStartedAt, now).map(({ name, value }) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      <span className="tip-note">{span.error?.message ?? span.note}</span>
    </div>
  );
}
