// A request as text to take away: JSON, OpenAI messages, a curl command. Pure. No key is ever in a request; curl names a variable for it.
import type { ContextMessage } from '../../shared/compaction.ts';
import type { InspectedRequest } from '../../shared/inspection.ts';

export const REQUEST_FORMATS = ['json', 'openai', 'curl'] as const;
export type RequestFormat = (typeof REQUEST_FORMATS)[number];

type Taken = Pick<InspectedRequest, 'system' | 'tools' | 'messages' | 'model'>;

export function requestText(request: Taken, format: RequestFormat): string {
  switch (format) {
    case 'json':
      return JSON.stringify({ model: request.model, system: request.system, tools: request.tools, messages: request.messages }, null, 2);
    case 'openai':
      return JSON.stringify(openAiMessages(request), null, 2);
    case 'curl':
      return curl(request);
  }
}

/** In the form of OpenAI's chat completions, system prompt first. */
export function openAiMessages(request: Pick<Taken, 'system' | 'messages'>): Record<string, unknown>[] {
  return [{ role: 'system', content: request.system }, ...request.messages.map(openAiMessage)];
}

function openAiMessage(message: ContextMessage): Record<string, unknown> {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId ?? '', content: message.content };
  const calls = (message.toolCalls ?? []).map((call) => {
    return { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } };
  });
  return calls.length === 0
    ? { role: message.role, content: message.content }
    : { role: message.role, content: message.content === '' ? null : message.content, tool_calls: calls };
}

function curl(request: Taken): string {
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  const model = request.model.slice(request.model.indexOf('/') + 1);
  const body = JSON.stringify({ model, messages: openAiMessages(request), ...(tools.length > 0 && { tools }) }, null, 2);
  return [
    'curl https://api.openai.com/v1/chat/completions \\',
    '  -H "Authorization: Bearer $NIMBUS_OPENAI_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data-binary ${inQuotes(body)}`,
  ].join('\n');
}

/** For a POSIX shell: nothing inside single quotes is read by it. */
function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export interface TextPiece {
  text: string;
  differs: boolean;
}

/** The two texts in pieces: what both begin and end with, and the middle in which they differ. */
export function differingPieces(before: string, after: string): { before: TextPiece[]; after: TextPiece[] } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const pieces = (text: string): TextPiece[] =>
    [
      { text: text.slice(0, start), differs: false },
      { text: text.slice(start, text.length - end), differs: true },
      { text: text.slice(text.length - end), differs: false },
    ].filter((piece) => piece.text !== '');
  return { before: pieces(before), after: pieces(after) };
}
