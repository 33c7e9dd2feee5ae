/** Runs the work a plan asked for through a summariser. Talks to its port only; every failure leaves the state as it was. */
import { toErrorInfo } from '../../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import { factSurvival, withLostFacts } from './fact-survival.ts';
import type { MemoryOutcome, SummaryWork } from './strategy.ts';
import { currentSummary, readSummaryState, type SummaryState, withVersion } from './summary-state.ts';

export interface SummaryRequest {
  /** The summary so far; "" at first. */
  previous: string;
  /** What is new, as `Customer: …` and `Nimbus: …` lines. Data, never instructions. */
  transcript: string;
  /** "" = that of the conversation. */
  language: string;
  /** What a person asked to keep in view; "" for nothing. */
  focus: string;
  /** `PROVIDER/MODEL`; "" = the answering model. */
  model: string;
}

export interface SummaryReply {
  text: string;
  /** False when the stream ended before the model did. */
  complete: boolean;
  /** `PROVIDER/MODEL` that wrote it. */
  model: string;
}

/** A cheap model that folds new turns into a summary. May reject with anything; must stop when the signal aborts. */
export interface Summariser {
  summarise(request: SummaryRequest, signal: AbortSignal): Promise<SummaryReply>;
}

export interface WorkOptions {
  clock: Clock;
  /** Milliseconds for each piece. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Reads the state again just before it is changed: another run may have been faster. */
  latestState?: () => Promise<unknown>;
}

export type WorkResult =
  /** A new version is in use; store the state and plan again. `distil` asks for memories of the summarised turns. */
  | { kind: 'summarised'; state: SummaryState; version: number; distil: boolean; added: string[] }
  /** Nothing changed: the previous summary stays, and everything after it is sent as it is. */
  | { kind: 'kept'; reason: string }
  | { kind: 'nothing' };

/** Error texts that some servers return as an answer. */
const ERROR_TEXT =
  /^\s*(?:\{\s*"error"|error\b|<!doctype|<html|internal server error|bad gateway|service unavailable|rate limit|i(?:'|’)?m sorry,? (?:but )?i can(?:no|'|’)t|sorry, i can(?:no|'|’)t)/i;

/** Does the work of an outcome. Never rejects. */
export async function runMemoryWork(outcome: MemoryOutcome, summariser: Summariser, options: WorkOptions): Promise<WorkResult> {
  const { work } = outcome;
  if (work === undefined) return { kind: 'nothing' };
  try {
    return await summariseWork(work, outcome.state, summariser, options);
  } catch (error) {
    return { kind: 'kept', reason: `summarising failed: ${toErrorInfo(error).message}` };
  }
}

async function summariseWork(work: SummaryWork, planned: unknown, summariser: Summariser, options: WorkOptions): Promise<WorkResult> {
  let text = work.previous;
  let model = work.model;
  const added: string[] = [];
  for (const transcript of work.pieces) {
    const request = { previous: text, transcript, language: work.language, focus: work.focus, model: work.model };
    const reply = await withTimeout((signal) => summariser.summarise(request, signal), options);
    const problem = replyProblem(reply, text, transcript);
    if (problem !== null) return { kind: 'kept', reason: problem };
    const report = factSurvival(`${text}\n${transcript}`, reply.text);
    if (report.invented.length > 0)
      return { kind: 'kept', reason: `the summary names what was never said: ${report.invented.slice(0, 5).join(', ')}` };
    added.push(...report.missing, ...report.promises);
    text = withLostFacts(reply.text, report);
    model = reply.model;
  }
  if (work.pieces.length === 0) return { kind: 'kept', reason: 'there is no text to summarise' };
  const state = readSummaryState(options.latestState === undefined ? planned : await options.latestState());
  // The conversation may have been summarised or rolled back meanwhile; what came since then must not be lost.
  if ((currentSummary(state)?.version ?? null) !== work.basedOn) return { kind: 'kept', reason: 'the summary was changed meanwhile' };
  const next = withVersion(state, { text, throughTurn: work.throughTurn, model, at: options.clock.now(), trust: work.trust });
  return { kind: 'summarised', state: next, version: next.current ?? 0, distil: work.distil, added };
}

function replyProblem(reply: SummaryReply, previous: string, transcript: string): string | null {
  if (reply.text.trim() === '') return 'the summariser answered nothing';
  if (!reply.complete) return 'the summary broke off';
  if (ERROR_TEXT.test(reply.text)) return 'the summariser answered with an error text';
  if (reply.text.length > previous.length + transcript.length) return 'the summary is longer than what it stands for';
  return null;
}

/** Rejects when the time is over or the signal aborts; aborts the work then and leaves no timer behind. */
async function withTimeout<T>(start: (signal: AbortSignal) => Promise<T>, options: WorkOptions): Promise<T> {
  const controller = new AbortController();
  options.signal?.throwIfAborted();
  let stop = (): void => {};
  const limit = new Promise<never>((_resolve, reject) => {
    const fail = (reason: string): void => {
      controller.abort();
      reject(new Error(reason));
    };
    const cancelTimer = options.clock.after(options.timeoutMs, () => fail(`no summary within ${options.timeoutMs} ms`));
    const onAbort = (): void => fail('stopped');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      cancelTimer();
      options.signal?.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([start(controller.signal), limit]);
  } finally {
    stop();
  }
}
