/** Pure: the demo model's mind: a table of intents, first match decides. */
import { say, type DemoStep, type DemoView } from './demo-view.ts';
import { explain, helpCenter, lost, problem } from './help-skill.ts';
import { foreignLanguage } from './language.ts';
import { mentionsInQuestion, type Mentions } from './mentions.ts';
import { openOffer } from './offers.ts';
import { followUp, listOrders, orderStatus } from './order-skill.ts';
import { refund } from './refund-skill.ts';
import { isAcceptance, isGoodbye, isGreeting, isRefusal, isThanks, wordsOf } from './short-answers.ts';
import { accept, decline, greet, handOffOnRequest, onlyEnglish, sayGoodbye, tellCapabilities, welcome } from './talk-skill.ts';
import { namesMatter, openTicketOnRequest, ticketStatus } from './ticket-skill.ts';
import { OTHER_ORDER, OWN_ORDER, POLICY, problemCategory, REFERENCE, REFUND, STATUS } from './topics.ts';

interface Heard {
  text: string;
  mentions: Mentions;
  /** Name of a language other than English; null: English, or too short to tell. */
  language: string | null;
}

interface Intent {
  name: string;
  matches: (heard: Heard) => boolean;
  handle: (view: DemoView) => DemoStep;
}

const HUMAN = '(?:human|person|someone|somebody|agent|representative|colleague|staff|operator|manager|supervisor)';
const WANTS_HUMAN = new RegExp(
  `\\b(?:speak|talk|chat|connect|transfer|hand|get|want|need|give|put|call)\\b.{0,30}\\b(?:real )?${HUMAN}\\b`,
  'i',
);
const NAMES_HUMAN = new RegExp(`\\b${HUMAN}\\b`, 'i');
const OPENS_TICKET = /\b(?:open|create|make|raise|file|log)\b.{0,20}\b(?:ticket|case|complaint)\b/i;
const LISTS_ORDERS =
  /\b(?:list|show|see|what are|which are|all|display|give me)\b.*\borders\b|\b(?:what|which)(?: of)?(?: (?:my|the|other|all|recent|past|old|older|open|new))* orders\b|\bhow many orders\b|\bany (?:\w+ )?orders\b|^my orders\b|\border history\b|\bwhat (?:have|did) i (?:order|buy|bought)/i;
const HELP_WORDS =
  /\b(?:shipping|delivery|warranty|account|password|privacy|data|payment|pay|paypal|card|damaged|cancel\w*|address|gift ?cards?|voucher|invoices?|receipt|returns?|label|international|customs|dut(?:y|ies)|hours|contact|sizes?|exchange|tracking|care|wash|discount|newsletter|policy|refunds?)\b/i;
const ASKS = /\?|^(?:what|when|where|which|who|why|how|can|could|do|does|is|are|may|will|would|should|tell me|explain)\b/i;
const CAN_DO =
  /\bwhat (?:can|could|do) you do\b|\bhow can you help\b|\bwho are you\b|\bare you (?:an? )?(?:ai|bot|robot|human|real)\b|\bcan you (?:please )?help\b|^help[.!?]*$/i;
/** All words of a bare follow-up such as "and 1043?" or "no, I meant the other one". */
const FOLLOW_UP_WORDS = new Set(
  "what about and how my other order orders one the ok okay so for is it no i mean meant that's that this with please then number to sorry yes it's hmm well another second or".split(
    ' ',
  ),
);

const isAboutOwnOrder = ({ text, mentions }: Heard): boolean =>
  mentions.orders.length > 0 || OWN_ORDER.test(text) || REFERENCE.test(text) || OTHER_ORDER.test(text);

/** Only words of a follow-up, and something it can follow up: a number or "other". */
function isBareFollowUp({ text, mentions }: Heard): boolean {
  if (mentions.orders.length === 0 && !OTHER_ORDER.test(text)) return false;
  return wordsOf(text).every((word) => FOLLOW_UP_WORDS.has(word) || /^\d+$/.test(word));
}

const isRefundQuestion = (heard: Heard): boolean =>
  REFUND.test(heard.text) &&
  (heard.mentions.orders.length > 0 || OTHER_ORDER.test(heard.text) || !POLICY.test(heard.text)) &&
  problemCategory(heard.text) === null;

/** "Open the ticket, please" after an offer is a yes to it. */
function openTicket(view: DemoView): DemoStep {
  return !namesMatter(view.question) && openOffer(view) !== null ? accept(view) : openTicketOnRequest(view);
}

const INTENTS: readonly Intent[] = [
  {
    name: 'foreign-refund',
    matches: ({ language, text, mentions }) => language !== null && REFUND.test(text) && mentions.orders.length > 0,
    handle: refund,
  },
  {
    name: 'foreign-status',
    matches: ({ language, text, mentions }) => language !== null && STATUS.test(text) && mentions.orders.length > 0,
    handle: orderStatus,
  },
  { name: 'foreign', matches: ({ language }) => language !== null, handle: onlyEnglish },
  { name: 'thanks', matches: ({ text }) => isThanks(text), handle: welcome },
  { name: 'decline', matches: ({ text }) => isRefusal(text), handle: decline },
  { name: 'accept', matches: ({ text }) => isAcceptance(text), handle: accept },
  { name: 'greeting', matches: ({ text }) => isGreeting(text), handle: greet },
  { name: 'goodbye', matches: ({ text }) => isGoodbye(text), handle: sayGoodbye },
  { name: 'capabilities', matches: ({ text }) => CAN_DO.test(text), handle: tellCapabilities },
  {
    name: 'human',
    matches: ({ text }) => WANTS_HUMAN.test(text) || (NAMES_HUMAN.test(text) && wordsOf(text).length <= 4),
    handle: handOffOnRequest,
  },
  { name: 'open-ticket', matches: ({ text }) => OPENS_TICKET.test(text), handle: openTicket },
  {
    name: 'ticket',
    matches: ({ text, mentions }) => mentions.tickets.length > 0 || /\b(?:my|the|this|that|which) (?:\w+ )?(?:ticket|case)\b/i.test(text),
    handle: ticketStatus,
  },
  { name: 'refund', matches: isRefundQuestion, handle: refund },
  { name: 'list-orders', matches: ({ text, mentions }) => mentions.orders.length === 0 && LISTS_ORDERS.test(text), handle: listOrders },
  { name: 'status', matches: (heard) => STATUS.test(heard.text) && isAboutOwnOrder(heard), handle: orderStatus },
  { name: 'problem', matches: ({ text }) => problemCategory(text) !== null && !/\bwhat if\b/i.test(text), handle: problem },
  { name: 'why', matches: ({ text }) => /^(?:but )?why\b(?: not)?[?!. ]*$|\bunfair\b|\bnot fair\b/i.test(text), handle: explain },
  { name: 'follow-up', matches: isBareFollowUp, handle: followUp },
  {
    name: 'named-order',
    matches: ({ text, mentions }) => mentions.orders.length > 0 && !HELP_WORDS.test(text) && !POLICY.test(text),
    handle: followUp,
  },
  { name: 'help', matches: ({ text }) => HELP_WORDS.test(text) || (ASKS.test(text) && wordsOf(text).length > 1), handle: helpCenter },
  { name: 'follow-up-loose', matches: ({ text, mentions }) => mentions.orders.length > 0 || OTHER_ORDER.test(text), handle: followUp },
  { name: 'lost', matches: () => true, handle: lost },
];

function hear(view: DemoView): Heard {
  return { text: view.question, mentions: mentionsInQuestion(view), language: foreignLanguage(view.question) };
}

/** The next step for a request, from nothing but the view of it. The same view gives the same step. */
export function decide(view: DemoView): DemoStep {
  const heard = hear(view);
  const intent = INTENTS.find(({ matches }) => matches(heard));
  if (intent === undefined) return lost(view);
  const step = intent.handle(view);
  if (step.kind === 'say' && heard.language !== null && intent.name !== 'foreign') {
    return say(`(This demo model only speaks English.) ${step.text}`);
  }
  return step;
}
