// The memories and the names of their customers, loaded when the page is shown and after each change. I/O through the client.
import { useCallback, useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import type { Memory } from '../../shared/memories.ts';
import { addNotice, engine } from '../state/actions.ts';

const MOST = 500;

export interface Memories {
  /** null while they are loaded for the first time. */
  memories: Memory[] | null;
  error: ErrorInfo | null;
  names: ReadonlyMap<string, string>;
  load: () => void;
  /** Does one thing, says what went wrong, and loads the list anew. True when it was done. */
  change: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useMemories(): Memories {
  const [memories, setMemories] = useState<Memory[] | null>(null);
  const [error, setError] = useState<ErrorInfo | null>(null);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const load = useCallback(() => {
    engine()
      .call('listMemories', { limit: MOST, superseded: true })
      .then(
        (found) => {
          setMemories(found.memories);
          setError(null);
        },
        (problem: unknown) => setError(toErrorInfo(problem)),
      );
    engine()
      .call('listCustomers', { limit: MOST })
      .then(
        (found) => setNames(new Map(found.customers.map((customer) => [customer.id, customer.name]))),
        // Without names the customer's number says whose it is.
        () => undefined,
      );
  }, []);
  useEffect(load, [load]);
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      load();
      return true;
    } catch (problem) {
      addNotice('error', toErrorInfo(problem).message);
      return false;
    }
  };
  return { memories, error, names, load, change };
}
