// The runs of a conversation as a table; a row chooses its run.
import { Check, CircleAlert, Hand, LoaderCircle, Square } from 'lucide-react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useRef } from 'react';
import { words } from '../language/language.ts';
import { newestTurn, openConversationOf, useConsole } from '../state/store.ts';
import { formatCost, formatDuration, formatPercent, formatReported, oneLine } from '../ui/format.ts';
import { nextRow } from '../ui/row-keys.ts';
import type { RunRow } from './run-rows.ts';

const ICONS = { ok: Check, warn: Hand, bad: CircleAlert, accent: LoaderCircle, quiet: Square };

function choose(row: RunRow): void {
  const data = openConversationOf(useConsole.getState());
  const isNewest = data !== undefined && newestTurn(data) === row.run.turn;
  useConsole.setState({ selectedTurn: isNewest ? null : row.run.turn, selectedRunId: row.run.id, selectedSpanId: null });
}

export function RunTable({ rows, chosen }: { rows: readonly RunRow[]; chosen: string | null }) {
  const text = words().trace.columns;
  const body = useRef<HTMLTableSectionElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(body.current?.querySelectorAll<HTMLButtonElement>('.run-question') ?? [])];
    const target = nextRow(buttons.indexOf(document.activeElement as HTMLButtonElement), event.key, buttons.length);
    const row = target === null ? undefined : rows[target];
    if (target === null || row === undefined) return;
    event.preventDefault();
    buttons[target]?.focus();
    choose(row);
  };
  return (
    <div className="run-table scroll">
      <table aria-label={words().trace.page.runs}>
        <thead>
          <tr>
            <th className="right">{text.turn}</th>
            <th>{text.question}</th>
            <th>{text.outcome}</th>
            <th className="right">{text.steps}</th>
            <th className="right">{text.tools}</th>
            <th>{text.duration}</th>
            <th className="right">{text.input}</th>
            <th className="right">{text.cached}</th>
            <th className="right">{text.output}</th>
            <th className="right">{text.cost}</th>
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row) => (
            <Row key={row.run.id} row={row} chosen={row.run.id === chosen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, chosen }: { row: RunRow; chosen: boolean }) {
  const { run } = row;
  const Icon = ICONS[row.tone];
  const cached = run.usage === null || run.usage.inputTokens === 0 ? '–' : formatPercent(run.usage.cacheReadTokens / run.usage.inputTokens);
  return (
    <tr className={chosen ? 'chosen' : ''} onClick={() => choose(row)}>
      <td className="right num">{run.turn}</td>
      <td className="question-cell">
        <button type="button" className="run-question trunc" aria-pressed={chosen} dir="auto" onClick={() => choose(row)}>
          {oneLine(run.question, 120)}
        </button>
      </td>
      <td className={`outcome ${row.tone}`}>
        <span>
          <Icon className="i m" aria-hidden />
          <span className="trunc">{row.words}</span>
        </span>
      </td>
      <td className="right num">{run.steps}</td>
      <td className="right num">{run.toolCalls}</td>
      <td className="duration-cell">
        <span>
          <i style={{ '--share': row.share } as CSSProperties} aria-hidden />
          <span className="num">{formatDuration(row.durationMs)}</span>
        </span>
      </td>
      <td className="right num">{formatReported(run.usage?.inputTokens)}</td>
      <td className="right num">{cached}</td>
      <td className="right num">{formatReported(run.usage?.outputTokens)}</td>
      <td className="right num">{formatCost(run.costMicroUsd)}</td>
    </tr>
  );
}
