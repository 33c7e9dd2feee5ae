/** Pure: a text form of the values that structured clone carries. Self-contained, because its source also runs inside the page. */

/** How functions and promises cross where the two sides allow it (contextBridge does, IPC does not). */
export interface HandOver {
  /** A reference for a function or promise; throws where none may cross. */
  give(kind: 'function' | 'promise', value: unknown): string;
  take(kind: 'function' | 'promise', reference: string): unknown;
}

export interface Wire {
  /** Throws a DataCloneError-like error for functions, symbols and circular values. */
  encode(value: unknown, handOver?: HandOver): string;
  decode(text: string, handOver?: HandOver): unknown;
}

/**
 * Every value that JSON cannot say is an array that starts with a tag; so are lists and objects, so that no key can be mistaken for a tag.
 * The built-ins are taken when this runs: a page that later replaces JSON.parse or Array.prototype.push changes nothing here.
 */
export function createWire(): Wire {
  const { stringify, parse } = JSON;
  const { isArray, from: listOf } = Array;
  const { entries, fromEntries, getPrototypeOf, is } = Object;
  const plainPrototype = Object.prototype;
  const refuse = (what: string): never => {
    throw new Error(`${what} could not be cloned.`);
  };

  const pack = (value: unknown, above: readonly unknown[], handOver?: HandOver): unknown => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return is(value, -0) || !(value - value === 0) ? ['n', is(value, -0) ? '-0' : String(value)] : value;
    if (value === undefined) return ['u'];
    if (typeof value === 'bigint') return ['i', String(value)];
    if (typeof value === 'symbol') return refuse('A symbol');
    if (typeof value === 'function') return handOver ? ['f', handOver.give('function', value)] : refuse('A function');
    if (typeof (value as { then?: unknown }).then === 'function')
      return handOver ? ['p', handOver.give('promise', value)] : refuse('A promise');
    for (let index = 0; index < above.length; index++) if (above[index] === value) refuse('A circular value');
    const inside = [...above, value];
    const all = (list: Iterable<unknown>): unknown[] => listOf(list, (item) => pack(item, inside, handOver));
    if (isArray(value)) return ['l', all(value)];
    if (value instanceof Date) return ['d', value.getTime()];
    if (value instanceof Map) return ['m', all(value.entries())];
    if (value instanceof Set) return ['s', all(value)];
    if (value instanceof Error) return ['e', value.name, value.message];
    if (value instanceof Uint8Array) return ['b', listOf(value)];
    if (value instanceof ArrayBuffer) return ['a', listOf(new Uint8Array(value))];
    if (typeof Node !== 'undefined' && value instanceof Node) return refuse('A node of the document');
    return ['o', listOf(entries(value as object), ([key, item]) => [key, pack(item, inside, handOver)])];
  };

  const unpack = (value: unknown, handOver?: HandOver): unknown => {
    if (!isArray(value)) return value;
    const [tag, first, second] = value as [string, unknown, unknown];
    const list = (): unknown[] => listOf(first as unknown[], (item) => unpack(item, handOver));
    switch (tag) {
      case 'n':
        return first === '-0' ? -0 : Number(first);
      case 'u':
        return undefined;
      case 'i':
        return BigInt(first as string);
      case 'f':
        return handOver?.take('function', first as string);
      case 'p':
        return handOver?.take('promise', first as string);
      case 'l':
        return list();
      case 'd':
        return new Date(first as number);
      case 'm':
        return new Map(list() as [unknown, unknown][]);
      case 's':
        return new Set(list());
      case 'e': {
        const error = new Error(second as string);
        error.name = first as string;
        return error;
      }
      case 'b':
        return Uint8Array.from(first as number[]);
      case 'a':
        return Uint8Array.from(first as number[]).buffer;
      default: {
        const object = fromEntries(listOf(first as [string, unknown][], ([key, item]) => [key, unpack(item, handOver)]));
        return getPrototypeOf(object) === plainPrototype ? object : refuse('An object');
      }
    }
  };

  return {
    encode: (value, handOver) => stringify(pack(value, [], handOver)),
    decode: (text, handOver) => unpack(parse(text), handOver),
  };
}
