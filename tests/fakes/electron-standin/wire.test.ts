/** Tests of the stand-in's own parts that need no browser: the text form of structured clone, and strictness. Pure. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { strict } from './strict.ts';
import { createWire, type HandOver } from './wire.ts';

const wire = createWire();
const across = (value: unknown): unknown => wire.decode(wire.encode(value));

describe('wire', () => {
  test('any plain value crosses unchanged, whatever its keys', () => {
    const value = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: false,
      withSparseArray: false,
      withNullPrototype: false,
    });
    fc.assert(
      fc.property(value, (given) => {
        expect(across(given)).toEqual(given);
      }),
    );
  });

  test('a key called __proto__ stays data', () => {
    const given = JSON.parse('{"__proto__": {"polluted": true}}') as object;
    const got = across(given) as object;
    expect(Object.keys(got)).toEqual(['__proto__']);
    expect((got as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype);
  });

  test('numbers JSON cannot say, undefined, dates and bytes keep their kind', () => {
    const got = across([Number.NaN, -0, Number.NEGATIVE_INFINITY, undefined, new Date(5), new Uint8Array([1, 255])]) as unknown[];
    expect(Object.is(got[0], Number.NaN)).toBe(true);
    expect(Object.is(got[1], -0)).toBe(true);
    expect(got[2]).toBe(Number.NEGATIVE_INFINITY);
    expect(got).toHaveLength(6);
    expect(got[3]).toBeUndefined();
    expect(got[4]).toEqual(new Date(5));
    expect(got[5]).toEqual(new Uint8Array([1, 255]));
  });

  test('an error keeps name and message', () => {
    const got = across(new TypeError('no such thing')) as Error;
    expect(got).toBeInstanceOf(Error);
    expect([got.name, got.message]).toEqual(['TypeError', 'no such thing']);
  });

  test('functions, symbols, promises and circles are refused, as structured clone does', () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    for (const bad of [() => 1, Symbol('x'), Promise.resolve(1), circle, { deep: [() => 1] }]) {
      expect(() => wire.encode(bad)).toThrow(/could not be cloned/);
    }
  });

  test('the same object twice, but not inside itself, is fine', () => {
    const shared = { a: 1 };
    expect(across([shared, shared])).toEqual([shared, shared]);
  });

  test('functions and promises cross by reference where both sides allow it', () => {
    const given: unknown[] = [];
    const handOver: HandOver = {
      give: (kind, value) => `${kind}-${given.push(value) - 1}`,
      take: (kind, reference) => given[Number(reference.slice(kind.length + 1))],
    };
    const work = (): number => 1;
    const got = wire.decode(wire.encode({ work }, handOver), handOver) as { work: unknown };
    expect(got.work).toBe(work);
  });
});

describe('strict', () => {
  test('what is not there throws with its name; what is undefined reads as undefined', () => {
    const object = strict('app', { present: 1, empty: undefined as number | undefined });
    expect(object.present).toBe(1);
    expect(object.empty).toBeUndefined();
    expect(() => (object as unknown as { getVersion: unknown }).getVersion).toThrow(/electron's app\.getVersion is not there/);
  });

  test('methods may be taken off, are the same each time, and may be replaced', () => {
    class Counter {
      count = 0;
      add(): number {
        return ++this.count;
      }
    }
    const counter = strict('counter', new Counter());
    const add = Reflect.get(counter, 'add') as () => number;
    expect(add()).toBe(1);
    expect(Reflect.get(counter, 'add')).toBe(add);
    counter.add = () => 7;
    expect(counter.add()).toBe(7);
  });

  test('a class keeps its static members', () => {
    class Window {
      static all(): string[] {
        return ['one'];
      }
    }
    expect(strict('electron', { Window }).Window.all()).toEqual(['one']);
  });
});
