/** Pure: how a text spreads over kinds of writing, because tokenizers differ most between these. */

export const SCRIPTS = ['latin', 'cjk', 'arabic', 'json', 'emoji', 'other'] as const;
export type TextScript = (typeof SCRIPTS)[number];
export type ScriptShares = Record<TextScript, number>;

/** Roughly how many tokens one character of a kind takes; only the proportions matter. */
const WEIGHTS: ScriptShares = { latin: 0.25, cjk: 0.8, arabic: 0.5, json: 0.6, emoji: 2, other: 0.6 };
const JSON_MARKS = '{}[]":,0123456789';
/** Longer texts are sampled: shares do not need every character. */
const SAMPLE_LENGTH = 20_000;

function scriptOf(character: string): TextScript {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return JSON_MARKS.includes(character) ? 'json' : 'latin';
  if (code < 0x250 || (code >= 0x2000 && code < 0x2070)) return 'latin';
  if (code >= 0x590 && code < 0x900) return 'arabic';
  if ((code >= 0x2e80 && code < 0xa000) || (code >= 0xac00 && code < 0xd7b0) || (code >= 0xff00 && code < 0xfff0)) return 'cjk';
  if (code >= 0x1f000 || (code >= 0x2190 && code < 0x2c00) || code === 0x200d || code === 0xfe0f) return 'emoji';
  return 'other';
}

/** Shares that add up to 1; all zero for an empty text. */
export function scriptShares(text: string): ScriptShares {
  const shares: ScriptShares = { latin: 0, cjk: 0, arabic: 0, json: 0, emoji: 0, other: 0 };
  let total = 0;
  const step = Math.max(1, Math.floor(text.length / SAMPLE_LENGTH));
  for (let index = 0; index < text.length; index += step) {
    const code = text.codePointAt(index) ?? 0;
    // The second half of a pair was counted with its first.
    if (code >= 0xdc00 && code < 0xe000) continue;
    const script = scriptOf(String.fromCodePoint(code));
    shares[script] += WEIGHTS[script];
    total += WEIGHTS[script];
  }
  if (total === 0) return shares;
  for (const script of SCRIPTS) shares[script] /= total;
  return shares;
}
