/** Pure: a small seeded random generator, so that demo data is the same on every machine. Not for secrets. */

export interface SeededRandom {
  /** A fraction in [0, 1). */
  fraction(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** One entry of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]]): T;
}

const TWO_TO_32 = 4_294_967_296;

/** A xorshift generator with 32 bits of state. The same seed gives the same sequence; a seed of 0 is replaced, as zero is its fixed point. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0 || 0x9e3779b9;
  const fraction = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / TWO_TO_32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    pick<T>(list: readonly [T, ...T[]]): T {
      return list[whole(0, list.length - 1)] ?? list[0];
    },
  };
}
