/** Pure data: conversations, turns and messages. */
import type { Reference } from './ids.ts';
import type { ToolCall } from './tool.ts';
import type { ErrorInfo } from './errors.ts';
import type { Settings } from './settings.ts';

export type Role = 'user' | 'assistant' | 'tool';

/** Where a message came from: `customer`, `human` (a signed-in agent), `model`, `system`, `import`, `tool:NAME`, `article:ID`. */
export type Origin = string;

/** Text from outside is untrusted; a derived text inherits the lowest trust of its sources. */
export type Trust = 'trusted' | 'untrusted';

/** Marks on a message that is not an ordinary one; printed as `state` in JSON. */
export type MessageState =
  | 'failed' // apology after a failure of the model
  | 'step-limit' // canned answer, the step limit was reached
  | 'time-limit' // canned answer, the wall clock ran out
  | 'budget' // canned answer, a cost cap was reached
  | 'blocked' // our notice: the provider withheld the answer
  | 'empty' // canned request to rephrase: the model answered nothing
  | 'stopped' // partial text, stopped by a person
  | 'interrupted' // partial text, the process died or the stream broke
  | 'synthetic'; // tool result made by us for a call that never finished

/** Canned answers are ours, not the model's; no strategy may take them as facts ([MEM-7]). */
export const CANNED_STATES: readonly MessageState[] = ['failed', 'step-limit', 'time-limit', 'budget', 'blocked', 'empty'];

/** The provider's own message, kept verbatim so that it can be returned exactly. */
export interface ProviderRaw {
  provider: string;
  model: string;
  /** JSON text as received or as the adapter must send it again; never parsed and re-serialised by storage. */
  body: string;
}

/** A message in the neutral format: what memory, adapters and storage all speak. */
export interface NeutralMessage {
  role: Role;
  /** `""` where there is no text (an assistant message that only calls tools). */
  content: string;
  /** Assistant only. */
  toolCalls?: ToolCall[];
  /** Tool only: the call this answers. */
  toolCallId?: string;
  /** Tool only: the tool's name. */
  toolName?: string;
  providerRaw?: ProviderRaw;
  state?: MessageState;
}

export interface NewMessage extends NeutralMessage {
  /** Made by whoever creates the message; a repeated id is the same message. */
  id: string;
  origin: Origin;
  trust: Trust;
  /** UTC milliseconds. */
  at: number;
}

export interface StoredMessage extends NewMessage {
  conversationId: string;
  /** From 1; 0 only for what an import brings before its first user message. */
  turn: number;
  /** Position in the conversation, from 1, without gaps inside one store. */
  seq: number;
  /** Length of the message as PHP's json_encode would write it ([MEM-6]: stored at save time). */
  phpChars: number;
  /** Present while the message is Saved here and not yet Synced. */
  unsynced?: true;
}

/** A turn is a persisted state machine. */
export type TurnState = 'running' | 'waiting-approval' | 'answered' | 'handed-off' | 'stopped' | 'interrupted' | 'failed';

/** Why a turn ended as it did. */
export type TurnOutcome =
  | 'answered'
  | 'empty-answer'
  | 'step-limit'
  | 'time-limit'
  | 'budget'
  | 'api-error'
  | 'handed-off'
  | 'stopped'
  | 'interrupted';

export interface TurnRecord {
  conversationId: string;
  turn: number;
  state: TurnState;
  outcome: TurnOutcome | null;
  /** The run that works or worked on it last; null for imported turns. */
  runId: string | null;
  promptVersion: string | null;
  startedAt: number;
  endedAt: number | null;
  error: ErrorInfo | null;
  pinned: boolean;
  /** When a person had the turn forgotten; its texts are gone. Absent: it was not. UTC milliseconds. */
  forgottenAt?: number;
  /** Older turns that the archive gave to this turn's requests, in order; absent: none. */
  recalledTurns?: number[];
}

export interface StoredTurn extends TurnRecord {
  messages: StoredMessage[];
}

/** A customer's message that arrived while a run was at work. */
export interface QueuedMessage {
  id: string;
  conversationId: string;
  text: string;
  at: number;
}

export type StrategyName = 'recent-turns' | 'summary' | 'stable';

export interface Conversation {
  id: string;
  /** Who pays. */
  tenant: string;
  /** Who speaks; null = an autonomous run without personal memories. */
  actor: Reference | null;
  /** The frame of the conversation, if there is one. */
  subject: Reference | null;
  /** The shop customer whose records the tools may see; null: none. */
  customerId: string | null;
  /** First customer message, shortened; "" while there is none. */
  title: string;
  /** null: the default of the settings. */
  strategy: StrategyName | null;
  /** Settings of this conversation alone; absent: none. */
  settings?: Partial<Settings>;
  /** `false`: personal data is sent as it is, even where `privacy.redact` is on. */
  redact?: boolean;
  /** Set while Nimbus has asked for a human. */
  handoffReason: string | null;
  createdAt: number;
  updatedAt: number;
  turnCount: number;
  messageCount: number;
}

/** One row of the conversation list. */
export interface ConversationSummary extends Conversation {
  customerName: string | null;
  /** Last message with text, shortened. */
  lastText: string;
  lastRole: Role | null;
  /** State of the newest turn; null while there is none. */
  turnState: TurnState | null;
  /** Turns that the person at this console has not read; absent where nobody asked for it. */
  unreadTurns?: number;
}
