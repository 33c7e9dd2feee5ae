/** Pure: named places at which a test may end the process or make a step fail. */

export type FaultPoint =
  /** Nothing is on the disk yet. */
  | 'before-saved'
  /** The outbox has it; MySQL was not asked. */
  | 'saved'
  /** MySQL has committed; the outbox does not know. */
  | 'applied'
  /** The outbox knows too. */
  | 'acknowledged'
  /** In the transaction on MySQL, before its COMMIT. */
  | 'before-commit'
  /** MySQL has committed; its answer is on the way. */
  | 'committed';

/** Called at each point; may throw, wait for ever or end the process. */
export interface FaultPoints {
  reach(point: FaultPoint, kind: string): void | Promise<void>;
}

export const NO_FAULTS: FaultPoints = { reach: () => undefined };
