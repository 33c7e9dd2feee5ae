/** Joins the vectors of help articles to the parts of the service: the chosen embedder, the ledger, and what may leave the console. */
import { capReached, hasCap } from '../money/budget.ts';
import { conversationPrivacy } from '../redaction/conversation-privacy.ts';
import type { ArticleVectors } from '../search/article-vectors.ts';
import { createArticleVectors } from '../search/article-vectors.ts';
import type { ServiceParts } from './service-deps.ts';

type SearchParts = Pick<ServiceParts, 'store' | 'clock' | 'logger' | 'settings' | 'providers' | 'ledger'>;

export function articleSearch({ store, clock, logger, settings, providers, ledger }: SearchParts): ArticleVectors {
  return createArticleVectors({
    embedder: async () => (await providers?.desk.embedder((await settings.read())['search.embeddingModel'])) ?? null,
    preferences: store.preferences,
    clock,
    logger,
    async allowed({ conversationId, turn }) {
      const conversation = await store.conversations.get(conversationId);
      const current = conversation === null ? await settings.read() : await settings.readFor(conversation);
      // A cap that only warns stops no model call either.
      if (!hasCap(current) || current['budget.action'] === 'warn') return true;
      return capReached(await ledger.spending({ conversationId, turn }, current)) === null;
    },
    async outgoing(query, { conversationId }) {
      const conversation = await store.conversations.get(conversationId);
      if (conversation === null) return query;
      const privacy = await conversationPrivacy({ store, logger }, conversation, await settings.readFor(conversation));
      const request = privacy.outgoing({ system: '', tools: [], messages: [{ role: 'user', content: query }], conversationId });
      return request.messages.map((message) => message.content).join('\n');
    },
    onUsage: async ({ provider, model }, usage, { conversationId, turn }) =>
      ledger.record({ conversationId, turn, runId: null, step: null, purpose: 'embed', provider, model, usage }, await settings.read()),
  });
}
