/** Pure: what the bench found, as Markdown. */
import type { Measures, MeasureName } from './measures.ts';
import { MEASURE_TITLES } from './measures.ts';
import type { BenchStore, StorageBenchOptions } from './options.ts';
import type { WaitingResult } from './waiting.ts';

/** How much slower the longest conversation's window may be than the short one's. */
export const WINDOW_LIMIT = 1.5;

export interface SizeResult {
  conversations: number;
  messages: number;
  /** Seconds. */
  fill: number;
  open: number;
  megabytes: number;
  measures: Measures;
  waiting: WaitingResult | null;
}

export interface StoreResult {
  store: BenchStore;
  base: SizeResult;
  full: SizeResult;
}

const NAMES = Object.keys(MEASURE_TITLES) as MeasureName[];

export function windowRatio(size: SizeResult): number {
  return size.measures['window-long'].median / size.measures['window-short'].median;
}

function ms(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function sizeWords(size: SizeResult): string {
  return `${count(size.conversations)} conversations, ${count(size.messages)} messages`;
}

/** The table of one store, and under it what has no place in it. */
export function storeMarkdown({ store, base, full }: StoreResult): string {
  const title = store === 'sqlite' ? 'SQLite' : 'MariaDB';
  const lines = [
    `### ${title}`,
    '',
    `| median (95th percentile), ms | ${sizeWords(base)} | ${sizeWords(full)} | growth |`,
    '|---|---|---|---|',
  ];
  for (const name of NAMES) {
    const [small, large] = [base.measures[name], full.measures[name]];
    const growth = `${(large.median / small.median).toFixed(2)}×`;
    lines.push(`| ${MEASURE_TITLES[name]} | ${ms(small.median)} (${ms(small.p95)}) | ${ms(large.median)} (${ms(large.p95)}) | ${growth} |`);
  }
  lines.push('', `Window of the longest conversation against the short one: ${windowRatio(full).toFixed(2)}× (limit ${WINDOW_LIMIT}×).`);
  lines.push(
    `Database: ${full.megabytes.toFixed(0)} MB, filled in ${full.fill.toFixed(0)} s, opened in ${full.open.toFixed(1)} s (${base.open.toFixed(1)} s at the smaller size).`,
  );
  for (const { waiting, conversations } of [base, full]) {
    if (waiting === null) continue;
    lines.push(
      `Beside ${count(conversations)} conversations: ${count(waiting.changes)} changes were Saved without MySQL at ${waiting.savedPerSecond.toFixed(0)} per second and Synced at ${waiting.syncedPerSecond.toFixed(0)} per second.`,
    );
  }
  return lines.join('\n');
}

export function markdown(options: StorageBenchOptions, machine: string, results: readonly StoreResult[]): string {
  const head = `Measured with \`npm run bench:storage -- --conversations=${options.conversations} --messages=${options.messages}\` on ${machine}.`;
  return [head, ...results.map(storeMarkdown)].join('\n\n');
}
