/** Pure: a member that the stand-in lacks fails loudly instead of reading as undefined. */

/** Names that the language itself looks up on any object. */
const LOOKED_UP = new Set(['then', 'toJSON', 'constructor', 'asymmetricMatch', '$$typeof', 'nodeType', 'inspect']);

/** The same object behind a proxy; methods are bound to it, so they may be taken off. */
export function strict<T extends object>(name: string, target: T): T {
  const bound = new Map<PropertyKey, { method: unknown; bound: unknown }>();
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key, object);
      if (value === undefined && typeof key === 'string' && !(key in object) && !LOOKED_UP.has(key)) {
        throw new Error(`stand-in: electron's ${name}.${key} is not there; add it to tests/fakes/electron-standin or do without it`);
      }
      // A class keeps its static members only when it is not bound.
      if (typeof value !== 'function' || 'prototype' in value) return value;
      const known = bound.get(key);
      if (known?.method === value) return known.bound;
      const method: unknown = (value as (...given: unknown[]) => unknown).bind(object);
      bound.set(key, { method: value, bound: method });
      return method;
    },
    set: (object, key, value) => Reflect.set(object, key, value, object),
  });
}

/** An event whose default can be prevented. */
export class StandinEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}
