// Where a text stands, in words. Pure.
import type { WhyFinding } from '../../shared/why.ts';

const PLACES: Readonly<Record<string, string>> = {
  prompt: 'System prompt',
  tools: 'Tools',
  memory: 'Memory',
  queued: 'Queued message',
  digest: 'Digest',
  ledger: 'Action ledger',
  recalled: 'Recalled note',
  request: 'This request',
  nowhere: 'Nowhere',
};

/** `Turn 3`, `Summary 2`, `System prompt` …; an unknown place is named as it is. */
export function placeInWords(finding: Pick<WhyFinding, 'where' | 'turn'>): string {
  if (finding.where === 'history') return finding.turn === null ? 'History' : `Turn ${finding.turn}`;
  const place = PLACES[finding.where] ?? finding.where.charAt(0).toUpperCase() + finding.where.slice(1);
  return finding.turn === null ? place : `${place}, turn ${finding.turn}`;
}
