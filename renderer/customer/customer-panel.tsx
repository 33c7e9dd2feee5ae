// The Customer tab: who writes, what they bought and asked before, what is remembered of them, and this conversation's own settings.
import type { ReactNode } from 'react';
import type { Memory } from '../../shared/memories.ts';
import type { Customer, Order, Ticket } from '../../shared/shop.ts';
import { words } from '../language/language.ts';
import { changePreferences, openConversation } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useConversation } from '../state/store.ts';
import { formatMoney, formatWhen } from '../ui/format.ts';
import { useToday } from '../ui/hooks.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { ConversationSettings } from './conversation-settings.tsx';
import { type CustomerFacts, useCustomer } from './use-customer.ts';

export function CustomerPanel() {
  const data = useConversation();
  const text = words().customer;
  if (data === undefined) return <PanelEmpty title={words().context.noneOpen} text={text.noneOpen} />;
  return <OpenCustomer key={data.summary.id} data={data} />;
}

function OpenCustomer({ data }: { data: ConversationData }) {
  const { customerId, actor, tenant, handoffReason } = data.summary;
  const owner = actor === null ? null : customerId;
  const { facts, error, again } = useCustomer({ customerId, owner, tenant, revision: data.revision });
  const text = words().customer;
  return (
    <div className="customer scroll">
      {handoffReason !== null && (
        <section className="customer-handoff" aria-label={text.handoff}>
          <h2>{text.handoff}</h2>
          <p dir="auto">{handoffReason === '' ? text.handoffNoReason : handoffReason}</p>
        </section>
      )}
      {error !== null && (
        <p className="bad customer-problem" role="alert">
          {error.message}{' '}
          <button type="button" className="sm" onClick={again}>
            {words().shell.tryAgain}
          </button>
        </p>
      )}
      {facts === null && error === null && (
        <p className="dim customer-problem" role="status">
          {text.loading}
        </p>
      )}
      {facts !== null && <Records facts={facts} hasCustomer={customerId !== null} isPersonal={owner !== null} />}
      <ConversationSettings data={data} />
    </div>
  );
}

function Records({ facts, hasCustomer, isPersonal }: { facts: CustomerFacts; hasCustomer: boolean; isPersonal: boolean }) {
  const text = words().customer;
  const { customer, orders, tickets, memories } = facts;
  return (
    <>
      <Part title={text.profile}>
        {customer === null ? (
          <p className="dim">{hasCustomer ? text.unknownCustomer : text.noCustomer}</p>
        ) : (
          <Profile customer={customer} />
        )}
      </Part>
      {customer !== null && (
        <>
          <Part title={text.orders(orders.length)}>
            {orders.length === 0 ? <p className="dim">{text.noOrders}</p> : <Orders orders={orders} />}
          </Part>
          <Part title={text.tickets(tickets.length)}>
            {tickets.length === 0 ? <p className="dim">{text.noTickets}</p> : <Tickets tickets={tickets} />}
          </Part>
        </>
      )}
      <Part title={text.memories(memories.length)}>
        {!isPersonal && hasCustomer && <p className="dim">{text.noActorMemories}</p>}
        {memories.length === 0 ? <p className="dim">{text.noMemories}</p> : <Remembered memories={memories} />}
        <button type="button" className="sm customer-more" onClick={() => changePreferences({ area: 'memories' })}>
          {text.allMemories}
        </button>
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="side-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Profile({ customer }: { customer: Customer }) {
  const text = words().customer;
  const rows = [
    [text.name, customer.name],
    [text.number, customer.id],
    [text.email, customer.email],
    [text.phone, customer.phone],
    [text.place, [customer.city, customer.country].filter(Boolean).join(', ')],
    [text.language, customer.language],
  ].filter(([, value]) => value !== '');
  return (
    <dl className="customer-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Orders({ orders }: { orders: readonly Order[] }) {
  const text = words().customer;
  return (
    <ul className="customer-rows">
      {orders.map((order) => (
        <li key={order.id}>
          <span className="customer-row">
            <code>#{order.id}</code>
            <span className="chip line">{text.orderStates[order.status]}</span>
            <span className="grow" />
            <span className="num">{formatMoney(order.totalMinor, order.currency)}</span>
          </span>
          <span className="dim" dir="auto">
            {order.items.map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ')}
          </span>
          <span className="dim">{text.paid(order.paidDaysAgo)}</span>
        </li>
      ))}
    </ul>
  );
}

function Tickets({ tickets }: { tickets: readonly Ticket[] }) {
  const text = words().customer;
  const today = useToday();
  return (
    <ul className="customer-rows">
      {tickets.map(({ id, status, summary, updatedAt, conversationId }) => (
        <li key={id}>
          <span className="customer-row">
            <code>#{id}</code>
            <span className="chip line">{text.ticketStates[status]}</span>
            <span className="grow" />
            <span className="dim num">{formatWhen(updatedAt, today)}</span>
          </span>
          <span dir="auto">{summary}</span>
          {conversationId !== null && (
            <button type="button" className="ghost sm" onClick={() => void openConversation(conversationId)}>
              {text.openTicket(id)}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Remembered({ memories }: { memories: readonly Memory[] }) {
  const text = words().memories;
  return (
    <ul className="customer-rows">
      {memories.map((memory) => (
        <li key={memory.id}>
          <span dir="auto">{memory.text}</span>
          <span className="dim">
            {[
              ...(memory.pinned ? [text.pinned] : []),
              ...(memory.scope === 'tenant' ? [text.ofTenant(memory.tenant)] : []),
              text.origins[memory.origin],
              text.trusts[memory.trust],
            ].join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
