/** Pure: what one run knows, and how it can end. */
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import type { NewMessage, TurnOutcome, TurnState, Trust } from '../../../shared/conversation.ts';
import type { RetryPause } from '../../../shared/trace.ts';
import type { ErrorInfo } from '../../../shared/errors.ts';
import type { CostForecast } from '../../../shared/models.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { RecallIndexes } from '../archive/recall-indexes.ts';
import type { RequestArchive } from '../archive/request-archive.ts';
import type { Ledger } from '../money/ledger.ts';
import type { Clock, IdSource, LanguageModel, Logger, PriceList, Store, TokenEstimator } from '../ports.ts';
import type { Privacy } from '../redaction/conversation-privacy.ts';
import type { SystemPrompt } from '../system-prompt.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { TraceRecorder } from '../trace/recorder.ts';
import type { RunControl } from './run-control.ts';
import type { Stamp } from './turn-messages.ts';

export interface RunDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  estimator: TokenEstimator;
  logger: Logger;
  tools: ToolRegistry;
  ledger: Ledger;
  prices: PriceList;
  archive: RequestArchive;
  recall: RecallIndexes;
  emit: (event: ConsoleEvent) => void;
}

export interface RunScope {
  conversationId: string;
  turn: number;
  runId: string;
}

/** One execution of the loop for a turn. */
export interface RunContext {
  readonly deps: RunDeps;
  readonly scope: RunScope;
  readonly control: RunControl;
  readonly recorder: TraceRecorder;
  /** Guarded by `privacy`. */
  readonly model: LanguageModel;
  readonly privacy: Privacy;
  /** The version that its turn records. */
  readonly prompt: SystemPrompt;
  /** Who pays. */
  readonly tenant: string;
  readonly settings: Settings;
  readonly customerId: string | null;
  readonly stamp: Stamp;
  /** All messages of the turn so far, the customer's first. */
  readonly messages: NewMessage[];
  /** Those of `messages` that no write has confirmed yet; they go with the next one. */
  unsaved: NewMessage[];
  /** Text of the step at work, for a window that opens now; a function, so that a delta costs no copy of all before it. */
  streaming: { step: number; text: () => string };
  /** The pause before the model is asked once more; null: it was heard from since. */
  retry: RetryPause | null;
  /** True once another message of the customer waits. */
  messageWaits: boolean;
  /** The lowest trust of the history that is sent; what the model makes of it is worth no more. */
  contextTrust: Trust;
  /** Something of the history was not sent in full. */
  crossedBudget: boolean;
  /** Older turns that the archive gave to this run's requests. */
  readonly recalledTurns: Set<number>;
  /** Set when a tool asked for a human. */
  handedOff: boolean;
  /** The partial message this run goes on from; null: it answers the question from the start. */
  readonly goesOnFrom: string | null;
  /** Notices of the model that people were told in this run. */
  readonly told: Set<string>;
  /** What the run was expected to cost before its first step; null: no price known. */
  costForecast: CostForecast | null;
  /** True once a person was warned of a cap in this run. */
  warnedOfCap: boolean;
}

/** How a run ends. `messages` close the turn; `lost`: the turn is no longer this run's, nothing may be written. */
export type Ending =
  | { kind: 'end'; state: TurnState; outcome: TurnOutcome; error: ErrorInfo | null; messages: NewMessage[] }
  | { kind: 'lost'; error: ErrorInfo };
