/** Pure: the sizes of messages and histories as PHP's json_encode would write them. */
import type { NeutralMessage } from '../../../shared/conversation.ts';
import { phpMessageLength } from '../../../shared/php-json.ts';

/** `[]` around a list. */
const BRACKETS = 2;

/** Length of one message in the tutorial's snake_case shape, `provider_raw` included where there is one. */
export function phpChars(message: NeutralMessage): number {
  return phpMessageLength(message);
}

/** As `phpChars`, taking the size stored with the message where there is one: stored text never changes. */
export function storedChars(message: NeutralMessage & { phpChars?: number }): number {
  const stored = message.phpChars;
  return stored !== undefined && stored > 0 ? stored : phpChars(message);
}

/** Length of a JSON list whose items have these lengths: brackets and commas added. An empty list measures 2. */
export function listChars(lengths: readonly number[]): number {
  let sum = BRACKETS + Math.max(0, lengths.length - 1);
  for (const length of lengths) sum += length;
  return sum;
}

/** Length of the flat JSON list of messages: what every printed number uses. */
export function flatChars(messages: readonly NeutralMessage[]): number {
  return listChars(messages.map(phpChars));
}
