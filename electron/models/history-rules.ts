/** Pure: the rules every model API enforces on a history, as one checker, and the additive repair that makes any history pass it. */
import type { ContextMessage } from '../../shared/compaction.ts';
import type { ToolCall } from '../../shared/tool.ts';

/** Names both OpenAI and Gemini accept for a function. */
const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const TOOL_NAME_LENGTH = 64;

/** What stands for the result of a call that never finished: nobody knows whether it took effect. */
export const UNKNOWN_RESULT = '{"status":"unknown","reason":"interrupted"}';
const EMPTY_RESULT = '{"result":null,"note":"the tool returned nothing"}';
const OPENING_NOTE = '[Earlier messages of this conversation are not shown.]';

/** True when text has no half of a surrogate pair, at any depth of a JSON value, keys included. */
export function isWellFormedValue(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormedValue);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormedValue(inner));
}

/** The same JSON value with every lone surrogate replaced by U+FFFD; the very same value when there is none. */
export function toWellFormedValue<T>(value: T): T {
  return isWellFormedValue(value) ? value : (wellFormed(value) as T);
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== 'object') return value;
  const entries = new Map<string, unknown>();
  for (const [key, inner] of Object.entries(value)) {
    let name = key.toWellFormed();
    // Two different broken keys may become the same one; neither value may go.
    while (entries.has(name)) name += '\ufffd';
    entries.set(name, wellFormed(inner));
  }
  return Object.fromEntries(entries);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function callsOf(message: ContextMessage): ToolCall[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []) : [];
}

/**
 * Checks a history against the rules all providers share. Returns one sentence per problem, `[]` when it may be sent.
 * Rules: the first message is the user's; every call has exactly one result directly after its message; every result answers a call of the
 * message before it; call ids are unique; no empty content; tool names are legal; all text is well-formed UTF-16. An empty list is valid.
 */
export function checkHistory(messages: readonly ContextMessage[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let open = new Map<string, string>();
  let answered = new Set<string>();
  const closeGroup = (position: string) => {
    for (const [id, name] of open) problems.push(`${position}: call "${id}" (${name}) has no result`);
    open = new Map();
    answered = new Set();
  };
  if (messages[0] !== undefined && messages[0].role !== 'user') problems.push('message 1: the first message must be from the user');
  for (const [index, message] of messages.entries()) {
    const position = `message ${index + 1}`;
    problems.push(...checkMessage(message).map((problem) => `${position}: ${problem}`));
    if (message.role === 'tool') {
      const id = message.toolCallId ?? '';
      if (open.delete(id)) answered.add(id);
      else if (answered.has(id)) problems.push(`${position}: a second result for call "${id}"`);
      else problems.push(`${position}: the result for "${id}" answers no call of the message before it`);
      continue;
    }
    closeGroup(position);
    for (const call of callsOf(message)) {
      if (seen.has(call.id)) problems.push(`${position}: the call id "${call.id}" is used twice`);
      seen.add(call.id);
      open.set(call.id, call.name);
    }
  }
  closeGroup('end of the history');
  return problems;
}

/** What is wrong with one message by itself. */
function checkMessage(message: ContextMessage): string[] {
  const problems: string[] = [];
  const calls = callsOf(message);
  if (isBlank(message.content) && calls.length === 0) problems.push(`the ${message.role} message is empty`);
  if (message.role !== 'assistant' && (message.toolCalls?.length ?? 0) > 0) problems.push(`a ${message.role} message cannot call tools`);
  if (message.role !== 'tool' && message.toolCallId !== undefined) problems.push(`a ${message.role} message cannot answer a call`);
  for (const call of calls) {
    if (call.id === '') problems.push(`a call of "${call.name}" has no id`);
    if (!TOOL_NAME.test(call.name)) problems.push(`"${call.name}" is no legal tool name`);
  }
  if (!isWellFormedMessage(message)) problems.push('the text holds half of a surrogate pair');
  return problems;
}

function isWellFormedMessage(message: ContextMessage): boolean {
  return isWellFormedValue([
    message.content,
    message.toolCallId ?? '',
    message.toolName ?? '',
    message.toolCalls ?? [],
    message.providerRaw?.body ?? '',
  ]);
}

/**
 * Makes any list of messages pass `checkHistory` without losing text: it adds results for open calls, turns orphan results into notes,
 * renames repeated ids and drops only what is empty. A valid history comes back as the same message objects with no repairs. What it does
 * to a message depends on the messages before it and on the results that follow it, so a longer history keeps the same beginning.
 */
export function repairHistory(messages: readonly ContextMessage[]): { messages: ContextMessage[]; repairs: string[] } {
  const repairs: string[] = [];
  const clean = messages.flatMap((message, index) => repairMessage(message, index + 1, repairs));
  const repaired: ContextMessage[] = [];
  const ids = new Set<string>();
  for (let index = 0; index < clean.length; ) {
    const head = clean[index];
    if (head === undefined) break;
    let end = index + 1;
    if (head.role === 'tool') {
      repaired.push(orphanNote(head, repairs));
    } else {
      while (clean[end]?.role === 'tool') end += 1;
      repaired.push(...repairGroup(head, clean.slice(index + 1, end), ids, repairs));
    }
    index = end;
  }
  if (repaired[0] !== undefined && repaired[0].role !== 'user') {
    repairs.push('a note was put before the first message, which was not from the user');
    repaired.unshift({ role: 'user', content: OPENING_NOTE, kind: 'digest', origin: 'system', trust: 'trusted' });
  }
  return { messages: repaired, repairs };
}

/** Repairs one message by itself; `[]` when it is empty and goes. */
function repairMessage(message: ContextMessage, position: number, repairs: string[]): ContextMessage[] {
  let current = message;
  const change = (patch: Partial<ContextMessage>, repair: string) => {
    current = { ...current, ...patch };
    repairs.push(`message ${position}: ${repair}`);
  };
  if (!isWellFormedMessage(current)) {
    const raw = current.providerRaw;
    change(
      {
        ...toWellFormedValue({
          content: current.content,
          ...(current.toolCallId === undefined ? {} : { toolCallId: current.toolCallId }),
          ...(current.toolName === undefined ? {} : { toolName: current.toolName }),
          ...(current.toolCalls === undefined ? {} : { toolCalls: current.toolCalls }),
        }),
        ...(raw === undefined ? {} : { providerRaw: { ...raw, body: raw.body.toWellFormed() } }),
      },
      'half a surrogate pair became U+FFFD',
    );
  }
  if (current.role !== 'assistant' && (current.toolCalls?.length ?? 0) > 0) {
    const noted = (current.toolCalls ?? []).map((call) => `${call.name}(${JSON.stringify(call.arguments)})`).join(', ');
    change(
      { content: `${current.content}\n[Tool calls noted here: ${noted}]`, toolCalls: undefined },
      `calls on a ${current.role} message became text`,
    );
  }
  if (current.role !== 'tool' && current.toolCallId !== undefined) {
    change({ toolCallId: undefined }, `a ${current.role} message lost its call id`);
  }
  if (isBlank(current.content) && callsOf(current).length === 0) {
    if (current.role !== 'tool') {
      repairs.push(`message ${position}: an empty ${current.role} message was left out`);
      return [];
    }
    change({ content: EMPTY_RESULT }, 'an empty result was marked as empty');
  }
  return [current];
}

/** A message that is no result, with the results that follow it: every call gets exactly one, strays become notes behind them. */
function repairGroup(head: ContextMessage, results: readonly ContextMessage[], ids: Set<string>, repairs: string[]): ContextMessage[] {
  const original = callsOf(head);
  const calls = original.map((call) => legalCall(call, ids, repairs));
  const changed = calls.some((call, index) => call !== original[index]);
  const open = calls.map((call, index) => ({ call, originalId: original[index]?.id ?? '' }));
  const answers: ContextMessage[] = [];
  const notes: ContextMessage[] = [];
  for (const result of results) {
    const index = open.findIndex(({ originalId }) => originalId === (result.toolCallId ?? ''));
    const match = index < 0 ? undefined : open.splice(index, 1)[0];
    if (match === undefined) notes.push(orphanNote(result, repairs));
    else answers.push(match.call.id === result.toolCallId ? result : { ...result, toolCallId: match.call.id });
  }
  for (const { call } of open) {
    repairs.push(`call "${call.id}" (${call.name}) had no result; one that says "unknown" was added`);
    answers.push(unknownResult(call, head));
  }
  // The provider's own form still holds the old ids and names, so it cannot stay.
  return [changed ? { ...head, toolCalls: calls, providerRaw: undefined } : head, ...answers, ...notes];
}

/** The call with an id nobody used before and a legal name; the same object when both are so already. */
function legalCall(call: ToolCall, ids: Set<string>, repairs: string[]): ToolCall {
  const base = call.id === '' ? 'call' : call.id;
  let id = base;
  for (let suffix = 2; ids.has(id); suffix += 1) id = `${base}-${suffix}`;
  ids.add(id);
  const name = TOOL_NAME.test(call.name) ? call.name : legalName(call.name);
  if (id === call.id && name === call.name) return call;
  if (id !== call.id) repairs.push(`call id "${call.id}" became "${id}" to be unique`);
  if (name !== call.name) repairs.push(`tool name "${call.name}" became "${name}"`);
  return { ...call, id, name };
}

function legalName(name: string): string {
  const legal = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, TOOL_NAME_LENGTH);
  return /^[A-Za-z_]/.test(legal) ? legal : `_${legal}`.slice(0, TOOL_NAME_LENGTH);
}

function unknownResult(call: ToolCall, head: ContextMessage): ContextMessage {
  return {
    role: 'tool',
    content: UNKNOWN_RESULT,
    toolCallId: call.id,
    toolName: call.name,
    state: 'synthetic',
    origin: 'system',
    trust: 'trusted',
    ...(head.turn === undefined ? {} : { turn: head.turn }),
    ...(head.kind === undefined ? {} : { kind: head.kind }),
  };
}

/** A result without its call, as text: quoted data, so it stays untrusted. */
function orphanNote(result: ContextMessage, repairs: string[]): ContextMessage {
  const tool = result.toolName === undefined || result.toolName === '' ? 'a tool' : `the tool "${result.toolName}"`;
  repairs.push(`the result for "${result.toolCallId ?? ''}" answers no call; it became a note`);
  return {
    role: 'user',
    content: `[Late result of ${tool}, given here as data: ${result.content}]`,
    trust: 'untrusted',
    ...(result.origin === undefined ? {} : { origin: result.origin }),
    ...(result.turn === undefined ? {} : { turn: result.turn }),
    ...(result.kind === undefined ? {} : { kind: result.kind }),
  };
}
