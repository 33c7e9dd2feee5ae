/** Port of branches: what an edited or regenerated turn replaced, kept whole. Reached through ports.ts. */
import type { NewMessage, StoredMessage, StoredTurn, TurnRecord } from '../../shared/conversation.ts';

/** Turns from `turn` on that are not on the active line. */
export interface Branch {
  id: string;
  conversationId: string;
  /** The branch it lies in; null: it leaves the active line. */
  parent: string | null;
  turn: number;
  /** Place among the siblings of its turn, from 1; the active one has the number that is missing. */
  ordinal: number;
  createdAt: number;
}

/** What the caller saw: compared before anything is written. */
export interface LineMark {
  turnCount: number;
  /** Of the newest turn. */
  runId: string | null;
}

export interface BranchEdit {
  conversationId: string;
  turn: number;
  seen: LineMark;
  /** Id for what leaves the active line. */
  branchId: string;
  /** role `user`; its id stands nowhere in the conversation yet. */
  message: NewMessage;
  runId: string;
  promptVersion: string;
}

export interface BranchSwitch {
  conversationId: string;
  /** Must leave the active line. */
  branchId: string;
  seen: LineMark;
  /** Id for what leaves the active line. */
  stashId: string;
  at: number;
}

/**
 * Every method that writes rejects with `busy` while a turn is at work or when the line is not as it was seen, and with `not-found` without
 * the conversation, the turn or the branch. Nothing that was stored is deleted; states that strategies keep are, since they may hold texts of
 * the turns that left.
 */
export interface BranchStore {
  /** Oldest first. */
  list(conversationId: string): Promise<Branch[]>;
  /** Turns of a branch, oldest first; empty without it. */
  readTurns(conversationId: string, branchId: string): Promise<StoredTurn[]>;
  /** The turns from `turn` on become a branch and a new turn begins in their place. `known`: the message id is stored; nothing was written. */
  edit(edit: BranchEdit): Promise<{ kind: 'started'; record: TurnRecord; message: StoredMessage } | { kind: 'known'; turn: number }>;
  /** The branch becomes the active line from its turn on, and what was there a branch. */
  switchTo(target: BranchSwitch): Promise<void>;
}
