/** Pure: text as search terms for recall. Words folded and stemmed, CJK as pairs, ids whole and in parts, dates as words. */
import { tokenSpans } from '../search/tokens.ts';

/** Words that say nothing about what is looked for. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about after again all also am an and any are as at be because been before being but by can could did do does doing done down for from had has have having he her here hers him his how i if in into is it its just let like me more most my no not now of off ok okay on one only or other our out over own please re said same say she should so some such than thank thanks that the their them then there these they this those through to too up us very was way we well were what when where which while who whom whose why will with would yeah yes you your yours ll ve s t d m don didn doesn isn wasn'.split(
    ' ',
  ),
);

/** Forms that no suffix rule finds. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  'bought:buy brought:bring built:build came:come caught:catch chose:choose chosen:choose drew:draw drove:drive driven:drive ate:eat eaten:eat fell:fall fallen:fall felt:feel flew:fly flown:fly found:find gave:give given:give went:go gone:go goes:go got:get gotten:get grew:grow grown:grow heard:hear held:hold kept:keep knew:know known:know led:lead left:leave lent:lend lost:lose made:make meant:mean met:meet paid:pay ran:run rode:ride sang:sing sat:sit saw:see seen:see sold:sell sent:send slept:sleep spoke:speak spoken:speak spent:spend stood:stand swam:swim taught:teach took:take taken:take thought:think told:tell tore:tear torn:tear understood:understand woke:wake won:win wore:wear worn:wear wrote:write written:write began:begin begun:begin broke:break broken:break became:become children:child men:man women:woman feet:foot teeth:tooth mice:mouse lives:life wives:wife knives:knife people:person'
    .split(' ')
    .map((pair) => {
      const [form = '', base = ''] = pair.split(':');
      return [form, base];
    }),
);

const SHORTEST_STEM = 3;
const PLAIN_WORD = /^[a-z]+$/;
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

/** The common stem of an English word's forms: `painting`, `painted`, `paints` → `paint`. Other words come back as they are. */
export function stem(word: string): string {
  const base = IRREGULAR.get(word);
  if (base !== undefined) return stem(base);
  if (word.length <= SHORTEST_STEM || !PLAIN_WORD.test(word)) return word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(root)) root = root.slice(0, -2);
  else if (root.endsWith('s') && !/(?:ss|us|is)$/.test(root)) root = root.slice(0, -1);
  const suffix = ['ingly', 'edly', 'ing', 'ed', 'ly'].find(
    (ending) => root.endsWith(ending) && /[aeiouy]/.test(root.slice(0, -ending.length)),
  );
  if (suffix !== undefined && root.length - suffix.length >= SHORTEST_STEM) {
    root = root.slice(0, -suffix.length);
    // `planned` → `plan`, but `called` → `call`.
    if (/([b-df-hj-kmnp-rtv-y])\1$/.test(root)) root = root.slice(0, -1);
  }
  if (root.length > SHORTEST_STEM && root.endsWith('e')) root = root.slice(0, -1);
  if (root.length > SHORTEST_STEM && root.endsWith('y')) root = `${root.slice(0, -1)}i`;
  return root;
}

/** All terms of a text, stop words left out, repeated ones repeated. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const { token } of tokenSpans(text)) {
    if (!STOP_WORDS.has(token)) terms.push(stem(token));
  }
  return terms;
}

/** Distinct terms of a question; CJK single characters only where there is nothing else. */
export function queryTermsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const { token } of tokenSpans(text, 'query')) if (!STOP_WORDS.has(token)) terms.add(stem(token));
  return [...terms];
}

/** A point in time as words: `2026`, `may`, `2026-05-08`. Empty for 0, which stands for an unknown time. */
export function dateTerms(at: number): string[] {
  if (at === 0) return [];
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return [];
  return [String(date.getUTCFullYear()), stem(MONTHS[date.getUTCMonth()] ?? ''), date.toISOString().slice(0, 10)];
}
