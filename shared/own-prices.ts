/** Pure data: prices and windows a person writes down for models that the catalog does not hold, or holds with another price. */
import { z } from 'zod';
import { issueText } from './issue-text.ts';

/** Longest list, in characters. */
const LONGEST = 20_000;
/** Micro-USD per million tokens; 1,000,000 = one US dollar per million. */
const rate = z.number().int().min(0).max(10_000_000_000);

const entrySchema = z.strictObject({
  input: rate,
  /** Absent: cached input costs as much as other input. */
  cachedInput: rate.optional(),
  /** Absent: writing to the cache costs as much as other input. */
  cacheWrite: rate.optional(),
  output: rate,
  /** Input and output together, in tokens. */
  window: z.number().int().positive().max(1_000_000_000).optional(),
});
const listSchema = z.record(z.string().regex(/^[^/\s]+\/\S+$/, 'a model is written PROVIDER/MODEL'), entrySchema);

export type OwnPrice = z.infer<typeof entrySchema>;
/** By `PROVIDER/MODEL`. */
export type OwnPrices = Readonly<Record<string, OwnPrice>>;

/** Reads the setting `models.prices`; "" holds none. Returns the list or a sentence that says what is wrong. */
export function parseOwnPrices(text: string): { ok: true; prices: OwnPrices } | { ok: false; reason: string } {
  if (text.trim() === '') return { ok: true, prices: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'own prices are JSON: {"PROVIDER/MODEL": {"input": 250000, "output": 2000000}}' };
  }
  const parsed = listSchema.safeParse(value);
  if (parsed.success) return { ok: true, prices: parsed.data };
  const issue = parsed.error.issues[0];
  return { ok: false, reason: `own prices: ${issueText(issue, issue?.path.join(' → ') || 'the list')}` };
}

/** The form of the setting: text that reads as a list. */
export const ownPricesText = z
  .string()
  .max(LONGEST)
  .superRefine((text, context) => {
    const parsed = parseOwnPrices(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.reason });
  });
