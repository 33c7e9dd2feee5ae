/** Pure data: what the list of conversations may be narrowed to, and the short form of a conversation's turns. */
import type { StrategyName, TurnState } from './conversation.ts';

/** `needs-human`: handed off, or waiting for an approval. `failed`: also interrupted. */
export type ListState = 'needs-human' | 'failed' | 'running';

/** Every given condition must hold. */
export interface ListFilter {
  state?: ListState;
  unread?: boolean;
  /** With at least one ticket. */
  ticket?: boolean;
  /** Last changed at or after; UTC milliseconds. */
  since?: number;
  /** Last changed before; UTC milliseconds. */
  until?: number;
  tenant?: string;
  /** The conversation's own choice; null: the default of the settings. */
  strategy?: StrategyName | null;
}

/** A turn without its texts. */
export interface TurnMark {
  turn: number;
  /** UTC milliseconds. */
  at: number;
  state: TurnState;
}

/** Turn states that each choice of the filter stands for. */
export const FILTERED_STATES: Readonly<Record<ListState, readonly TurnState[]>> = {
  'needs-human': ['handed-off', 'waiting-approval'],
  failed: ['failed', 'interrupted'],
  running: ['running'],
};
