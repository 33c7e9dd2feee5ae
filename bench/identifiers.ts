/** Pure: what the bench calls an identifier. Kept apart from the product's own extraction, so that one cannot flatter the other. */

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** `credit_card_4421486`, `mia_li_3668`. */
const UNDERSCORED = /\b[a-z]+(?:_[a-z]+)*_\d{3,}\b/g;
/** `#W2378156`, `HAT136`, `NO6JO3`, `SKU-2041-B`: capitals and digits in one word. */
const CODE = /\b(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*\b/g;
const AMOUNT = /(?<![\w.,:/#-])[$€£¥]?\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w:/-]|[.,]\d)/g;
/** Order and ticket numbers: `order 1043`, `#1043`, `order_id": 1043`. */
const NUMBER = /(?:#|\b(?:order|ticket|invoice|case|reservation)(?:[ _](?:id|number|no\.?))?["']?[:\s]*#?)(\d{3,})\b/gi;
/** Reservation codes of letters alone, named as such. */
const NAMED_CODE =
  /"reservation_id":\s*"([A-Z0-9]{6})"|reservation (?:ID|number)?[^A-Za-z0-9]{0,6}(?:is )?[^A-Za-z0-9]{0,4}\b([A-Z0-9]{6})\b/g;
const LEAST_AMOUNT = 20;
const SHORTEST_CODE = 4;

/** Ids of orders, users, reservations, payments and flights, e-mail addresses, and amounts from 20 up (as plain numbers). */
export function identifiersIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const match of text.matchAll(EMAIL)) found.add(match[0].toLowerCase());
  for (const match of text.matchAll(UNDERSCORED)) found.add(match[0]);
  for (const match of text.matchAll(CODE)) if (match[0].length >= SHORTEST_CODE) found.add(match[0]);
  for (const match of text.matchAll(NAMED_CODE)) found.add(match[1] ?? match[2] ?? '');
  for (const match of text.matchAll(NUMBER)) found.add(`#${match[1] ?? ''}`);
  for (const match of text.matchAll(AMOUNT)) {
    const value = Number(`${(match[1] ?? '').replaceAll(',', '')}${match[2] ?? ''}`);
    if (value >= LEAST_AMOUNT) found.add(String(value));
  }
  found.delete('');
  return found;
}
