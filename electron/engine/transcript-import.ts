/** Pure: reads conversations in OpenAI chat form, one per line, and says what is wrong with each bad line. */
import type { Trust, TurnState } from '../../shared/conversation.ts';
import type { ToolCall } from '../../shared/tool.ts';

/** One message of an import; ids and times are given by whoever stores it. */
export interface ImportMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: ToolCall[];
  toolCallId?: string;
  toolName?: string;
  origin: 'import';
  trust: Trust;
}

export interface ImportConversation {
  /** From 1, in the file. */
  line: number;
  turns: { messages: ImportMessage[]; state: TurnState }[];
}

/** `errors`: one `line N: reason` per bad line; then nothing of the file may be stored. */
export type ImportResult = { conversations: ImportConversation[]; notices: string[] } | { errors: string[] };

/** Keys of a line that are known and left out on purpose. */
const IGNORED_KEYS = ['system', 'tools'];
const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

class LineError extends Error {}

/** Parses a whole file. Empty lines are skipped; a file without any conversation is an error. */
export function parseImport(text: string): ImportResult {
  const conversations: ImportConversation[] = [];
  const errors: string[] = [];
  const notices: string[] = [];
  const lines = text.replace(/^\ufeff/u, '').split(/\r\n|\n|\r/u);
  for (const [index, source] of lines.entries()) {
    if (source.trim() === '') continue;
    const line = index + 1;
    try {
      const parsed = parseLine(source);
      const turns = splitTurns(parsed.messages);
      conversations.push({ line, turns });
      notices.push(...parsed.notices.map((notice) => `line ${line}: ${notice}`));
      if (turns.at(-1)?.state === 'interrupted') notices.push(`line ${line}: ends without an answer; it stays open until you ask again`);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      errors.push(`line ${line}: ${error.message}`);
    }
  }
  if (errors.length > 0) return { errors };
  if (conversations.length === 0)
    return { errors: ['line 1: the file holds no conversation; put one JSON object with "messages" on each line'] };
  return { conversations, notices };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the parser says about a text that is no JSON: `: unexpected token '}' near …`, `: it ends too early`, or the position. */
function placeOfFault(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const told = error instanceof Error ? error.message : '';
    if (told.includes('end of JSON')) return ': it ends too early';
    const position = /at position (\d+)/.exec(told)?.[1];
    if (position !== undefined) return ` (at character ${Number(position) + 1})`;
    const token = /^Unexpected token (.{1,8}?), (.*) is not valid JSON$/su.exec(told);
    return token === null ? '' : `: ${token[1]} is not expected near ${quote(token[2] ?? '')}`;
  }
}

function parseLine(source: string): { messages: ImportMessage[]; notices: string[] } {
  const value = parseJson(source);
  if (value === undefined) throw new LineError(`is not valid JSON${placeOfFault(source)}`);
  if (!isRecord(value)) throw new LineError('is not a JSON object');
  if (!Array.isArray(value['messages'])) throw new LineError('has no "messages" list');
  const notices: string[] = [];
  for (const key of IGNORED_KEYS) if (value[key] !== undefined) notices.push(`"${key}" was left out`);
  const unknown = Object.keys(value).filter((key) => key !== 'messages' && !IGNORED_KEYS.includes(key));
  if (unknown.length > 0) notices.push(`${unknown.length} unknown key${unknown.length === 1 ? ' was' : 's were'} left out`);
  const reader = new MessageReader();
  for (const [index, message] of value['messages'].entries()) reader.read(message, `message ${index + 1}`);
  reader.finish();
  if (reader.systemMessages > 0)
    notices.push(`${reader.systemMessages} system message${reader.systemMessages === 1 ? ' was' : 's were'} left out`);
  if (reader.renamedIds > 0) notices.push(`${reader.renamedIds} call id${reader.renamedIds === 1 ? '' : 's'} used before got a number`);
  if (reader.messages.length === 0) throw new LineError('holds no messages');
  return { messages: reader.messages, notices };
}

/** Checks message after message; calls must be answered, one result each, before anybody speaks again. */
class MessageReader {
  readonly messages: ImportMessage[] = [];
  systemMessages = 0;
  /** Ids whose second use was told apart; recorded chats reuse an id for a repeated call. */
  renamedIds = 0;
  readonly #ids = new Set<string>();
  /** Unanswered calls: the file's id → the stored call. */
  readonly #open = new Map<string, ToolCall>();

  read(value: unknown, place: string): void {
    if (!isRecord(value)) throw new LineError(`${place} is not a JSON object`);
    switch (value['role']) {
      case 'system':
      case 'developer':
        this.systemMessages += 1;
        return;
      case 'user':
        this.#checkAnswered(place);
        this.#add({ role: 'user', content: filled(textOf(value['content'], place), place) });
        return;
      case 'assistant':
        this.#checkAnswered(place);
        this.#assistant(value, place);
        return;
      case 'tool':
        this.#result(value, place);
        return;
      default:
        throw new LineError(`${place} has no role of user, assistant, tool or system`);
    }
  }

  finish(): void {
    this.#checkAnswered('the end');
  }

  #add(message: Omit<ImportMessage, 'origin' | 'trust'>): void {
    this.messages.push({ ...message, origin: 'import', trust: 'untrusted' });
  }

  #checkAnswered(place: string): void {
    const [id] = this.#open.keys();
    if (id !== undefined) throw new LineError(`the call ${quote(id)} has no result before ${place}`);
  }

  #assistant(value: Record<string, unknown>, place: string): void {
    const content = textOf(value['content'], place);
    const made = value['tool_calls'];
    if (made !== undefined && made !== null && !Array.isArray(made)) throw new LineError(`${place}: "tool_calls" is not a list`);
    const calls = (made ?? []).map((call: unknown) => this.#call(call, place));
    if (calls.length === 0) {
      this.#add({ role: 'assistant', content: filled(content, place) });
      return;
    }
    this.#add({ role: 'assistant', content, toolCalls: calls });
  }

  #call(value: unknown, place: string): ToolCall {
    const made = isRecord(value) ? value['function'] : undefined;
    if (!isRecord(value) || !isRecord(made)) throw new LineError(`${place}: a tool call is not {"id", "type", "function"}`);
    const id = value['id'];
    if (typeof id !== 'string' || id === '') throw new LineError(`${place}: a tool call has no id`);
    if (this.#open.has(id)) throw new LineError(`${place}: the call id ${quote(id)} is used twice`);
    const name = made['name'];
    if (typeof name !== 'string' || !TOOL_NAME.test(name))
      throw new LineError(`${place}: the call ${quote(id)} has no valid function name`);
    const given = made['arguments'];
    const parsed = typeof given === 'string' ? (given.trim() === '' ? {} : parseJson(given)) : given;
    if (!isRecord(parsed)) throw new LineError(`${place}: the arguments of the call ${quote(id)} are no JSON object`);
    const call = { id: this.#uniqueId(id), name, arguments: parsed };
    this.#open.set(id, call);
    return call;
  }

  /** Ids are unique within a conversation: a later call that reuses one gets a number behind it. */
  #uniqueId(id: string): string {
    let unique = id;
    for (let count = 2; this.#ids.has(unique); count += 1) unique = `${id}-${count}`;
    if (unique !== id) this.renamedIds += 1;
    this.#ids.add(unique);
    return unique;
  }

  #result(value: Record<string, unknown>, place: string): void {
    const id = value['tool_call_id'];
    if (typeof id !== 'string' || id === '') throw new LineError(`${place}: a tool result has no tool_call_id`);
    const call = this.#open.get(id);
    if (call === undefined) {
      const why = this.#ids.has(id) ? 'is a second or late result for the call' : 'answers no call before it:';
      throw new LineError(`${place} ${why} ${quote(id)}`);
    }
    this.#open.delete(id);
    this.#add({ role: 'tool', content: textOf(value['content'], place), toolCallId: call.id, toolName: call.name });
  }
}

/** The text of a message: a string, null, or a list of text parts, which are joined. */
function textOf(content: unknown, place: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content.toWellFormed();
  if (!Array.isArray(content)) throw new LineError(`${place}: "content" is neither text nor a list of text parts`);
  return content
    .map((part: unknown) => {
      if (isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string') return part['text'];
      throw new LineError(`${place}: only text parts can be imported`);
    })
    .join('')
    .toWellFormed();
}

function filled(content: string, place: string): string {
  if (content.trim() === '') throw new LineError(`${place} has neither text nor tool calls`);
  return content;
}

const QUOTED_LENGTH = 80;

/** A value of the file inside a message for a person: short, and without control or direction characters. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, QUOTED_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '�'));
}

/** Turns begin with a user message; what lies before the first one is a turn of its own. */
function splitTurns(messages: readonly ImportMessage[]): ImportConversation['turns'] {
  const turns: ImportMessage[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last === undefined || message.role === 'user') turns.push([message]);
    else last.push(message);
  }
  return turns.map((turn) => ({ messages: turn, state: endsWithAnswer(turn) ? 'answered' : 'interrupted' }));
}

function endsWithAnswer(turn: readonly ImportMessage[]): boolean {
  const last = turn.at(-1);
  return last?.role === 'assistant' && last.content.trim() !== '';
}
