/** The calls of the contract about memories and about who pays: list, add, edit, pin, delete; usage of each tenant. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { Memory } from '../../../shared/memories.ts';
import { DEFAULT_TENANT } from './new-conversation.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';

type MemoryCalls = Pick<Handlers, 'listMemories' | 'addMemory' | 'editMemory' | 'pinMemory' | 'deleteMemory' | 'getTenantUsage'>;

export function memoryCalls(parts: ServiceParts): MemoryCalls {
  const { store, clock, ids } = parts;
  const change = async (memoryId: string, patch: Partial<Memory>): Promise<{ memory: Memory }> => {
    const known = await store.memories.get(memoryId);
    if (known === null) throw new ConsoleError('not-found', `There is no memory ${memoryId}.`);
    const memory: Memory = { ...known, ...patch, changedAt: clock.now() };
    await store.memories.put([memory]);
    return { memory };
  };
  return {
    async listMemories({ tenant, customerId, search, superseded, limit }) {
      if (customerId !== undefined) {
        const owner = { tenant: tenant ?? DEFAULT_TENANT, customerId };
        const wanted = (search ?? '').trim().toLowerCase();
        const memories = await store.memories.list({ ...owner, limit, superseded });
        return { memories: memories.filter((memory) => memory.text.toLowerCase().includes(wanted)) };
      }
      const query = { ...(tenant !== undefined && { tenant }), ...(search !== undefined && { search }) };
      return { memories: await store.memories.listAll({ ...query, superseded, limit }) };
    },

    async addMemory({ tenant, customerId, text }) {
      if (customerId !== null && (await store.shop.customer(customerId)) === null)
        throw new ConsoleError('not-found', `There is no customer "${customerId}"; choose one of the shop's customers or none.`);
      const at = clock.now();
      const scope = customerId === null ? 'tenant' : 'customer';
      const memory: Memory = {
        id: ids.uuid(),
        tenant: tenant ?? DEFAULT_TENANT,
        scope,
        customerId,
        text,
        slot: null,
        trust: 'trusted',
        origin: 'human',
        pinned: false,
        supersededBy: null,
        conversationId: null,
        turn: null,
        createdAt: at,
        changedAt: at,
      };
      await store.memories.put([memory]);
      return { memory };
    },

    // A person stands for the new words; where the fact came from stays.
    editMemory: ({ memoryId, text }) => change(memoryId, { text, origin: 'human', trust: 'trusted' }),
    pinMemory: ({ memoryId, pinned }) => change(memoryId, { pinned }),

    async deleteMemory({ memoryId }) {
      await store.memories.delete(memoryId);
      return {};
    },

    async getTenantUsage({ tenant, since }) {
      const names = tenant === undefined ? await store.usage.tenants() : [tenant];
      const query = since === undefined ? {} : { since };
      const tenants = await Promise.all(
        names.map(async (name) => ({ tenant: name, totals: await store.usage.totals({ tenant: name, ...query }) })),
      );
      return { tenants };
    },
  };
}
