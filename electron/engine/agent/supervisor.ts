/** At most one run per conversation: accepts messages, starts, stops and retries runs, and starts follow-ups. All writes go through ports. */
import type {
  Conversation,
  QueuedMessage,
  StoredMessage,
  StoredTurn,
  TurnOutcome,
  TurnRecord,
  TurnState,
} from '../../../shared/conversation.ts';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { LanguageModel, Reader } from '../ports.ts';
import type { Privacy } from '../redaction/conversation-privacy.ts';
import { conversationPrivacy } from '../redaction/conversation-privacy.ts';
import type { SystemPrompt } from '../system-prompt.ts';
import type { RunInput } from './launch.ts';
import { createRunContext, runToEnding, writeEnding } from './launch.ts';
import { knownMessage } from './known-message.ts';
import { recoverTurn } from './recovery.ts';
import type { RunControl } from './run-control.ts';
import { createRunControl } from './run-control.ts';
import type { Ending, RunContext, RunDeps, RunScope } from './run-context.ts';
import { createSerial } from './serial.ts';

export interface SupervisorDeps extends RunDeps {
  /** Asked once per run. */
  answeringModel: () => Promise<LanguageModel>;
  /** Told of every turn that has ended and is stored, after its follow-up was started. Must not throw. */
  onTurnEnd: (end: { conversationId: string; turn: number; crossedBudget: boolean }) => void;
  /** Whose read marks a row of the list tells. */
  reader: () => Promise<Reader>;
  /** The system prompt under these settings. */
  promptFor: (settings: Settings) => Promise<SystemPrompt>;
  /** As they apply to the conversation. */
  readSettings: (conversation: Conversation) => Promise<Settings>;
}

export interface ActiveRun {
  scope: RunScope;
  control: RunControl;
  context: RunContext;
  /** Resolves when the turn has ended and any follow-up has started. Never rejects. */
  done: Promise<TurnState>;
}

interface Prelude {
  conversation: Conversation;
  settings: Settings;
  model: LanguageModel;
  privacy: Privacy;
  prompt: SystemPrompt;
}

interface Opened {
  record: TurnRecord;
  message: StoredMessage;
  /** The turn's messages after `message` that the run builds on. */
  kept?: readonly StoredMessage[];
}

const NOT_RETRIED: readonly TurnState[] = ['answered', 'handed-off', 'running', 'waiting-approval'];
/** Longest wait for runs to end when the console closes, in milliseconds. */
const SHUTDOWN_MS = 3000;

/** Text of the model that a stop, an error or a cut left unfinished. */
function isPartialAnswer(message: StoredMessage): boolean {
  const { role, state, origin } = message;
  return role === 'assistant' && origin === 'model' && (state === 'stopped' || state === 'interrupted');
}

function notFound(conversationId: string): ConsoleError {
  return new ConsoleError('not-found', `There is no conversation ${conversationId}; "conversations" lists them.`);
}

function recordOf(stored: StoredTurn): TurnRecord {
  const { conversationId, turn, state, outcome, runId, promptVersion, startedAt, endedAt, error, pinned } = stored;
  return { conversationId, turn, state, outcome, runId, promptVersion, startedAt, endedAt, error, pinned };
}

export class RunSupervisor {
  readonly #deps: SupervisorDeps;
  readonly #serial = createSerial();
  readonly #active = new Map<string, ActiveRun>();
  /** Conversations whose last turn could not be closed in the store. */
  readonly #unsettled = new Set<string>();
  readonly #deleting = new Set<string>();
  /** Conversations whose waiting messages stay waiting since a Stop, until the customer goes on. */
  readonly #paused = new Set<string>();
  /** Runs whose turn is not closed yet, or whose follow-up is not started yet. */
  readonly #working = new Set<Promise<TurnState>>();
  #closing = false;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
  }

  active(conversationId: string): ActiveRun | null {
    return this.#active.get(conversationId) ?? null;
  }

  /** Accepts a customer's message: saved when this resolves. Rejects with the store's ConsoleError; then nothing was saved. */
  send(conversationId: string, messageId: string, text: string): Promise<{ turn: number | null; runId: string | null; queued: boolean }> {
    return this.#serial.run(conversationId, async () => {
      this.#checkOpen(conversationId);
      // A new message goes on after a Stop: what waits is answered first, in order.
      this.#paused.delete(conversationId);
      await this.#settle(conversationId);
      const { store, clock, ids, emit } = this.#deps;
      // While a run is at work the message can only be queued; its own run will ask for what it needs.
      const prelude = this.#active.has(conversationId) ? null : await this.#prelude(conversationId);
      const accepted = await store.conversations.accept({
        conversationId,
        message: { id: messageId, role: 'user', content: text, origin: 'customer', trust: 'untrusted', at: clock.now() },
        runId: ids.uuid(),
        promptVersion: (prelude ?? this.#active.get(conversationId)?.context)?.prompt.version ?? '',
      });
      if (accepted.kind === 'known') return knownMessage(store.conversations, conversationId, accepted.turn, { id: messageId, text });
      await this.#dropSentDraft(conversationId, text);
      if (accepted.kind === 'started') {
        await this.#launch(accepted, prelude ?? (await this.#prelude(conversationId)));
        return { turn: accepted.record.turn, runId: accepted.record.runId, queued: false };
      }
      const run = this.#active.get(conversationId);
      if (run) run.context.messageWaits = true;
      emit({ type: 'queue-change', conversationId, queued: await this.#queued(conversationId) });
      await this.announce(conversationId);
      return { turn: null, runId: null, queued: true };
    });
  }

  /** Asks the newest turn's question anew. `busy` while a run is at work, `invalid-input` when there is nothing to retry. */
  retry(conversationId: string): Promise<{ turn: number; runId: string }> {
    return this.#serial.run(conversationId, async () => {
      this.#checkOpen(conversationId);
      await this.#settle(conversationId);
      await this.#checkFree(conversationId);
      if (this.#active.has(conversationId))
        throw new ConsoleError('busy', 'Nimbus is answering already; stop it first.', { retryable: true });
      const { store, clock, ids } = this.#deps;
      const [newest] = await store.conversations.readTurns(conversationId, { limit: 1 });
      const question = newest?.messages.find((message) => message.role === 'user');
      if (newest === undefined || question === undefined) throw new ConsoleError('invalid-input', 'There is no question to ask again.');
      if (NOT_RETRIED.includes(newest.state) && newest.outcome !== 'empty-answer')
        throw new ConsoleError('invalid-input', 'The newest turn was answered; write a new message instead.');
      const prelude = await this.#prelude(conversationId);
      const runId = ids.uuid();
      const start = { runId, promptVersion: prelude.prompt.version, at: clock.now() };
      const record = await store.conversations.reopenTurn(conversationId, newest.turn, start);
      await this.#launch({ record, message: question }, prelude);
      this.#paused.delete(conversationId);
      return { turn: newest.turn, runId };
    });
  }

  /**
   * Streams on from the partial text of the newest turn. The partial stays as it is, what our side said after it is superseded.
   * `busy` while a run is at work, `invalid-input` when no partial text of the model ends the turn.
   */
  goOn(conversationId: string): Promise<{ turn: number; runId: string }> {
    return this.#serial.run(conversationId, async () => {
      this.#checkOpen(conversationId);
      await this.#settle(conversationId);
      await this.#checkFree(conversationId);
      if (this.#active.has(conversationId))
        throw new ConsoleError('busy', 'Nimbus is answering already; stop it first.', { retryable: true });
      const { store, clock, ids } = this.#deps;
      const [newest] = await store.conversations.readTurns(conversationId, { limit: 1 });
      const [question, ...rest] = newest?.messages ?? [];
      const kept = rest.slice(0, rest.findLastIndex(isPartialAnswer) + 1);
      const partial = kept.at(-1);
      if (newest === undefined || question === undefined || partial === undefined || NOT_RETRIED.includes(newest.state))
        throw new ConsoleError('invalid-input', 'There is no partial answer to go on from; ask again instead.');
      const prelude = await this.#prelude(conversationId);
      const runId = ids.uuid();
      const start = { runId, promptVersion: prelude.prompt.version, at: clock.now(), keepThrough: partial.id };
      const record = await store.conversations.reopenTurn(conversationId, newest.turn, start);
      await this.#launch({ record, message: question, kept }, prelude);
      this.#paused.delete(conversationId);
      return { turn: newest.turn, runId };
    });
  }

  /**
   * Ends the run at work and waits until its turn is closed. Messages that wait stay waiting until the next send, retry or going on, or a
   * restart. False when no run was at work or it had just ended by itself.
   */
  async stop(conversationId: string): Promise<boolean> {
    const run = this.#active.get(conversationId);
    if (run === undefined) return false;
    this.#paused.add(conversationId);
    run.control.end('stopped');
    return (await run.done) === 'stopped';
  }

  /** Ends the run at work and does `work`; meanwhile nothing else is accepted for the conversation and no follow-up starts. */
  async withoutRun<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    this.#deleting.add(conversationId);
    try {
      // A run that was being started when the mark was set is seen by the second look, inside the queue.
      for (;;) {
        const run = this.#active.get(conversationId);
        run?.control.end('deleted');
        await run?.done;
        const result = await this.#serial.run(conversationId, async () =>
          this.#active.has(conversationId) ? null : { value: await work() },
        );
        if (result !== null) return result.value;
      }
    } finally {
      this.#deleting.delete(conversationId);
    }
  }

  /** Does `work` while no run is at work in the conversation and none can start. `busy` when one is. */
  whileQuiet<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    return this.#serial.run(conversationId, () => {
      this.#checkOpen(conversationId);
      if (this.#active.has(conversationId)) throw new ConsoleError('busy', 'Nimbus is answering; stop it first.', { retryable: true });
      return work();
    });
  }

  /** Closes what a crash left open in this conversation and starts what waits. Rejects with the store's ConsoleError. */
  recover(conversationId: string): Promise<void> {
    return this.#serial.run(conversationId, () => this.#settle(conversationId));
  }

  /** True when the end of the newest turn is not in the store yet. */
  isUnsettled(conversationId: string): boolean {
    return this.#unsettled.has(conversationId);
  }

  /** All conversations with open turns or waiting messages; a failure in one does not keep the others from it. */
  async recoverAll(): Promise<void> {
    const { store, logger } = this.#deps;
    const open = await store.conversations.listOpenTurns();
    const waiting = await store.conversations.listQueuedConversations();
    for (const conversationId of new Set([...open.map((record) => record.conversationId), ...waiting])) {
      try {
        await this.recover(conversationId);
      } catch (error) {
        logger.error('a conversation could not be recovered', { conversationId, error: String(error) });
      }
    }
  }

  /** Ends all runs as interrupted; resolves when their turns are closed, after 3 s at the latest. Accepts nothing afterwards. */
  async shutdown(): Promise<void> {
    this.#closing = true;
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(SHUTDOWN_MS, resolve);
      void this.#endAll().then(() => {
        cancel();
        resolve();
      });
    });
  }

  /** Also what is being started or finished just now is waited for: nothing may reach for a store that is closed. */
  async #endAll(): Promise<void> {
    do {
      for (const run of this.#active.values()) run.control.end('shutdown');
      await Promise.all([...this.#working, this.#serial.idle()]);
    } while (this.#working.size > 0);
  }

  /** Writes all gathered traces, so that a reader sees runs that are still at work. */
  async flushTraces(): Promise<void> {
    await Promise.all([...this.#active.values()].map((run) => run.context.recorder.flush()));
  }

  /** Tells listeners how the conversation's row looks now. Never rejects. */
  async announce(conversationId: string): Promise<void> {
    const { store, emit, logger } = this.#deps;
    try {
      const conversation = await store.conversations.summary(conversationId, await this.#deps.reader());
      if (conversation !== null) emit({ type: 'conversation-change', conversation });
    } catch (error) {
      logger.warn('a conversation could not be announced', { conversationId, error: String(error) });
    }
  }

  #checkOpen(conversationId: string): void {
    if (this.#deleting.has(conversationId)) throw notFound(conversationId);
    if (this.#closing) throw new ConsoleError('cancelled', 'The console is closing; send the message again after the next start.');
  }

  #queued(conversationId: string): Promise<QueuedMessage[]> {
    return this.#deps.store.conversations.listQueued(conversationId);
  }

  /** A draft equal to what was just saved is not typed text any more. Its failure changes nothing. */
  async #dropSentDraft(conversationId: string, text: string): Promise<void> {
    const { store, clock, logger } = this.#deps;
    try {
      const draft = await store.conversations.readDraft(conversationId);
      if (draft !== '' && draft.trim() === text.trim()) await store.conversations.saveDraft(conversationId, '', clock.now());
    } catch (error) {
      logger.warn('a sent draft could not be cleared', { conversationId, error: String(error) });
    }
  }

  /** Recovery before a request: an open turn without a run here is closed, then the oldest waiting message starts. */
  async #settle(conversationId: string): Promise<void> {
    if (this.#active.has(conversationId)) return;
    const { store } = this.#deps;
    const summary = await store.conversations.summary(conversationId);
    if (summary === null) throw notFound(conversationId);
    // Another console answers: its turn is not ours to close, and it starts what waits.
    if (summary.turnState === 'running' && (await this.#holder(conversationId)) !== null) return;
    if (summary.turnState === 'running') {
      const open = await store.conversations.readTurn(conversationId, summary.turnCount);
      if (open !== null) await recoverTurn(this.#deps, open);
      await this.announce(conversationId);
    }
    this.#unsettled.delete(conversationId);
    await this.#startQueued(conversationId);
  }

  async #holder(conversationId: string): Promise<string | null> {
    return (await this.#deps.store.changes?.holder(conversationId)) ?? null;
  }

  /** For what needs a turn of its own here and now. */
  async #checkFree(conversationId: string): Promise<void> {
    const holder = await this.#holder(conversationId);
    if (holder === null) return;
    throw new ConsoleError('busy', `${holder} is answering this conversation; write a message, it is answered next.`, { retryable: true });
  }

  async #startQueued(conversationId: string): Promise<void> {
    if (this.#closing || this.#deleting.has(conversationId) || this.#paused.has(conversationId)) return;
    const { store, ids, emit } = this.#deps;
    if ((await this.#queued(conversationId)).length === 0) return;
    const prelude = await this.#prelude(conversationId);
    const next = await store.conversations.startQueued(conversationId, { runId: ids.uuid(), promptVersion: prelude.prompt.version });
    if (next === null) return;
    const queued = await this.#queued(conversationId);
    emit({ type: 'queue-change', conversationId, queued });
    await this.#launch(next, prelude, queued.length > 0);
  }

  /** All that a run needs to read, read before its turn is opened: afterwards nothing may fail unseen. */
  async #prelude(conversationId: string): Promise<Prelude> {
    const conversation = await this.#deps.store.conversations.get(conversationId);
    if (conversation === null) throw notFound(conversationId);
    const settings = await this.#deps.readSettings(conversation);
    const privacy = await conversationPrivacy(this.#deps, conversation, settings);
    const prompt = await this.#deps.promptFor(settings);
    return { conversation, settings, privacy, prompt, model: await this.#deps.answeringModel() };
  }

  /** Begins the run of a turn the store has opened. */
  async #launch(opened: Opened, prelude: Prelude, messageWaits = false): Promise<void> {
    const { record, message } = opened;
    const { conversationId, turn } = record;
    const scope: RunScope = { conversationId, turn, runId: record.runId ?? '' };
    this.#deps.emit({ type: 'turn-start', ...scope, record, message });
    const control = createRunControl();
    const input: RunInput = { scope, ...prelude, question: message, control, ...(opened.kept && { kept: opened.kept }) };
    const context = createRunContext(this.#deps, input);
    context.messageWaits = messageWaits;
    const done = this.#work(context, input, record);
    this.#working.add(done);
    void done.then(() => this.#working.delete(done));
    this.#active.set(conversationId, { scope, control, context, done });
    await this.announce(conversationId);
  }

  async #work(run: RunContext, input: RunInput, record: TurnRecord): Promise<TurnState> {
    const ending = await runToEnding(run, input);
    try {
      return await this.#serial.run(run.scope.conversationId, () => this.#finish(run, record, ending));
    } catch (error) {
      this.#deps.logger.error('a run could not be finished', { ...run.scope, error: String(error) });
      return 'failed';
    }
  }

  async #finish(run: RunContext, record: TurnRecord, ending: Ending): Promise<TurnState> {
    const { conversationId, runId } = run.scope;
    const { emit } = this.#deps;
    const state = ending.kind === 'end' ? await this.#close(run, record, ending) : await this.#lose(run, ending.error);
    if (this.#active.get(conversationId)?.scope.runId === runId) this.#active.delete(conversationId);
    await this.announce(conversationId);
    try {
      await this.#startQueued(conversationId);
    } catch (error) {
      this.#deps.logger.error('a waiting message could not be started', { conversationId, error: String(error) });
      emit({
        type: 'notice',
        level: 'error',
        message: `A waiting message could not be answered: ${toErrorInfo(error).message}`,
        conversationId,
      });
    }
    if (ending.kind === 'end' && !this.#closing && !this.#deleting.has(conversationId))
      this.#deps.onTurnEnd({ conversationId, turn: run.scope.turn, crossedBudget: run.crossedBudget });
    return state;
  }

  async #close(run: RunContext, record: TurnRecord, ending: Extract<Ending, { kind: 'end' }>): Promise<TurnState> {
    const { scope } = run;
    const { emit } = this.#deps;
    const written = await writeEnding(run, record, ending);
    for (const message of written.messages) emit({ type: 'message-add', ...scope, message });
    if (written.open) {
      this.#unsettled.add(scope.conversationId);
      const message = `The answer could not be saved: ${written.record.error?.message ?? 'the store failed'}`;
      emit({ type: 'notice', level: 'error', message, conversationId: scope.conversationId });
    }
    await this.#announceEnd(run, written.record, written.record.state, written.record.outcome ?? ending.outcome);
    return written.record.state;
  }

  /** The turn belongs to another run now: nothing is written, and whoever watches this run learns that it is over. */
  async #lose(run: RunContext, error: ReturnType<typeof toErrorInfo>): Promise<TurnState> {
    const { scope, recorder } = run;
    this.#deps.emit({ type: 'notice', level: 'warning', message: error.message, conversationId: scope.conversationId });
    const stored = await this.#deps.store.conversations.readTurn(scope.conversationId, scope.turn).catch(() => null);
    if (stored === null || stored.runId !== scope.runId) {
      await recorder.close({ state: 'failed', outcome: 'api-error', error });
      return 'failed';
    }
    const record = recordOf(stored);
    await this.#announceEnd(run, record, record.state, record.outcome ?? 'api-error');
    return record.state;
  }

  async #announceEnd(run: RunContext, record: TurnRecord, state: TurnState, outcome: TurnOutcome): Promise<void> {
    run.recorder.event('turn-end', null, {
      state,
      outcome,
      ms: run.recorder.elapsed(),
      costForecast: run.costForecast,
      costMicroUsd: run.recorder.cost(),
    });
    await run.recorder.close({ state, outcome, error: record.error });
    this.#deps.emit({ type: 'turn-end', ...run.scope, state, outcome, record });
  }
}
