/** Does I/O: forgetting a customer where a cache and an outbox stand before MySQL. */
import type { ErasureStore } from '../../engine/ports.ts';
import { awayFor } from './entries.ts';
import { forgetHere } from './erased-customers.ts';
import type { SyncCore } from './sync-core.ts';

export function syncedErasure(core: SyncCore): ErasureStore {
  const { shared, local } = core;
  const theirs = <T>(work: (store: ErasureStore) => Promise<T>): Promise<T> => {
    if (!core.isOnline) return Promise.reject(awayFor('Forgetting a customer', core.awayReason));
    // Without the limit of one answer: many rows take their time.
    return work(shared.store.erasure);
  };
  const idsOf = async (customerId: string): Promise<string[]> => {
    const both = [await theirs((store) => store.conversationsOf(customerId)), await local.erasure.conversationsOf(customerId)];
    return [...new Set(both.flat())].sort();
  };
  return {
    conversationsOf: idsOf,
    count: (customerId) => theirs((store) => store.count(customerId)),
    textsOf: async (customerId) => {
      const both = [await theirs((store) => store.textsOf(customerId)), await local.erasure.textsOf(customerId)];
      return [...new Set(both.flat())];
    },
    forget: async (customerId, at) => {
      const ids = await idsOf(customerId);
      const counts = await theirs((store) => store.forget(customerId, at));
      await core.settled();
      const waiting = await forgetHere(core.erasureSides, customerId, ids);
      return waiting === 0 ? counts : { ...counts, outbox: waiting };
    },
    compact: async () => {
      await local.erasure.compact();
      // Preferences are values of the outbox.
      await local.outbox.erase({ customerId: null, conversationIds: [], turns: [] });
    },
    search: async (texts) => {
      const [away, here] = [await theirs((store) => store.search(texts)), await local.erasure.search(texts)];
      const own = here.matches.map(({ place, count }) => ({ place: `cache: ${place}`, count }));
      return { columns: away.columns + here.columns, matches: [...away.matches, ...own] };
    },
  };
}
