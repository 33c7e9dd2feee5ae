/** Pure: a summariser without a model, for the bench: the newest sentences, the ones with numbers first, at most 300 tokens. */
import { countTokens } from './tokens.ts';

const MOST_TOKENS = 300;
/** Words a sentence must have to be worth a line. */
const LEAST_WORDS = 4;

/** Sentences of the previous summary and the new text, chosen by how much they name and how new they are, in their order. */
export function extractiveSummary(text: string, previous: string): string {
  const sentences = `${previous}\n${text}`
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(/\s+/).length >= LEAST_WORDS || /\d{3}/.test(sentence));
  const ranked = sentences
    .map((sentence, index) => ({ sentence, index, rank: index / sentences.length + (/\d{3}|@/.test(sentence) ? 1 : 0) }))
    .toSorted((left, right) => right.rank - left.rank);
  const chosen: typeof ranked = [];
  let left = MOST_TOKENS;
  for (const candidate of ranked) {
    const size = countTokens(candidate.sentence) + 1;
    if (size > left) continue;
    left -= size;
    chosen.push(candidate);
  }
  return chosen
    .toSorted((first, second) => first.index - second.index)
    .map(({ sentence }) => sentence)
    .join('\n');
}
