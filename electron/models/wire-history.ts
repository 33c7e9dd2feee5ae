/** Pure: what every adapter does to a history before it writes its wire form: repair, decide which raw forms may travel, shorten ids. */
import type { ContextMessage } from '../../shared/compaction.ts';
import { ConsoleError } from '../../shared/errors.ts';
import { checkHistory, repairHistory } from './history-rules.ts';
import { countOpaque, readRaw } from './raw-forms.ts';
import type { OpaqueCounts } from './raw-forms.ts';

const CONTINUE = 'Please continue.';
/** More repairs than this are counted, not listed. */
const LISTED_REPAIRS = 3;

export interface WireHistory {
  messages: ContextMessage[];
  /** Sentences for a person: repairs, and what could not travel. */
  notices: string[];
}

export interface WireTarget {
  provider: string;
  model: string;
}

/**
 * Repairs the history, removes raw forms the target must not see and reports both. The result passes `checkHistory` and ends with the user
 * or a tool result. Throws ConsoleError `invalid-input` for a history without any message.
 */
export function prepareHistory(messages: readonly ContextMessage[], target: WireTarget): WireHistory {
  const { messages: repaired, repairs } = repairHistory(messages);
  const last = repaired.at(-1);
  if (last === undefined) throw new ConsoleError('invalid-input', 'There is nothing to send: the request has no message.');
  if (last.role === 'assistant') repaired.push({ role: 'user', content: CONTINUE, origin: 'system', trust: 'trusted' });
  const problems = checkHistory(repaired);
  if (problems.length > 0) throw new ConsoleError('internal', `The repaired history is still not valid: ${problems.join('; ')}`);
  const notices = repairs.length === 0 ? [] : [repairNotice(repairs)];
  const lost: OpaqueCounts = { signatures: 0, reasoning: 0, other: 0 };
  const travelling = repaired.map((message) => {
    if (message.providerRaw === undefined || readRaw(message, target) !== null) return message;
    const counts = countOpaque(message.providerRaw);
    lost.signatures += counts.signatures;
    lost.reasoning += counts.reasoning;
    lost.other += counts.other;
    return { ...message, providerRaw: undefined };
  });
  const loss = lossNotice(lost, target);
  if (loss !== null) notices.push(loss);
  return { messages: travelling, notices };
}

function repairNotice(repairs: string[]): string {
  const listed = repairs.slice(0, LISTED_REPAIRS).join('; ');
  const rest = repairs.length - LISTED_REPAIRS;
  return `The history was repaired before sending: ${listed}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

function lossNotice(lost: OpaqueCounts, target: WireTarget): string | null {
  const parts = [
    counted(lost.signatures, 'thought signature'),
    counted(lost.reasoning, 'encrypted reasoning item'),
    counted(lost.other, 'provider-specific field'),
  ].filter((part) => part !== '');
  const last = parts.pop();
  if (last === undefined) return null;
  const list = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return `${list} could not travel to ${target.provider}/${target.model}.`;
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Ids for one request: those a target refuses (too long, odd characters) get short ones, in order of appearance, so that a longer history
 * keeps the ids of its beginning (P23).
 */
export function wireIds(messages: readonly ContextMessage[], longest: number): Map<string, string> {
  const ids = new Map<string, string>();
  const all = messages.flatMap((message) => (message.toolCalls ?? []).map((call) => call.id));
  const legal = new RegExp(`^[A-Za-z0-9_-]{1,${longest}}$`);
  const taken = new Set(all.filter((id) => legal.test(id)));
  let number = 0;
  for (const id of all) {
    if (ids.has(id)) continue;
    let short = id;
    while (!legal.test(short)) {
      number += 1;
      if (!taken.has(`short_${number}`)) short = `short_${number}`;
    }
    ids.set(id, short);
  }
  return ids;
}
