/** Pure: the PHP tutorial's memory, rewritten literally, as the oracle for `recent-turns`. */
import type { NeutralMessage } from '../../../shared/conversation.ts';

type Message = Record<string, unknown> & { role: string; content: string | null };

export function tutorialShape(message: NeutralMessage): Message {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, name: message.toolName, content: message.content };
  const shape: Message = { role: message.role, content: message.content };
  const list = message.toolCalls ?? [];
  if (list.length > 0) {
    if (message.content === '') shape.content = null;
    shape['tool_calls'] = list.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
  }
  if (message.providerRaw !== undefined) shape['provider_raw'] = JSON.parse(message.providerRaw.body);
  return shape;
}

/** strlen(json_encode($value)): slashes and everything beyond ASCII escaped. */
export function strlenJsonEncode(value: unknown): number {
  const escaped = JSON.stringify(value).replaceAll('/', '\\/');
  let length = 0;
  for (let index = 0; index < escaped.length; index += 1) length += escaped.charCodeAt(index) > 0x7f ? 6 : 1;
  return length;
}

function splitIntoTurns(messages: Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'user' || turns.length === 0) turns.push([]);
    turns.at(-1)!.push(message);
  }
  return turns;
}

function compactTurn(turn: Message[]): Message[] {
  const compact = [turn[0]!];
  for (const message of turn.toReversed()) {
    if (message.role === 'assistant' && /[^ \t\n\r\0\v]/.test(message.content ?? '')) {
      compact.push({ role: 'assistant', content: message.content });
      break;
    }
  }
  return compact;
}

export function tutorialContext(messages: Message[], recentTurns: number, maxChars: number): Message[] {
  const turns = splitIntoTurns(messages);
  const keepFullFrom = turns.length - recentTurns;
  for (const [index, turn] of turns.entries()) if (index < keepFullFrom) turns[index] = compactTurn(turn);
  while (turns.length > 1 && strlenJsonEncode(turns) > maxChars) turns.shift();
  return turns.flat();
}
