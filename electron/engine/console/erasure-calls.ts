/** The calls of the contract by which a customer is forgotten. */
import type { Handlers, ServiceParts } from './service-deps.ts';

export function erasureCalls(parts: ServiceParts): Pick<Handlers, 'previewForgetCustomer' | 'forgetCustomer'> {
  const { store, eraser, supervisor } = parts;
  return {
    async previewForgetCustomer({ customerId }) {
      const [customer, counts, ids] = await Promise.all([
        store.shop.customer(customerId),
        store.erasure.count(customerId),
        store.erasure.conversationsOf(customerId),
      ]);
      return { name: customer?.name ?? null, counts, running: ids.filter((id) => supervisor.active(id) !== null).length };
    },
    async forgetCustomer({ customerId }) {
      return { proof: await eraser.forgetCustomer(customerId) };
    },
  };
}
