/** Pure: patterns that tell what a text is about. */
import type { Exchange } from './demo-view.ts';

/** What a follow-up without words of its own goes on with. */
export type Topic = 'refund' | 'status';

export const REFUND =
  /\b(?:refund\w*|money back|reimburs\w*|(?:return|send back|give back) (?:it|this|that|my|the|order|#?\d)|send (?:it|this|that) back|cash back)|rückerstatt|erstatt|geld zurück|rembours|reembols|devoluci|devolver|rimbors|返金|払い戻|退款|환불|استرداد|استرجاع|возврат|поверн/iu;
export const STATUS =
  /\b(?:where(?:'s|’s|\s+is|\s+are)|status|track(?:ing)?|when (?:will|does|do|is|can)\b.*\b(?:arriv|come|deliver|ship|get here|expect|leave)\w*|on its way|shipped|dispatched|has it (?:arrived|left)|details|tell me (?:more )?about|what(?:'s| is) in)\b|\bwo ist\b|où est|dónde está|dov'è|どこ|哪里|أين/iu;
/** Things that belong to the customer rather than to the shop's rules. */
export const OWN_ORDER =
  /\b(?:my|the|this|that|both|other)\s+(?:\w+\s+)?(?:order|orders|parcel|parcels|package|packages|delivery|purchase|stuff|things)\b/i;
export const REFERENCE = /\b(?:it|this|that|this one|that one|this order|that order|them|both)\b/i;
export const OTHER_ORDER =
  /\b(?:other|another|different|second|remaining) (?:one|ones|order|orders|parcel|package|purchase)\b|\bthe other\b|andere bestellung|autre commande|otro pedido|altro ordine|別の注文/iu;
export const POLICY =
  /\b(?:policy|policies|how long|how many days|how (?:do|does|would|will)\b|when (?:will|do|does)|conditions?|rules?|what happens|in general|generally|window|deadline|terms)\b/i;

/** A trouble with a delivery or product, with the category of ticket it makes. */
const PROBLEMS: readonly (readonly [string, RegExp])[] = [
  ['damaged', /\b(?:damaged|broken|scratched|dented|cracked|torn|leak(?:s|ing))\b/i],
  ['shipping', /\b(?:lost|missing|never (?:arrived|came)|(?:not|n't|n’t) (?:arrived?|come|been delivered|received?)|wrong address)\b/i],
  ['payment', /\b(?:charged twice|double charge[ds]?|charged (?:me )?too much|card was charged)\b/i],
  [
    'warranty',
    /\b(?:faulty|defect(?:ive)?|stopped working|(?:doesn|does not|won|will not)(?:'t|’t)? (?:work|turn on|start)|malfunction\w*)\b/i,
  ],
  ['exchange', /\b(?:too (?:small|large|big|tight)|wrong (?:size|colou?r|item))\b/i],
];

/** The category of the trouble a text tells of; null when it tells of none. */
export function problemCategory(text: string): string | null {
  return PROBLEMS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** What an exchange was about, from what was looked up or else from its words. */
export function topicOf(exchange: Exchange): Topic | null {
  const names = exchange.calls.map(({ name, arguments: made }) =>
    name === 'create_support_ticket' ? `ticket-${String(made.category)}` : name,
  );
  if (names.includes('check_refund_eligibility') || names.includes('ticket-refund')) return 'refund';
  if (names.includes('get_order')) return 'status';
  if (REFUND.test(exchange.question)) return 'refund';
  if (STATUS.test(exchange.question)) return 'status';
  // An answer names many things it could do; only these words show what it did.
  return /eligible for a refund|for the refund|refund request/i.test(exchange.answer) ? 'refund' : null;
}

/** The newest topic of the conversation; null when the context shows none. */
export function latestTopic(past: readonly Exchange[]): Topic | null {
  for (const exchange of past.toReversed()) {
    const topic = topicOf(exchange);
    if (topic !== null) return topic;
  }
  return null;
}
