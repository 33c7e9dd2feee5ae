// The runs of a conversation as rows: words, shares of the longest, filters, totals. Pure.
import type { RunSummary } from '../../shared/trace.ts';
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

export const RUN_FILTERS: readonly { id: RunFilter; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'problems', label: 'Has a problem' },
  { id: 'tools', label: 'Used tools' },
  { id: 'costly', label: 'Above average cost' },
];

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
export function runRows(runs: readonly RunSummary[], filter: RunFilter, search: string, now: number, connected = true): RunRow[] {
  const priced = runs.flatMap((run) => (run.costMicroUsd === null ? [] : [run.costMicroUsd]));
  const average = priced.length === 0 ? Number.POSITIVE_INFINITY : priced.reduce((sum, cost) => sum + cost, 0) / priced.length;
  const words = search.trim().toLocaleLowerCase();
  const shown = runs.filter((run) => {
    if (words !== '' && !run.question.toLocaleLowerCase().includes(words)) return false;
    if (filter === 'problems') return isProblem(run);
    if (filter === 'tools') return run.toolCalls > 0;
    if (filter === 'costly') return (run.costMicroUsd ?? 0) > average;
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
      words: run.endedAt === null ? (connected ? 'running' : 'connection lost, state unknown') : outcomeWords(run),
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
  const parts = [`${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`];
  if (problems > 0) parts.push(`${problems} with a problem`);
  if (priced.length > 0) parts.push(formatCost(priced.reduce((sum, cost) => sum + cost, 0)));
  return parts.join(', ');
}
