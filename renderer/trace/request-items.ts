// A model call's stored request as rows in wire order. Pure; takes any value and gives null for one it does not know.
import { oneLine } from '../ui/format.ts';
import { callInWords, resultInWords } from '../turns/tool-values.ts';

export interface RequestItem {
  number: number;
  label: string;
  /** One line. */
  text: string;
  /** Everything, as text or JSON. */
  whole: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageItem(message: Record<string, unknown>): Omit<RequestItem, 'number'> {
  const content = typeof message.content === 'string' ? message.content : '';
  const kind = typeof message.kind === 'string' ? message.kind : null;
  const turn = typeof message.turn === 'number' ? `, turn ${message.turn}` : '';
  const role = typeof message.role === 'string' ? message.role : 'message';
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : [];
  if (role === 'tool')
    return {
      label: `result${turn}`,
      text: `${typeof message.toolName === 'string' ? message.toolName : ''} ${resultInWords(content)}`.trim(),
      whole: content,
    };
  const called = calls.map((call) => callInWords(String(call.name), isObject(call.arguments) ? call.arguments : {})).join(' ');
  const text = [oneLine(content), called].filter((part) => part !== '').join(' ');
  return { label: `${kind ?? role}${turn}`, text, whole: calls.length === 0 ? content : message };
}

/** System prompt, tools and messages of a neutral request; null for any other value. */
export function requestItems(request: unknown): RequestItem[] | null {
  if (!isObject(request) || !Array.isArray(request.messages)) return null;
  const items: Omit<RequestItem, 'number'>[] = [];
  if (typeof request.system === 'string') items.push({ label: 'system', text: oneLine(request.system), whole: request.system });
  if (Array.isArray(request.tools)) {
    const names = request.tools.filter(isObject).map((tool) => String(tool.name));
    items.push({ label: `${names.length} tools`, text: names.join(', '), whole: request.tools });
  }
  for (const message of request.messages.filter(isObject)) items.push(messageItem(message));
  return items.map((item, index) => ({ ...item, number: index + 1 }));
}
