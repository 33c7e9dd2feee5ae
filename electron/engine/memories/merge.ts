/** Pure: new facts among the known ones. Equal ones are merged, contradictions supersede; nothing is overwritten. */
import type { Memory } from '../../../shared/memories.ts';
import { foldText } from '../why/text-match.ts';
import type { MemoryDraft } from './drafts.ts';

export interface MemorySource {
  tenant: string;
  customerId: string;
  conversationId: string;
  /** UTC milliseconds. */
  at: number;
  /** A new id. */
  id: () => string;
}

/** The memories to be written: new ones and those they supersede. `known` are the owner's, superseded ones too. */
export function mergeDrafts(known: readonly Memory[], drafts: readonly MemoryDraft[], source: MemorySource): Memory[] {
  const all = new Map(known.map((memory) => [memory.id, memory]));
  const changed = new Map<string, Memory>();
  const put = (memory: Memory): void => {
    all.set(memory.id, memory);
    changed.set(memory.id, memory);
  };
  for (const draft of drafts) {
    const holding = [...all.values()].filter((memory) => memory.supersededBy === null && memory.customerId === source.customerId);
    if (holding.some((memory) => foldText(memory.text) === foldText(draft.text))) continue;
    const contradicted = draft.slot === null ? [] : holding.filter((memory) => memory.slot === draft.slot);
    // What a person wrote or pinned stands against what was only read in a conversation.
    const standing = contradicted.find((memory) => memory.origin === 'human' || memory.pinned);
    const made = memoryOf(draft, source, standing?.id ?? null);
    put(made);
    if (standing === undefined) for (const memory of contradicted) put({ ...memory, supersededBy: made.id, changedAt: source.at });
  }
  return [...changed.values()];
}

function memoryOf(draft: MemoryDraft, source: MemorySource, supersededBy: string | null): Memory {
  return {
    id: source.id(),
    tenant: source.tenant,
    scope: 'customer',
    customerId: source.customerId,
    text: draft.text,
    slot: draft.slot,
    trust: draft.trust,
    origin: 'distilled',
    pinned: false,
    supersededBy,
    conversationId: source.conversationId,
    turn: draft.turn,
    createdAt: source.at,
    changedAt: source.at,
  };
}
