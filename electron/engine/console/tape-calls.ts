/** The call of the contract that saves a conversation as a tape. */
import type { StoredTurn } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { requireProviders } from './model-calls.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';
import { readAllTurns } from './transcript-calls.ts';

export function tapeCalls(parts: ServiceParts): Pick<Handlers, 'exportTape'> {
  return {
    async exportTape({ conversationId }) {
      const { deck, keys } = requireProviders(parts);
      const conversation = await requireConversation(parts.store, conversationId);
      const turns = await readAllTurns(parts, conversationId);
      const title = conversation.title === '' ? 'Conversation' : conversation.title;
      const model = await modelOf(parts, conversationId, turns);
      const tape = deck.record({ title, model, turns, secrets: keys.secrets() });
      if (tape === null)
        throw new ConsoleError('invalid-input', 'There is nothing to record yet: the model has answered no question here.');
      return tape;
    },
  };
}

/** The model that gave the newest answer; `unknown` for imported conversations. */
async function modelOf(parts: ServiceParts, conversationId: string, turns: readonly StoredTurn[]): Promise<string> {
  await parts.supervisor.flushTraces();
  for (const turn of turns.toReversed()) {
    const run = turn.runId === null ? null : await parts.store.traces.readRun(turn.runId);
    if (run !== null && run.conversationId === conversationId) return run.model;
  }
  return 'unknown';
}
