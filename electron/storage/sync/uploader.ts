/** Does I/O through what it is given: sends waiting operations to the shared database, in order within each conversation. */
import type { ApplyOutcome, Operation, OutboxEntry } from './operation.ts';

/** What the uploader needs of an outbox. */
export interface UploadOutbox {
  ready(now: number, limit: number): Promise<OutboxEntry[]>;
  acknowledge(id: string, result: string): Promise<void>;
  reject(id: string, reason: string): Promise<void>;
  park(id: string, reason: string, errno: number | null): Promise<void>;
  postpone(id: string, nextTryAt: number, reason: string, errno: number | null): Promise<void>;
}

export interface UploaderDeps {
  outbox: UploadOutbox;
  /** Never throws; sending twice must do it once. */
  apply: (operation: Operation) => Promise<ApplyOutcome>;
  /** A small question to the server: tells a server that is away from an operation that breaks the connection. */
  isReachable: () => Promise<boolean>;
  /** UTC milliseconds. */
  now: () => number;
  /** From 0 up to 1, spreads the retries of many consoles. */
  random: () => number;
}

export interface UploadReport {
  applied: number;
  rejected: number;
  parked: number;
  /** True when the server was away: the rest waits. */
  isOffline: boolean;
}

const BATCH = 100;
/** Waits after the first, second … failed try, in milliseconds; the last one repeats. */
const WAITS_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** An operation that breaks a good connection so often is suspected to be too large. */
const MOST_DROPS = 3;

export interface Uploader {
  /** Sends what may be sent now. One call at a time: a second one joins the first. */
  run(): Promise<UploadReport>;
}

export function createUploader(deps: UploaderDeps): Uploader {
  /** Broken connections by operation, while the server answered otherwise. */
  const drops = new Map<string, number>();
  let running: Promise<UploadReport> | null = null;
  return {
    run: () => {
      running ??= upload(deps, drops).finally(() => {
        running = null;
      });
      return running;
    },
  };
}

async function upload(deps: UploaderDeps, drops: Map<string, number>): Promise<UploadReport> {
  const report: UploadReport = { applied: 0, rejected: 0, parked: 0, isOffline: false };
  for (;;) {
    // The head of each conversation only: its next operation is ready when this one is done.
    const entries = await deps.outbox.ready(deps.now(), BATCH);
    if (entries.length === 0) return report;
    for (const entry of entries) {
      const outcome = await deps.apply(entry);
      if (!(await settle(deps, drops, entry, outcome, report))) return { ...report, isOffline: true };
    }
  }
}

/** False when the server is away. */
async function settle(
  deps: UploaderDeps,
  drops: Map<string, number>,
  entry: OutboxEntry,
  outcome: ApplyOutcome,
  report: UploadReport,
): Promise<boolean> {
  switch (outcome.kind) {
    case 'applied':
      await deps.outbox.acknowledge(entry.id, outcome.result);
      drops.delete(entry.id);
      report.applied += 1;
      return true;
    case 'rejected':
      await deps.outbox.reject(entry.id, outcome.error.message);
      report.rejected += 1;
      return true;
    case 'park':
      await deps.outbox.park(entry.id, outcome.reason, outcome.errno);
      report.parked += 1;
      return true;
    case 'later':
      return later(deps, drops, entry, outcome, report);
  }
}

async function later(
  deps: UploaderDeps,
  drops: Map<string, number>,
  entry: OutboxEntry,
  outcome: Extract<ApplyOutcome, { kind: 'later' }>,
  report: UploadReport,
): Promise<boolean> {
  const isReachable = await deps.isReachable();
  if (isReachable && outcome.errno === null) {
    const count = (drops.get(entry.id) ?? 0) + 1;
    drops.set(entry.id, count);
    if (count >= MOST_DROPS) {
      drops.delete(entry.id);
      await deps.outbox.park(entry.id, `The server closed the connection ${count} times at this change; it may be too large.`, null);
      report.parked += 1;
      return true;
    }
  }
  await deps.outbox.postpone(entry.id, deps.now() + waitMs(entry.attempts, deps.random()), outcome.error.message, outcome.errno);
  return isReachable;
}

/** Half of the wait is by chance. */
function waitMs(attempts: number, random: number): number {
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length - 1)] ?? 0;
  return Math.round(wait / 2 + (wait / 2) * random);
}
