/** The calls of the contract about what was spent and what the next message may cost. */
import { ownPricesOf } from '../money/ledger.ts';
import { costOf } from '../money/pricing.ts';
import { forecastCost } from '../money/cost-forecast.ts';
import { previewContext } from './inspection-calls.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

type MoneyCalls = Pick<Handlers, 'getSpending' | 'forecastCost'>;

export function moneyCalls(parts: ServiceParts): MoneyCalls {
  const { store, settings, ledger } = parts;
  return {
    async getSpending({ conversationId }) {
      if (conversationId === undefined) {
        return { spending: await ledger.spending({ conversationId: null, turn: null }, await settings.read()) };
      }
      const conversation = await requireConversation(store, conversationId);
      const { turnCount } = conversation;
      const turn = turnCount === 0 ? null : turnCount;
      return { spending: await ledger.spending({ conversationId, turn }, await settings.readFor(conversation)) };
    },

    async forecastCost({ conversationId, next }) {
      const forecast = await previewContext(parts, { conversationId, next });
      const conversation = await requireConversation(store, conversationId);
      const [values, model, totals] = await Promise.all([
        settings.readFor(conversation),
        parts.answeringModel(),
        store.usage.totals({ conversationId }),
      ]);
      const own = ownPricesOf(values);
      const at = parts.clock.now();
      const fresh = forecast.parts.find((part) => part.part === 'current')?.tokens ?? 0;
      const cost = forecastCost({
        requestTokens: forecast.totalTokens,
        freshTokens: fresh,
        maxSteps: values['agent.maxSteps'],
        totals,
        turns: conversation.turnCount,
        cost: (usage) => costOf(parts.prices, own, { provider: model.provider, model: model.model, usage, at }),
      });
      return { cost };
    },
  };
}
