/** Pure: short answers that mean something by themselves: yes, no, thanks, hello, goodbye. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const YES = words('yes yeah yep yup sure ok okay absolutely definitely certainly agreed alright right correct ahead');
const CLEAR_YES = words('yes yeah yep yup');
const YES_FILLER = words(
  'please do it that so thanks thank you a an the great good sounds fine of course i would like to will be nice perfect very much nimbus go open refund request ticket for order orders lovely and both all them then lets this help appreciated just',
);
const YES_PHRASE =
  /^(?:do it|please(?: do)?$|please do it|go (?:ahead|for it)|i would like (?:that|it)|of course|sounds good|that would be (?:great|nice|good|lovely))\b/;
const NO = words('no nope nah');
const NO_FILLER = words(
  "thanks thank you please not now later i don't dont need want it that that's thats all fine good for nothing else never mind nimbus ok okay is will be today this leave do",
);
const NO_PHRASE = /^(?:not now|never ?mind|no need|don't|leave it|that's all|nothing else)\b/;
const THANKS = words('thanks thank thx cheers ty appreciated');
const THANKS_FILLER = words(
  'you very much so a lot ok okay great perfect that was helpful for your the help nimbus many it is this wonderful awesome cool nice good really to all and everything',
);
const GREETING = words('hi hello hey greetings howdy hiya morning afternoon evening');
const GREETING_FILLER = words('good there nimbus again everyone team dear day to you how are');
const GOODBYE = words('bye goodbye farewell cya');
const GOODBYE_FILLER = words('thanks thank you for now good and have a nice day see later nimbus ok okay all the help your take care');

/** Lower-case words without punctuation; numbers are words too. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  );
}

/** True when some word is of the first kind and every word is of either kind. */
function consistsOf(text: string, telling: ReadonlySet<string>, filler: ReadonlySet<string>): boolean {
  const all = wordsOf(text);
  return all.some((word) => telling.has(word)) && all.every((word) => telling.has(word) || filler.has(word) || /^\d+$/.test(word));
}

const opens = (text: string, phrase: RegExp): boolean => phrase.test(wordsOf(text).join(' '));
const firstWord = (text: string): string => wordsOf(text)[0] ?? '';

export function isThanks(text: string): boolean {
  return consistsOf(text, THANKS, THANKS_FILLER);
}

/** "Yes please", "ok do it", "sure, for 1042"; not "yes, but how long does it take?" and not "a refund for both please". */
export function isAcceptance(text: string): boolean {
  if (isThanks(text) || isRefusal(text)) return false;
  const opensWithYes = YES.has(firstWord(text)) || opens(text, YES_PHRASE) || wordsOf(text).some((word) => CLEAR_YES.has(word));
  return opensWithYes && wordsOf(text).every((word) => YES.has(word) || YES_FILLER.has(word) || /^\d+$/.test(word));
}

export function isRefusal(text: string): boolean {
  const isNo = NO.has(firstWord(text)) || opens(text, NO_PHRASE);
  return isNo && wordsOf(text).every((word) => NO.has(word) || NO_FILLER.has(word));
}

export function isGreeting(text: string): boolean {
  return consistsOf(text, GREETING, GREETING_FILLER);
}

export function isGoodbye(text: string): boolean {
  return consistsOf(text, GOODBYE, GOODBYE_FILLER) || /^see you\b/i.test(wordsOf(text).join(' '));
}
