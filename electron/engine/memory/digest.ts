/** Pure: the short forms of a turn. Deterministic, made from the stored messages alone, so that a conversation stays usable without any summariser. */
import { CANNED_STATES, type StoredMessage, type StoredTurn, type Trust } from '../../../shared/conversation.ts';
import type { ToolCall, ToolEffect } from '../../../shared/tool.ts';
import { distinct, type Fact, factKey, factsOfJson, factsOfResult, factsOfText, parseResult } from './facts.ts';
import { queryTermsOf } from './recall-terms.ts';
import { soundMessages } from './sound-turn.ts';
import { shorten, wellFormed } from './text.ts';

/** Longest question and answer of a digest, in UTF-16 units. */
const QUESTION_LENGTH = 200;
const ANSWER_LENGTH = 260;
/** Facts kept of one call, and of a whole turn in its shortest form. */
const FACTS_OF_CALL = 80;
const FACTS_OF_TURN = 100;
const GIST_LENGTH = 48;
const TELLING_TERMS = 3;
/** A plain-text result is kept up to this length. */
const RESULT_LENGTH = 120;

export type DigestDetail = 'gist' | 'facts' | 'ids';

/** One turn in its short forms. JSON value; kept in the memory state until the turn goes to the archive. */
export interface TurnDigest {
  turn: number;
  /** UTC milliseconds of the question. */
  at: number;
  /** Question, one line per call with what it returned, answer. */
  text: string;
  /** The facts alone, most telling kinds first within the order of the turn. */
  facts: Fact[];
  /** What the customer wanted, in a few words; "" where the question says nothing by itself. */
  gist: string;
  /** How much of it the facts note shows; only ever lowered. */
  detail: DigestDetail;
  /** One line per completed side effect. */
  actions: string[];
  trust: Trust;
}

/** Verbs that begin the names of tools with a side effect, for calls whose tool is no longer known. */
const CHANGING_VERB =
  /^(?:create|open|book|cancel|update|modify|change|issue|send|refund|delete|remove|add|exchange|return|transfer|handoff|set|place|pay|submit|close|apply|upgrade|reschedule)(?:_|$)/;

/** Makes the digest of a turn. `effects` says which tools change something; a tool it does not know is judged by its name. */
export function digestTurn(turn: StoredTurn, effects?: ReadonlyMap<string, ToolEffect>): TurnDigest {
  const messages = soundMessages(turn);
  const lines: string[] = [];
  const facts: Fact[] = [];
  const actions: string[] = [];
  const question = messages.find((message) => message.role === 'user');
  const answer = messages.findLast((message) => message.role === 'assistant' && message.content.trim() !== '');
  if (question !== undefined) {
    lines.push(`${turn.turn} C: ${shortenKeepingFacts(oneLine(question.content), QUESTION_LENGTH)}`);
    facts.push(...factsOfText(question.content));
  }
  const answered = answerOf(answer);
  const said = new Set([...facts, ...answered.facts].map((fact) => factKey(fact.text)));
  for (const { call, result } of callsOf(messages)) {
    const args = factsOfJson(call.arguments);
    const returned = result === undefined ? [] : factsOfResult(result.content);
    lines.push(callLine(call, args, returned, result, said));
    facts.push(...args, ...returned);
    if (isCompletedAction(call, result, effects)) actions.push(actionLine(turn.turn, call, args, returned));
  }
  if (answered.line !== '') lines.push(answered.line);
  facts.push(...answered.facts);
  return {
    turn: turn.turn,
    at: question?.at ?? turn.startedAt,
    text: lines.join('\n'),
    facts: limitFacts(distinct(facts)),
    gist: question === undefined ? '' : gistOf(question.content),
    detail: 'gist',
    actions,
    trust: messages.some((message) => message.trust === 'untrusted') ? 'untrusted' : 'trusted',
  };
}

/** A question of a few common words ("yes, go ahead") says nothing later on. */
function gistOf(question: string): string {
  const text = oneLine(question);
  return queryTermsOf(text).length < TELLING_TERMS ? '' : shorten(text, GIST_LENGTH);
}

/** A canned answer of ours is named as such and holds no facts ([MEM-7]). */
function answerOf(answer: StoredMessage | undefined): { line: string; facts: Fact[] } {
  if (answer === undefined) return { line: '', facts: [] };
  if (answer.state !== undefined && CANNED_STATES.includes(answer.state))
    return { line: ' N: (no answer: a failure on our side)', facts: [] };
  const text = shortenKeepingFacts(oneLine(answer.content), ANSWER_LENGTH);
  const cut = answer.state === 'stopped' || answer.state === 'interrupted' ? ' (cut off)' : '';
  return { line: ` N: ${text}${cut}`, facts: factsOfText(answer.content) };
}

/** Calls of a turn with their results, in order. */
function callsOf(messages: readonly StoredMessage[]): { call: ToolCall; result: StoredMessage | undefined }[] {
  const pairs: { call: ToolCall; result: StoredMessage | undefined }[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.toolCalls === undefined) continue;
    const results: StoredMessage[] = [];
    for (let next = index + 1; messages[next]?.role === 'tool'; next += 1) {
      const result = messages[next];
      if (result !== undefined) results.push(result);
    }
    for (const call of message.toolCalls) {
      const found = results.findIndex((result) => result.toolCallId === call.id);
      pairs.push({ call, result: found < 0 ? undefined : results.splice(found, 1)[0] });
    }
  }
  return pairs;
}

function callLine(call: ToolCall, args: Fact[], returned: Fact[], result: StoredMessage | undefined, said: Set<string>): string {
  const own = args.filter((fact) => isNew(fact, said));
  const given = own.slice(0, FACTS_OF_CALL).map((fact) => fact.text);
  const head = ` ${call.name}(${given.join(' ')})`;
  if (result === undefined || result.state === 'synthetic') return `${head}: no result`;
  const fresh = returned.filter((fact) => isNew(fact, said)).slice(0, FACTS_OF_CALL);
  const text = fresh.map((fact) => fact.text).join(' ');
  if (parseResult(result.content) !== undefined) return text === '' ? head : `${head}: ${text}`;
  const plain = shortenKeepingFacts(oneLine(result.content), RESULT_LENGTH);
  return plain === '' ? head : `${head}: ${plain}`;
}

/** True the first time; what the turn's text says already is not repeated. */
function isNew(fact: Fact, said: Set<string>): boolean {
  const key = factKey(fact.text);
  if (said.has(key)) return false;
  said.add(key);
  return true;
}

/** Ids and addresses first when a turn has more facts than its shortest form can hold; the order of the turn otherwise. */
function limitFacts(facts: Fact[]): Fact[] {
  const useful = facts.filter((fact) => fact.kind !== 'status');
  if (useful.length <= FACTS_OF_TURN) return useful;
  const ids = useful.filter((fact) => fact.kind === 'id' || fact.kind === 'email').slice(0, FACTS_OF_TURN);
  const others = useful.filter((fact) => fact.kind !== 'id' && fact.kind !== 'email').slice(0, FACTS_OF_TURN - ids.length);
  const kept = new Set([...ids, ...others]);
  return useful.filter((fact) => kept.has(fact));
}

function isCompletedAction(call: ToolCall, result: StoredMessage | undefined, effects?: ReadonlyMap<string, ToolEffect>): boolean {
  const effect = effects?.get(call.name);
  const changes = effect === undefined ? CHANGING_VERB.test(call.name) : effect !== 'read';
  if (!changes || result === undefined || result.state === 'synthetic') return false;
  const value = parseResult(result.content);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return !('error' in value);
  return !/^\s*error\b/i.test(result.content);
}

const FACTS_OF_ACTION = 6;

function actionLine(turn: number, call: ToolCall, args: Fact[], returned: Fact[]): string {
  const given = distinct([...args, ...returned.filter((fact) => fact.kind === 'id')]).slice(0, FACTS_OF_ACTION);
  return `${turn} ${call.name}: ${given.map((fact) => fact.text).join(' ') || 'done'}`;
}

function oneLine(text: string): string {
  return wellFormed(text)
    .replaceAll(/[*_]{2,}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** As `shorten`; the facts behind the cut follow in brackets, so that no identifier is lost. */
export function shortenKeepingFacts(text: string, limit: number): string {
  const head = shorten(text, limit);
  if (head.length === text.length) return head;
  const shown = new Set(factsOfText(head).map((fact) => factKey(fact.text)));
  const lost = factsOfText(text).filter((fact) => !shown.has(factKey(fact.text)) && fact.kind !== 'status');
  return lost.length === 0
    ? head
    : `${head} [${lost
        .slice(0, FACTS_OF_CALL)
        .map((fact) => fact.text)
        .join(' ')}]`;
}
