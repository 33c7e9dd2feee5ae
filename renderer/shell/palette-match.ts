// Which commands a few typed letters mean. Pure.

/**
 * 1: every typed word begins a word of the name or of its other names; 0.5: every typed word stands somewhere in them; 0: neither.
 * `value` is what is shown, `keywords` are other names of the same thing.
 */
export function matchScore(value: string, typed: string, keywords: readonly string[] = []): number {
  const text = [value, ...keywords].join(' ').toLowerCase();
  const wanted = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  const names = text.split(/[^\p{L}\p{N}]+/u);
  if (wanted.every((word) => names.some((name) => name.startsWith(word)))) return 1;
  return wanted.every((word) => text.includes(word)) ? 0.5 : 0;
}
