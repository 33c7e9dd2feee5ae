/** Pure: small talk, yes and no, handing over, other languages. */
import { say, withResults, type DemoStep, type DemoView } from './demo-view.ts';
import { CAPABILITIES } from './help-skill.ts';
import { foreignLanguage } from './language.ts';
import { mentionsInQuestion } from './mentions.ts';
import { openOffer, type Offer } from './offers.ts';
import { checkRefunds, openRefundRequests } from './refund-skill.ts';
import { openTicket } from './ticket-skill.ts';

const LONGEST_REASON = 400;

export const greet = (_view: DemoView): DemoStep => say(`Hello! I'm Nimbus. ${CAPABILITIES} What can I do for you?`);
export const tellCapabilities = (_view: DemoView): DemoStep =>
  say(`I'm Nimbus, played by a scripted demo model, not an AI. ${CAPABILITIES}`);
export const welcome = (_view: DemoView): DemoStep => say("You're welcome! Is there anything else I can do for you?");
export const sayGoodbye = (_view: DemoView): DemoStep => say('Goodbye, and thank you for writing to Nimbus!');

/** A human takes over; `reason` is for the colleague. */
function handOff(view: DemoView, reason: string): DemoStep {
  const input = { reason: reason.slice(0, LONGEST_REASON).toWellFormed() };
  return withResults(view, [{ name: 'handoff_to_human', arguments: input }], ([result = {}]) => {
    if ('error' in result) return say("I'm sorry, I could not reach a colleague just now. Please try again in a moment.");
    return say('I have asked a human colleague to take over. They can read our whole conversation, so you need not repeat anything.');
  });
}

export const handOffOnRequest = (view: DemoView): DemoStep => handOff(view, `Customer asks for a human: ${view.said.trim()}`);

function carryOut(view: DemoView, offer: Offer): DemoStep {
  const named = mentionsInQuestion(view).orders;
  switch (offer.kind) {
    case 'refund-request': {
      const outside = named.filter((order) => !offer.orders.includes(order));
      // An order that was not offered has not been checked either.
      if (outside.length > 0) return checkRefunds(view, named);
      return openRefundRequests(view, named.length > 0 ? named : offer.orders);
    }
    case 'problem-ticket': {
      const told = offer.problem.trim();
      const summary = told === '' ? 'Customer reports a problem; see the conversation.' : `Customer writes: ${told}`;
      return openTicket(view, { category: offer.category, summary, order: named[0] ?? offer.order });
    }
    case 'handoff':
      return handOff(view, 'Customer accepted the offer of a human colleague.');
  }
}

export function accept(view: DemoView): DemoStep {
  const offer = openOffer(view);
  if (offer !== null) return carryOut(view, offer);
  return say("I'm not sure what your yes is for: I see no open offer of mine in our conversation. What shall I do, and for which order?");
}

export function decline(view: DemoView): DemoStep {
  const offer = openOffer(view);
  if (offer === null) return say('All right. Is there anything else I can do for you?');
  return say("All right, then I won't do anything for now. Just tell me if you change your mind.");
}

export function onlyEnglish(view: DemoView): DemoStep {
  const language = foreignLanguage(view.question) ?? 'another language';
  return say(
    `I'm sorry, this demo model only speaks English (your message looks like ${language}). Please write in English, for example "refund for order 1042", or ask for a human.`,
  );
}
