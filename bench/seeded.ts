/** Pure: random-looking numbers from a seed. */

/** Numbers from a seed; the same seed gives the same conversations for ever. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  below(limit: number): number {
    // xorshift32
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % limit;
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, at: this.below(1_000_000) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  code(letters: number, digits: number): string {
    let made = '';
    for (let index = 0; index < letters; index += 1) made += String.fromCharCode(65 + this.below(26));
    for (let index = 0; index < digits; index += 1) made += String(this.below(10));
    return made;
  }
}
