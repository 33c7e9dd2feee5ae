/** Pure (state in memory): branches. */
import type { BranchEdit, BranchStore, BranchSwitch, LineMark } from '../../engine/ports.ts';
import { cleaned, compareText } from '../clean.ts';
import { branchMissing, lineMoved, turnMissing } from '../failures.ts';
import { recordOf, touch } from './memory-conversations.ts';
import { beginTurn, workingTurn } from './memory-turns.ts';
import type { ConversationRecord, MemoryTables } from './records.ts';

export function memoryBranches(tables: MemoryTables): BranchStore {
  return {
    list: async (id) => {
      const branches = (tables.conversations.get(id)?.branches ?? []).map((each) => each.branch);
      branches.sort(
        (left, right) =>
          left.turn - right.turn || left.ordinal - right.ordinal || left.createdAt - right.createdAt || compareText(left.id, right.id),
      );
      return structuredClone(branches);
    },
    readTurns: async (id, branchId) => {
      const found = tables.conversations.get(id)?.branches.find((each) => each.branch.id === branchId);
      const turns = found?.turns ?? [];
      return structuredClone(
        turns.map((turn) => ({ ...turn, messages: (found?.messages ?? []).filter((message) => message.turn === turn.turn) })),
      );
    },
    edit: async (edit) => structuredClone(editTurn(recordOf(tables, edit.conversationId), edit)),
    switchTo: async (target) => switchTo(recordOf(tables, target.conversationId), target),
  };
}

function checkLine(record: ConversationRecord, seen: LineMark): void {
  const { turnCount } = record.conversation;
  const runId = record.turns.get(turnCount)?.runId ?? null;
  if (workingTurn(record) !== null || turnCount !== seen.turnCount || runId !== seen.runId) throw lineMoved();
}

function editTurn(record: ConversationRecord, edit: BranchEdit): Awaited<ReturnType<BranchStore['edit']>> {
  const message = cleaned(edit.message);
  const all = [...record.messages, ...record.branches.flatMap((each) => each.messages)];
  const known = all.find((other) => other.id === message.id);
  if (known !== undefined) return { kind: 'known', turn: known.turn };
  checkLine(record, edit.seen);
  stash(record, { turn: edit.turn, branchId: edit.branchId, at: message.at });
  return { kind: 'started', ...beginTurn(record, message, edit) };
}

function switchTo(record: ConversationRecord, { branchId, stashId, seen, at }: BranchSwitch): void {
  checkLine(record, seen);
  const target = record.branches.find((each) => each.branch.id === branchId && each.branch.parent === null);
  if (target === undefined) throw branchMissing(branchId);
  stash(record, { turn: target.branch.turn, branchId: stashId, at });
  for (const turn of target.turns) record.turns.set(turn.turn, turn);
  record.messages.push(...target.messages);
  record.branches = record.branches.filter((each) => each !== target);
  for (const { branch } of record.branches) if (branch.parent === branchId) branch.parent = null;
  record.distilledTurn = target.distilledTurn;
  recount(record, at);
}

/** The tail from a turn on leaves the active line, with the branches that leave it there. */
function stash(record: ConversationRecord, { turn, branchId, at }: { turn: number; branchId: string; at: number }): void {
  if (!record.turns.has(turn)) throw turnMissing(turn);
  const { id: conversationId } = record.conversation;
  const active = record.branches.filter(({ branch }) => branch.parent === null);
  const taken = new Set(active.filter(({ branch }) => branch.turn === turn).map(({ branch }) => branch.ordinal));
  let ordinal = 1;
  while (taken.has(ordinal)) ordinal += 1;
  for (const { branch } of active) if (branch.turn > turn) branch.parent = branchId;
  const turns = [...record.turns.values()].filter((each) => each.turn >= turn).sort((left, right) => left.turn - right.turn);
  record.branches.push({
    branch: { id: branchId, conversationId, parent: null, turn, ordinal, createdAt: at },
    distilledTurn: record.distilledTurn,
    turns,
    messages: record.messages.filter((message) => message.turn >= turn),
  });
  for (const each of turns) record.turns.delete(each.turn);
  record.messages = record.messages.filter((message) => message.turn < turn);
  record.streamed = null;
  // They may hold texts of the turns that left; placeholders stand for the same data on every line.
  for (const strategy of record.memoryStates.keys()) if (strategy !== 'redaction') record.memoryStates.delete(strategy);
  record.distilledTurn = Math.min(record.distilledTurn, turn - 1);
  recount(record, at);
}

function recount(record: ConversationRecord, at: number): void {
  record.conversation.turnCount = Math.max(0, ...record.turns.keys());
  record.conversation.messageCount = record.messages.length;
  touch(record, at);
}
