/** Pure: answers from the help centre, troubles, and what to say when nothing fits. */
import { recordsOf, say, textOf, withResults, type DemoStep, type DemoView } from './demo-view.ts';
import { meantOrders } from './meant-orders.ts';
import { offerText } from './offers.ts';
import { wordsOf } from './short-answers.ts';
import { latestTopic, problemCategory } from './topics.ts';

const LONGEST_QUERY = 400;
/** Words shorter than this say too little to prove that an article fits. */
const TELLING_LENGTH = 4;
const COMMON_WORDS = new Set(
  'what when where which would could about have does your with that this there from they them then than will into some help tell please know want need like just make long order orders item items'.split(
    ' ',
  ),
);

/** Rough on purpose: both sides are cut the same way. `cancelling`, `cancel` → `cancel`. */
const stem = (word: string): string =>
  word
    .replace(/(?:ies|es|s|ed|ing|y)$/, '')
    .replace(/([^aeiou])\1$/, '$1')
    .slice(0, 8);

/** An article answers a question when its title, or its text twice, speaks of the same things. */
function fits(question: string, article: Record<string, unknown>): boolean {
  const telling = new Set(
    wordsOf(question)
      .filter((word) => word.length >= TELLING_LENGTH && !COMMON_WORDS.has(word))
      .map(stem),
  );
  const stems = (text: string): Set<string> => new Set(wordsOf(text).map(stem));
  const [title, body] = [stems(textOf(article, 'title')), stems(textOf(article, 'snippet'))];
  const hits = [...telling].filter((word) => title.has(word) || body.has(word));
  return hits.some((word) => title.has(word)) || hits.length >= 2 || (telling.size === 1 && hits.length === 1);
}

export const CAPABILITIES =
  'I can check whether an order can be refunded, tell you the status of an order, list your orders, look up or open a support ticket, search the help centre, and hand you over to a human colleague.';

export function lost(_view: DemoView): DemoStep {
  return say(`I'm sorry, I'm not sure what you mean; I'm only a scripted demo model. ${CAPABILITIES} What shall I do?`);
}

/** Searches for `query` and goes on with the first article that fits it. */
function searchHelp(view: DemoView, query: string, then: (article: Record<string, unknown> | null) => DemoStep): DemoStep {
  const words = query.trim().slice(0, LONGEST_QUERY).toWellFormed();
  return withResults(view, [{ name: 'search_help_center', arguments: { query: words } }], ([result = {}]) => {
    if ('error' in result) return say(`I'm sorry, I could not search the help centre. ${textOf(result, 'message')}`.trim());
    return then(recordsOf(result, 'articles').find((article) => fits(query, article)) ?? null);
  });
}

const quoted = (article: Record<string, unknown>): string =>
  `From our help article "${textOf(article, 'title')}": ${textOf(article, 'snippet')}`;

export function helpCenter(view: DemoView): DemoStep {
  return searchHelp(view, view.question, (article) => {
    if (article !== null) return say(quoted(article));
    return say(`I'm sorry, I found no help article about that. ${CAPABILITIES} ${offerText({ kind: 'handoff' })}`);
  });
}

/** "Why?" after an answer about a refund: the rule in the shop's own words. */
export function explain(view: DemoView): DemoStep {
  if (latestTopic(view.past) !== 'refund') return lost(view);
  return searchHelp(view, 'refunds within 14 days', (article) =>
    say(`${article === null ? 'Refunds follow a fixed rule of our shop.' : quoted(article)}\n${offerText({ kind: 'handoff' })}`),
  );
}

/** What to search for: the words of the help centre rather than the customer's. */
const PROBLEM_QUERIES: Readonly<Record<string, string>> = {
  damaged: 'parcel arrived damaged',
  shipping: 'lost parcel delivered but not there',
  payment: 'payment methods card charged',
  warranty: 'warranty repair faulty',
  exchange: 'exchange size wrong item',
};

/** A trouble: what the help centre says, and the offer of a ticket. The order is the one named, or the only one just discussed. */
export function problem(view: DemoView): DemoStep {
  const category = problemCategory(view.question) ?? 'other';
  const meant = meantOrders(view, true);
  const order = meant.kind === 'known' && meant.orders.length === 1 ? (meant.orders[0] ?? null) : null;
  const offer = offerText({ kind: 'problem-ticket', category, order, problem: view.question });
  const query = PROBLEM_QUERIES[category] ?? view.question;
  return searchHelp(view, query, (article) => say(`I'm sorry to hear that.${article === null ? '' : ` ${quoted(article)}`}\n${offer}`));
}
