/** The call of the contract that says what caching and compaction saved. Reads only. */
import type { BudgetReport } from '../../../shared/api/budget.ts';
import type { Usage } from '../../../shared/usage.ts';
import { messagesTokens } from '../memory/estimate.ts';
import { ownPricesOf } from '../money/ledger.ts';
import { costOf } from '../money/pricing.ts';
import { previewContext } from './inspection-calls.ts';
import { requestCalls } from './request-calls.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

/** Turns whose full texts are compared with what is sent of them. */
const MOST_TURNS = 100;
/** Newest requests among which one with reported usage is looked for. */
const MOST_REQUESTS = 5;

export function budgetCalls(parts: ServiceParts): Pick<Handlers, 'measureBudget'> {
  return {
    async measureBudget({ conversationId }): Promise<BudgetReport> {
      const { store, estimator } = parts;
      const conversation = await requireConversation(store, conversationId);
      const [settings, model, totals, turns, { plan }, lastRequest] = await Promise.all([
        parts.settings.readFor(conversation),
        parts.answeringModel(),
        store.usage.totals({ conversationId }),
        store.conversations.readTurns(conversationId, { limit: MOST_TURNS }),
        previewContext(parts, { conversationId }),
        lastReported(parts, conversationId),
      ]);
      const own = ownPricesOf(settings);
      const priced = (usage: Usage) =>
        costOf(parts.prices, own, { provider: model.provider, model: model.model, usage, at: parts.clock.now() });
      const full = messagesTokens(
        turns.filter((turn) => turn.state !== 'running').flatMap((turn) => turn.messages),
        estimator,
      );
      const compactionTokens = Math.max(0, full - plan.tokens);
      const isUnknown = totals.calls > 0 && totals.unknownCalls === totals.calls;
      const cachedTokens = isUnknown ? null : totals.cacheReadTokens;
      const without = cachedTokens === null ? null : priced(inputOf(cachedTokens, 0));
      const withCache = cachedTokens === null ? null : priced(inputOf(cachedTokens, cachedTokens));
      return {
        lastRequest,
        cachedTokens,
        cacheSavedMicroUsd: without === null || withCache === null ? null : without - withCache,
        compactionTokens,
        compactionSavedMicroUsd: priced(inputOf(compactionTokens, 0)),
        turns: turns.length,
      };
    },
  };
}

function inputOf(inputTokens: number, cacheReadTokens: number): Usage {
  return { inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
}

async function lastReported(parts: ServiceParts, conversationId: string): Promise<BudgetReport['lastRequest']> {
  const { listRequests, inspectRequest } = requestCalls(parts);
  const { requests } = await listRequests({ conversationId, limit: MOST_REQUESTS });
  const mark = requests.findLast((each) => each.usage !== null);
  if (mark === undefined || mark.usage === null) return null;
  const { request } = await inspectRequest({ conversationId, request: { spanId: mark.spanId } });
  return request.erased || request.tokens === 0 ? null : { estimated: request.tokens, reported: mark.usage.inputTokens };
}
