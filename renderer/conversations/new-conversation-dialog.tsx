// Chooses the customer a new conversation belongs to.
import { words } from '../language/language.ts';
import { Search, UserRoundX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Customer } from '../../shared/shop.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { engine, showDialog, startConversation } from '../state/actions.ts';
import { DialogSheet } from '../ui/dialog.tsx';
import { initials } from '../ui/format.ts';
import { useSettled } from '../ui/hooks.ts';
import { nextRow } from '../ui/row-keys.ts';

const SEARCH_PAUSE_MS = 150;

function useCustomers(search: string): { customers: Customer[] | null; error: ErrorInfo | null } {
  const [found, setFound] = useState<{ customers: Customer[] | null; error: ErrorInfo | null }>({ customers: null, error: null });
  useEffect(() => {
    let current = true;
    engine()
      .call('listCustomers', { limit: 100, ...(search === '' ? {} : { search }) })
      .then(
        ({ customers }) => current && setFound({ customers, error: null }),
        (error: unknown) => current && setFound({ customers: [], error: toErrorInfo(error) }),
      );
    return () => {
      current = false;
    };
  }, [search]);
  return found;
}

export function NewConversationDialog() {
  const [search, setSearch] = useState('');
  const { customers, error } = useCustomers(useSettled(search.trim(), SEARCH_PAUSE_MS));
  const frame = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(frame.current?.querySelectorAll<HTMLButtonElement>('.pick') ?? [])];
    const target = nextRow(buttons.indexOf(document.activeElement as HTMLButtonElement), event.key, buttons.length);
    if (target === null || event.key === 'Home' || event.key === 'End') return;
    event.preventDefault();
    buttons[target]?.focus();
  };
  return (
    <DialogSheet title={words().rows.fresh} onClose={() => showDialog(null)}>
      <div className="sheet-content picker" ref={frame} onKeyDown={onKeyDown}>
        <label className="field">
          <Search className="i m" aria-hidden />
          <input
            type="text"
            role="searchbox"
            aria-label={words().rows.findCustomer}
            placeholder={words().rows.findCustomer}
            dir="auto"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              const first = customers?.[0];
              if (event.key === 'Enter' && first !== undefined && !event.nativeEvent.isComposing) void startConversation(first.id);
            }}
          />
        </label>
        {error !== null && (
          <p className="bad" role="alert">
            {error.message}
          </p>
        )}
        <ul className="picks scroll" aria-label={words().rows.customers}>
          {customers?.map((customer) => (
            <li key={customer.id}>
              <button type="button" className="pick" onClick={() => void startConversation(customer.id)}>
                <span className="avatar" aria-hidden>
                  {initials(customer.name)}
                </span>
                <span className="pick-text">
                  <bdi>{customer.name}</bdi>
                  <span className="dim trunc">
                    {customer.city}, {customer.country}
                  </span>
                </span>
                <code className="dim">{customer.id}</code>
              </button>
            </li>
          ))}
          {customers?.length === 0 && error === null && <li className="list-state">{words().rows.noCustomer}</li>}
          <li>
            <button type="button" className="pick" onClick={() => void startConversation(null)}>
              <span className="avatar" aria-hidden>
                <UserRoundX className="i m" />
              </span>
              <span className="pick-text">
                <span>{words().rows.noAccount}</span>
                <span className="dim trunc">{words().rows.noOrders}</span>
              </span>
            </button>
          </li>
        </ul>
      </div>
    </DialogSheet>
  );
}
