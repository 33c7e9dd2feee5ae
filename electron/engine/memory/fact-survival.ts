/** Pure: whether a summary kept the facts of what it stands for, and invented none. */
import { factKey, type Fact, factsOfText } from './facts.ts';
import { termsOf } from './recall-terms.ts';
import { shorten } from './text.ts';

/** A line of missing facts must not outgrow the summary it belongs to. */
const MOST_MISSING = 80;
const MOST_PROMISES = 5;
const PROMISE_LENGTH = 200;
/** A promise is kept when the summary has this share of its telling words. */
const KEPT_SHARE = 0.6;
const PROMISE = /\b(?:will|we'll|i'll|we’ll|i’ll|promise|guarantee|shall)\b/i;
const WHEN = /\b(?:by|within|until|before|tomorrow|today|tonight|on|in)\b/i;

export interface SurvivalReport {
  /** Facts of the source that the summary lacks, in order. */
  missing: string[];
  /** Promises of Nimbus that the summary lacks. */
  promises: string[];
  /** Identifiers, addresses and amounts that stand in the summary only. */
  invented: string[];
}

/** Compares a summary with its source: the text it was made from, an earlier summary included. Dates are written in too many ways to call one invented. */
export function factSurvival(source: string, summary: string): SurvivalReport {
  const sourceFacts = factsOfText(source);
  const known = new Set(sourceFacts.map(key));
  const kept = new Set(factsOfText(summary).map(key));
  const missing = sourceFacts.filter((fact) => !kept.has(key(fact)) && !summary.includes(fact.text));
  const invented = factsOfText(summary).filter((fact) => fact.kind !== 'date' && !known.has(key(fact)) && !source.includes(fact.text));
  return {
    missing: [...new Map(missing.map((fact) => [key(fact), fact.text])).values()].slice(-MOST_MISSING),
    promises: lostPromises(source, summary),
    invented: invented.map((fact) => fact.text),
  };
}

/** The summary with what it lost added as a list; the same text when it lost nothing. */
export function withLostFacts(summary: string, report: SurvivalReport): string {
  const lines = [summary.trimEnd()];
  if (report.missing.length > 0) lines.push(`Also mentioned: ${report.missing.join(', ')}`);
  for (const promise of report.promises) lines.push(`Promised: ${promise}`);
  return lines.join('\n');
}

function key(fact: Fact): string {
  return factKey(fact.text);
}

function lostPromises(source: string, summary: string): string[] {
  const said = new Set(termsOf(summary));
  const lost: string[] = [];
  for (const line of source.split('\n')) {
    if (!line.startsWith('Nimbus: ')) continue;
    for (const sentence of line.slice('Nimbus: '.length).split(/(?<=[.!?])\s+/)) {
      if (!PROMISE.test(sentence) || !WHEN.test(sentence) || sentence.endsWith('?')) continue;
      const terms = [...new Set(termsOf(sentence))];
      const kept = terms.filter((term) => said.has(term)).length;
      if (terms.length > 0 && kept / terms.length < KEPT_SHARE) lost.push(shorten(sentence, PROMISE_LENGTH));
    }
  }
  return lost.slice(-MOST_PROMISES);
}
