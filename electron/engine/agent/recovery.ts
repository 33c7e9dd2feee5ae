/** Closes turns that a crash left open: additive only, so that history reads question → answer and every call has its result. */
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import type { TurnRecord } from '../../../shared/conversation.ts';
import type { Clock, IdSource, Logger, Store } from '../ports.ts';
import { recoveredResults } from './action-guard.ts';
import { partialMessage } from './turn-messages.ts';

export interface RecoveryDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  emit: (event: ConsoleEvent) => void;
}

/**
 * Ends one open turn as `interrupted`: first a result for every call without one, then the partial text.
 * One write, so it may be repeated after another crash. Turns that wait for an approval are left alone.
 * Rejects with the store's ConsoleError.
 */
export async function recoverTurn(deps: RecoveryDeps, open: TurnRecord): Promise<void> {
  const { conversations } = deps.store;
  if (open.state !== 'running') return;
  const { conversationId, turn } = open;
  const runId = open.runId ?? '';
  const stored = await conversations.readTurn(conversationId, turn);
  const text = await conversations.readStreamedText(conversationId, turn);
  const stamp = () => ({ id: deps.ids.uuid(), at: deps.clock.now() });
  const closing = [
    ...(await recoveredResults(deps.store, stamp, conversationId, stored?.messages ?? [])),
    partialMessage(stamp, 'interrupted', text.toWellFormed(), 'untrusted'),
  ];
  const ended = await conversations.endTurn(conversationId, turn, runId, {
    state: 'interrupted',
    outcome: 'interrupted',
    error: null,
    at: deps.clock.now(),
    messages: closing,
  });
  const scope = { conversationId, turn, runId };
  for (const message of ended.messages) deps.emit({ type: 'message-add', ...scope, message });
  deps.emit({ type: 'turn-end', ...scope, state: 'interrupted', outcome: 'interrupted', record: ended.record });
  await closeTrace(deps, runId);
}

/** The trace of a run that died says so. Its failure changes nothing. */
async function closeTrace(deps: RecoveryDeps, runId: string): Promise<void> {
  const { traces } = deps.store;
  try {
    const run = await traces.readRun(runId);
    if (run === null || run.endedAt !== null) return;
    const endedAt = deps.clock.now();
    const spans = (await traces.readSpans(runId)).filter((span) => span.endedAt === null);
    const events = await traces.readEvents(runId);
    const seq = Math.max(0, ...events.map((event) => event.seq)) + 1;
    await traces.saveRun({ ...run, endedAt, state: 'interrupted', outcome: 'interrupted' });
    await traces.save({
      spans: spans.map((span) => ({ ...span, endedAt, status: 'cancelled', note: 'interrupted' })),
      events: [{ runId, seq, type: 'turn-end', at: endedAt, ms: endedAt - run.startedAt, step: null, data: { state: 'interrupted' } }],
      details: [],
    });
  } catch (error) {
    deps.logger.warn('the trace of an interrupted run could not be closed', { runId, error: String(error) });
  }
}
