/** Wraps a store so that chosen calls fail, or so that the process "dies" at one call: it and all later calls never come back. */
import type { Store } from '../../electron/engine/ports.ts';

/**
 * `pass`: as usual. `fail`: rejects, nothing done. `hang`: nothing done, never returns. `hang-after`: done, never returns.
 * `wait-after`: done, returns when the promise resolves. */
export type Fault =
  | { kind: 'pass' }
  | { kind: 'fail'; error: unknown }
  | { kind: 'hang' }
  | { kind: 'hang-after' }
  | { kind: 'wait-after'; until: Promise<unknown> };

export const PASS: Fault = { kind: 'pass' };

/** `decide` is asked for every call with its name, e.g. `conversations.append`, and its arguments. */
export function createFaultyStore(store: Store, decide: (name: string, args: readonly unknown[]) => Fault): Store {
  const section = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get(object, key, receiver) {
        const member: unknown = Reflect.get(object, key, receiver);
        if (typeof member !== 'function' || typeof key !== 'string') return member;
        return async (...args: unknown[]) => {
          const fault = decide(`${name}.${key}`, args);
          if (fault.kind === 'fail') throw fault.error;
          if (fault.kind === 'hang') return new Promise(() => undefined);
          const result: unknown = await member.apply(object, args);
          if (fault.kind === 'wait-after') await fault.until;
          return fault.kind === 'hang-after' ? new Promise(() => undefined) : result;
        };
      },
    });
  return {
    kind: store.kind,
    conversations: section('conversations', store.conversations),
    traces: section('traces', store.traces),
    shop: section('shop', store.shop),
    tickets: section('tickets', store.tickets),
    usage: section('usage', store.usage),
    preferences: section('preferences', store.preferences),
    archive: section('archive', store.archive),
    memories: section('memories', store.memories),
    erasure: section('erasure', store.erasure),
    prompts: section('prompts', store.prompts),
    close: () => store.close(),
  };
}

/** A process that dies at its n-th store call, before or after the call took effect. */
export function createDyingStore(store: Store, dieAt: number, when: 'before' | 'after'): { store: Store; calls: () => number } {
  let calls = 0;
  const dying = createFaultyStore(store, () => {
    calls += 1;
    if (calls < dieAt) return PASS;
    return calls === dieAt && when === 'after' ? { kind: 'hang-after' } : { kind: 'hang' };
  });
  return { store: dying, calls: () => calls };
}
