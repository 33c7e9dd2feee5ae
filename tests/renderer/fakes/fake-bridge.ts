/** A bridge without an engine: answers are scripted per method, and a call nobody expected fails. */
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import { type ErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import type { RpcEvents, RpcReply } from '../../../shared/rpc.ts';
import type { Bridge, ConnectionState } from '../../../renderer/client/connection.ts';

type Answer = (params: never) => unknown;

export interface FakeBridge extends Bridge {
  calls: { method: string; params: unknown }[];
  /** The next and all later calls of the method are answered by this; a thrown ConsoleError becomes the reply. */
  answer(method: string, answer: Answer): void;
  emit(...events: ConsoleEvent[]): void;
  connection(state: ConnectionState): void;
}

export function createFakeBridge(): FakeBridge {
  const answers = new Map<string, Answer>();
  const listeners = new Set<(batch: RpcEvents) => void>();
  const stateListeners = new Set<(state: ConnectionState) => void>();
  const calls: FakeBridge['calls'] = [];
  let id = 0;
  return {
    calls,
    answer: (method, answer) => void answers.set(method, answer),
    emit: (...events) => {
      for (const listener of listeners) listener({ events });
    },
    connection: (state) => {
      for (const listener of stateListeners) listener(state);
    },
    async call(method, params): Promise<RpcReply> {
      const call = id++;
      calls.push({ method, params });
      const answer = answers.get(method);
      if (answer === undefined) {
        const error: ErrorInfo = { code: 'unsupported', message: `nobody expected a call of ${method}`, retryable: false };
        return { id: call, ok: false, error };
      }
      try {
        return { id: call, ok: true, result: await answer(params as never) };
      } catch (error) {
        return { id: call, ok: false, error: toErrorInfo(error) };
      }
    },
    onEvents(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onConnection(listener) {
      stateListeners.add(listener);
      listener('open');
      return () => stateListeners.delete(listener);
    },
    reconnect: () => undefined,
  };
}
