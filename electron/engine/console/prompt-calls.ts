/** The calls of the contract about versions of the system prompt. */
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

type PromptCalls = Pick<Handlers, 'listPromptVersions' | 'addPromptVersion' | 'activatePromptVersion' | 'choosePromptVersion'>;

export function promptCalls(parts: ServiceParts): PromptCalls {
  const { store, prompts, clock, supervisor } = parts;
  return {
    listPromptVersions: async () => ({ versions: await prompts.list() }),
    addPromptVersion: async (draft) => ({ version: await prompts.add(draft) }),
    activatePromptVersion: async ({ version }) => ({ versions: await prompts.activate(version) }),

    async choosePromptVersion({ conversationId, version }) {
      const conversation = await requireConversation(store, conversationId);
      if (version !== null) await prompts.named(version);
      const { 'agent.promptVersion': _before, ...others } = conversation.settings ?? {};
      const settings = version === null ? others : { ...others, 'agent.promptVersion': version };
      await store.conversations.update(conversationId, { settings }, clock.now());
      await supervisor.announce(conversationId);
      return { version };
    },
  };
}
