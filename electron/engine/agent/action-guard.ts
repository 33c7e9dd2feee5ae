/** Side effects at most once: an effect is on record before it happens, and what came of it is looked up instead of done again. */
import type { NewMessage } from '../../../shared/conversation.ts';
import { toErrorInfo } from '../../../shared/errors.ts';
import type { ToolCall } from '../../../shared/tool.ts';
import type { Store } from '../ports.ts';
import type { RunContext } from './run-context.ts';
import { canonicalJson, openCalls, unknownResult } from './turn-messages.ts';
import type { Stamp } from './turn-messages.ts';

/** `go`: the effect may happen, under this key. `known`: it was tried before. `refused`: it cannot be put on record now. */
export type Permission =
  | { kind: 'go'; key: string | null }
  | { kind: 'known'; result: unknown; failed: boolean }
  | { kind: 'refused'; reason: string };

/** Never rejects. Tools that only read, and stores without a ledger, need no permission. */
export async function askPermission(run: RunContext, call: ToolCall): Promise<Permission> {
  const { store, tools, clock } = run.deps;
  const effect = tools.specs().find((spec) => spec.name === call.name)?.effect;
  if (store.actions === undefined || effect === 'read') return { kind: 'go', key: null };
  const { conversationId, turn } = run.scope;
  const argumentsText = canonicalJson(call.arguments);
  const intent = [conversationId, turn, call.name, argumentsText].join('\n');
  try {
    const action = { conversationId, turn, toolCallId: call.id, toolName: call.name, intent, argumentsText, at: clock.now() };
    const begun = await store.actions.begin(action);
    if (begun.kind === 'new') return { kind: 'go', key: begun.key };
    if (begun.state === 'done' && begun.result !== null)
      return { kind: 'known', result: JSON.parse(begun.result) as unknown, failed: false };
    return {
      kind: 'known',
      result: { status: 'unknown', reason: 'an earlier try was interrupted; look before doing it again' },
      failed: true,
    };
  } catch (error) {
    return { kind: 'refused', reason: `nothing was changed: ${toErrorInfo(error).message}` };
  }
}

/** Puts the outcome on record. Its failure leaves the entry as started, which is read as unknown. */
export async function recordOutcome(run: RunContext, key: string | null, outcome: { result: unknown; failed: boolean }): Promise<void> {
  if (key === null) return;
  const { store, clock, logger } = run.deps;
  try {
    await store.actions?.finish(key, outcome.failed ? 'failed' : 'done', JSON.stringify(outcome.result) ?? 'null', clock.now());
  } catch (error) {
    logger.warn('the outcome of a tool could not be put on record', { error: String(error) });
  }
}

/** A result for every call without one: what the ledger knows, else that nobody knows. Never rejects. */
export async function recoveredResults(
  store: Store,
  stamp: Stamp,
  conversationId: string,
  messages: readonly NewMessage[],
): Promise<NewMessage[]> {
  const results: NewMessage[] = [];
  for (const call of openCalls(messages)) {
    const known = await store.actions?.find(conversationId, call.id).catch(() => null);
    const isKnown = known !== null && known !== undefined && known.result !== null && (known.state === 'done' || known.state === 'failed');
    results.push(isKnown ? knownResult(stamp, call, known.result ?? '') : unknownResult(stamp, call, 'interrupted'));
  }
  return results;
}

function knownResult(stamp: Stamp, call: ToolCall, content: string): NewMessage {
  return {
    ...stamp(),
    role: 'tool',
    content,
    toolCallId: call.id,
    toolName: call.name,
    origin: `tool:${call.name}`,
    trust: 'untrusted',
  };
}
