/** Who a new conversation belongs to: customer, tenant, actor and subject, with the defaults of all hosts. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { Reference } from '../../../shared/ids.ts';
import type { NewConversation } from '../ports.ts';
import { DEMO_CUSTOMER_ID } from '../shop/shop-data.ts';
import type { ServiceParts } from './service-deps.ts';

export const DEFAULT_TENANT = 'nimbus';

export interface Axes {
  /** Absent: the demo customer, where the shop has one. null: none. */
  customerId?: string | null;
  tenant?: string;
  /** Absent: the customer. null: an autonomous run. */
  actor?: Reference | null;
  subject?: Reference | null;
}

/** Rejects with `not-found` for a customer the shop does not have. */
export async function conversationFor(parts: ServiceParts, axes: Axes): Promise<NewConversation> {
  const customerId = await customerOf(parts, axes.customerId);
  return {
    id: parts.ids.conversationId(),
    tenant: axes.tenant ?? DEFAULT_TENANT,
    actor: axes.actor === undefined ? (customerId === null ? null : { type: 'customer', id: customerId }) : axes.actor,
    subject: axes.subject ?? null,
    customerId,
    title: '',
    strategy: null,
    at: parts.clock.now(),
  };
}

async function customerOf(parts: ServiceParts, wanted: string | null | undefined): Promise<string | null> {
  if (wanted === null) return null;
  const customer = await parts.store.shop.customer(wanted ?? DEMO_CUSTOMER_ID);
  if (customer !== null) return customer.id;
  if (wanted === undefined) return null;
  throw new ConsoleError('not-found', `There is no customer "${wanted}"; choose one of the shop's customers or none.`);
}
