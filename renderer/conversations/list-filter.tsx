// Narrows the list: who must act, unread, tickets, time, strategy. What is on stands below the search as words that can be taken away.
import { X } from 'lucide-react';
import type { ListFilter } from '../../shared/conversation-list.ts';
import { words } from '../language/language.ts';
import { filterConversations } from '../state/list-actions.ts';
import { useConsole } from '../state/store.ts';

const DAY_MS = 86_400_000;
const STATES = ['needs-human', 'failed', 'running'] as const;
const STRATEGIES = ['recent-turns', 'summary', 'stable'] as const;
const DAYS = [1, 7, 30] as const;

function without(filter: ListFilter, key: keyof ListFilter): ListFilter {
  const { [key]: _gone, ...rest } = filter;
  return rest;
}

function daysOf(filter: ListFilter, today: number): string {
  return String(DAYS.find((days) => filter.since === today - (days - 1) * DAY_MS) ?? '');
}

export function FilterPanel({ today }: { today: number }) {
  const filter = useConsole((state) => state.list.filter);
  const said = words().conversations;
  return (
    <div className="filter-panel" role="group" aria-label={said.filter}>
      <label>
        <span>{said.state}</span>
        <select
          value={filter.state ?? ''}
          onChange={(event) => {
            const state = STATES.find((one) => one === event.target.value);
            filterConversations({ ...without(filter, 'state'), ...(state !== undefined && { state }) });
          }}
        >
          <option value="">{said.any}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {said.states[state]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{said.changed}</span>
        <select
          value={daysOf(filter, today)}
          onChange={(event) => {
            const days = Number(event.target.value);
            filterConversations({ ...without(filter, 'since'), ...(days > 0 && { since: today - (days - 1) * DAY_MS }) });
          }}
        >
          <option value="">{said.anyTime}</option>
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {said.days(days)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{said.strategy}</span>
        <select
          value={filter.strategy === null ? 'default' : (filter.strategy ?? '')}
          onChange={(event) => {
            const chosen = STRATEGIES.find((one) => one === event.target.value) ?? (event.target.value === 'default' ? null : undefined);
            filterConversations({ ...without(filter, 'strategy'), ...(chosen !== undefined && { strategy: chosen }) });
          }}
        >
          <option value="">{said.any}</option>
          <option value="default">{said.ownDefault}</option>
          {STRATEGIES.map((strategy) => (
            <option key={strategy} value={strategy}>
              {strategy}
            </option>
          ))}
        </select>
      </label>
      <label className="filter-check">
        <input
          type="checkbox"
          checked={filter.unread === true}
          onChange={(event) => filterConversations({ ...without(filter, 'unread'), ...(event.target.checked && { unread: true }) })}
        />
        <span>{said.unread}</span>
      </label>
      <label className="filter-check">
        <input
          type="checkbox"
          checked={filter.ticket === true}
          onChange={(event) => filterConversations({ ...without(filter, 'ticket'), ...(event.target.checked && { ticket: true }) })}
        />
        <span>{said.ticket}</span>
      </label>
    </div>
  );
}

/** Each condition that is on, as a button that takes it away. */
export function FilterChips({ today }: { today: number }) {
  const filter = useConsole((state) => state.list.filter);
  const said = words().conversations;
  const chips: { key: keyof ListFilter; text: string }[] = [];
  if (filter.state !== undefined) chips.push({ key: 'state', text: said.states[filter.state] });
  if (filter.unread === true) chips.push({ key: 'unread', text: said.unread });
  if (filter.ticket === true) chips.push({ key: 'ticket', text: said.ticket });
  if (filter.since !== undefined) chips.push({ key: 'since', text: said.days(Number(daysOf(filter, today)) || 1) });
  if (filter.strategy !== undefined) chips.push({ key: 'strategy', text: filter.strategy ?? said.ownDefault });
  if (chips.length === 0) return null;
  return (
    <div className="filter-chips">
      {chips.map(({ key, text }) => (
        <button
          key={key}
          type="button"
          className="chip line"
          aria-label={said.remove(text)}
          onClick={() => filterConversations(without(filter, key))}
        >
          {text}
          <X className="i s" aria-hidden />
        </button>
      ))}
    </div>
  );
}
