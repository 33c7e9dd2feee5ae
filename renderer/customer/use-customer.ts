// The customer's records and what is remembered of them, for one conversation. I/O through the client.
import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import type { Memory } from '../../shared/memories.ts';
import type { Customer, Order, Ticket } from '../../shared/shop.ts';
import { engine } from '../state/actions.ts';

const MOST_MEMORIES = 100;

export interface CustomerFacts {
  /** null: the conversation has no customer, or the shop knows none of this number. */
  customer: Customer | null;
  orders: Order[];
  tickets: Ticket[];
  /** What conversations of this customer at this tenant may be sent; nothing of anybody else. */
  memories: Memory[];
}

async function factsOf(customerId: string | null, owner: string | null, tenant: string): Promise<CustomerFacts> {
  const [records, remembered] = await Promise.all([
    customerId === null ? { customer: null, orders: [], tickets: [] } : engine().call('getCustomer', { customerId }),
    engine().call('listMemories', { customerId: owner, tenant, limit: MOST_MEMORIES }),
  ]);
  return { ...records, memories: remembered.memories };
}

interface Wanted {
  customerId: string | null;
  /** Whose personal memories may be sent; null: nobody's, only those of the tenant. */
  owner: string | null;
  tenant: string;
  /** Loads anew when it changes. */
  revision: number;
}

/** `facts` is null while they are loaded for the first time; facts of another customer are never shown meanwhile. */
export function useCustomer({ customerId, owner, tenant, revision }: Wanted): {
  facts: CustomerFacts | null;
  error: ErrorInfo | null;
  again: () => void;
} {
  const [tries, setTries] = useState(0);
  const whose = JSON.stringify([customerId, owner, tenant]);
  const [found, setFound] = useState<{ whose: string; facts: CustomerFacts | null; error: ErrorInfo | null } | null>(null);
  useEffect(() => {
    let current = true;
    factsOf(customerId, owner, tenant).then(
      (facts) => current && setFound({ whose, facts, error: null }),
      (error: unknown) => current && setFound({ whose, facts: null, error: toErrorInfo(error) }),
    );
    return () => {
      current = false;
    };
  }, [customerId, owner, tenant, whose, revision, tries]);
  const mine = found?.whose === whose ? found : null;
  return { facts: mine?.facts ?? null, error: mine?.error ?? null, again: () => setTries((count) => count + 1) };
}
