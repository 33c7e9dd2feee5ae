/** Pure: which changes wait for MySQL, by the lane they stand in. Mirrors the outbox, so that reads need not ask it. */

export interface WaitingChanges {
  add(lane: string, id: string, messageIds: readonly string[]): void;
  /** Synced, refused or given up. Returns its messages, and whether it was the last one of its lane. */
  settle(lane: string, id: string): { messageIds: string[]; isLast: boolean };
  /** Not counted any more: its lane is as MySQL has it. */
  done(id: string): void;
  /** Nothing is known of the lane any more. */
  clear(lane: string): void;
  has(lane: string): boolean;
  /** null: it is not known. */
  laneOf(id: string): string | null;
  lanes(): string[];
  isUnsynced(lane: string, messageId: string): boolean;
  count(): number;
}

export function createWaitingChanges(): WaitingChanges {
  const lanes = new Map<string, Map<string, readonly string[]>>();
  const laneById = new Map<string, string>();
  return {
    add: (lane, id, messageIds) => {
      const ids = lanes.get(lane) ?? new Map<string, readonly string[]>();
      ids.set(id, messageIds);
      laneById.set(id, lane);
      lanes.set(lane, ids);
    },
    settle: (lane, id) => {
      const ids = lanes.get(lane);
      const messageIds = [...(ids?.get(id) ?? [])];
      ids?.delete(id);
      return { messageIds, isLast: ids === undefined || ids.size === 0 };
    },
    done: (id) => {
      laneById.delete(id);
    },
    clear: (lane) => {
      if (lanes.get(lane)?.size === 0) lanes.delete(lane);
    },
    has: (lane) => lanes.has(lane),
    laneOf: (id) => laneById.get(id) ?? null,
    lanes: () => [...lanes.keys()],
    isUnsynced: (lane, messageId) => [...(lanes.get(lane)?.values() ?? [])].some((ids) => ids.includes(messageId)),
    count: () => laneById.size,
  };
}
