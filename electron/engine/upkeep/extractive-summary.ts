/** Pure: a summary without a model: the first sentence of each line, the oldest left out first. Deterministic. */

/** Longest summary, in UTF-16 units: about 300 tokens. */
const MOST_CHARACTERS = 1200;
/** Longest part of one line. */
const MOST_OF_LINE = 160;

export function extractiveSummary(previous: string, transcript: string): string {
  const lines = [...previous.split('\n'), ...transcript.split('\n').map(shortLine)].filter((line) => line.trim() !== '');
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.toReversed()) {
    if (length + line.length + 1 > MOST_CHARACTERS && kept.length > 0) break;
    kept.push(line);
    length += line.length + 1;
  }
  return kept.reverse().join('\n');
}

function shortLine(line: string): string {
  const text = line.replaceAll(/\s+/gu, ' ').trim();
  const sentence = /^.{20,}?[.!?。！？](?=\s|$)/u.exec(text)?.[0] ?? text;
  return sentence.length <= MOST_OF_LINE
    ? sentence
    : `${sentence
        .slice(0, MOST_OF_LINE - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
