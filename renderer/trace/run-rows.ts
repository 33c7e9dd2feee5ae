// The runs of a conversation as rows: words, shares of the longest, filters, totals. Pure.
import type { RunSummary } from '../../shared/trace.ts';
import { words } from '../language/language.ts';
import { formatCost } from '../ui/format.ts';

export interface RunRow {
  run: RunSummary;
  /** null while it runs. */
  durationMs: number;
  /** Of the longest run shown, 0 to 1. */
  share: number;
  running: boolean;
  words: string;
  tone: 'ok' | 'warn' | 'bad' | 'accent' | 'quiet';
}

export type RunFilter = 'all' | 'problems' | 'tools' | 'costly';

export const RUN_FILTERS: readonly RunFilter[] = ['all', 'problems', 'tools', 'costly'];

/** What narrows the list beside the kind of run. */
export interface RunNarrowing {
  /** Micro-USD that a costly run is above; null: the average of those with a price. */
  costAbove: number | null;
  /** Turns whose runs used the tool that was asked for; null: any tool. */
  toolTurns: ReadonlySet<number> | null;
}

const NO_NARROWING: RunNarrowing = { costAbove: null, toolTurns: null };

function toneOf(run: RunSummary): RunRow['tone'] {
  if (run.state === 'running' || run.state === 'waiting-approval') return 'accent';
  if (run.state === 'failed') return 'bad';
  if (run.state === 'interrupted' || run.state === 'handed-off') return 'warn';
  if (run.state === 'stopped') return 'quiet';
  return run.outcome === 'answered' || run.outcome === null ? 'ok' : 'warn';
}

function isProblem(run: RunSummary): boolean {
  const tone = toneOf(run);
  return tone === 'bad' || tone === 'warn' || run.error !== null;
}

/** Runs newest first, filtered by kind and by words in their question. `connected`: false while nobody knows what a running one does. */
export function runRows(
  runs: readonly RunSummary[],
  filter: RunFilter,
  search: string,
  now: number,
  connected = true,
  narrowing: RunNarrowing = NO_NARROWING,
): RunRow[] {
  const priced = runs.flatMap((run) => (run.costMicroUsd === null ? [] : [run.costMicroUsd]));
  const average = priced.length === 0 ? Number.POSITIVE_INFINITY : priced.reduce((sum, cost) => sum + cost, 0) / priced.length;
  const wanted = search.trim().toLocaleLowerCase();
  const shown = runs.filter((run) => {
    if (wanted !== '' && !run.question.toLocaleLowerCase().includes(wanted)) return false;
    if (filter === 'problems') return isProblem(run);
    if (filter === 'tools') return run.toolCalls > 0 && (narrowing.toolTurns === null || narrowing.toolTurns.has(run.turn));
    if (filter === 'costly') return (run.costMicroUsd ?? 0) > (narrowing.costAbove ?? average);
    return true;
  });
  const durationOf = (run: RunSummary) => Math.max(0, (run.endedAt ?? now) - run.startedAt);
  const longest = Math.max(1, ...shown.map(durationOf));
  return shown
    .map((run) => ({
      run,
      durationMs: durationOf(run),
      share: durationOf(run) / longest,
      running: run.endedAt === null,
      words: run.endedAt === null ? (connected ? words().trace.page.running : words().trace.panel.lost) : outcomeWords(run),
      tone: toneOf(run),
    }))
    .toSorted((a, b) => b.run.startedAt - a.run.startedAt || b.run.turn - a.run.turn);
}

function outcomeWords(run: RunSummary): string {
  const word = (run.outcome ?? run.state).replaceAll('-', ' ');
  return run.error === null ? word : `${word}: ${run.error.message}`;
}

/** `17 runs, 2 with a problem, 1.92 ¢`; money only where some is known. */
export function runsInWords(runs: readonly RunSummary[]): string {
  const priced = runs.flatMap((run) => (run.costMicroUsd === null ? [] : [run.costMicroUsd]));
  const problems = runs.filter(isProblem).length;
  const text = words().trace.page;
  const parts = [text.totals(runs.length)];
  if (problems > 0) parts.push(text.problems(problems));
  if (priced.length > 0) parts.push(formatCost(priced.reduce((sum, cost) => sum + cost, 0)));
  return parts.join(', ');
}

/** Cents as a person writes them, in micro-USD; null for nothing, or what is no amount. */
export function centsToMicroUsd(text: string): number | null {
  const cents = text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  return Number.isFinite(cents) && cents >= 0 ? Math.round(cents * 10_000) : null;
}
