/** Pure: a neutral history as Gemini contents: parts verbatim where they are Gemini's, signatures where the API wants them (P17–P19). */
import type { ContextMessage } from '../../shared/compaction.ts';
import { checksThoughtSignatures } from './catalog.ts';
import { isRecord, readRaw } from './raw-forms.ts';
import type { RawItem } from './raw-forms.ts';
import { parseJsonKeepingDigits } from './tool-arguments.ts';

const PROVIDER = 'gemini';
/** Google's documented stand-in for a signature that does not exist. */
export const SIGNATURE_SENTINEL = 'skip_thought_signature_validator';
/** More digits than a double holds; such a result goes as text, so that ids keep their digits. */
const LONG_NUMBER = /(?<![\w."])-?\d{16,}/;

export interface GeminiContent {
  role: 'user' | 'model';
  parts: RawItem[];
}

/** A call in the turn before: what its response must repeat. */
interface OpenCall {
  name: string;
  /** Only where Gemini gave one (P17). */
  givenId: string | null;
}

/** Writes checked messages; raw forms on them must be ones this model may see. */
export function geminiContents(model: string, messages: readonly ContextMessage[]): GeminiContent[] {
  const contents: GeminiContent[] = [];
  let open = new Map<string, OpenCall>();
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) break;
    if (message.role === 'user') contents.push({ role: 'user', parts: [{ text: message.content }] });
    else if (message.role === 'assistant') {
      const parts = modelParts(model, message);
      open = openCalls(message, parts);
      appendModelParts(contents, parts);
    } else {
      let end = index + 1;
      while (messages[end]?.role === 'tool') end += 1;
      contents.push({ role: 'user', parts: responseParts(open, messages.slice(index, end)) });
      index = end - 1;
    }
  }
  return checksThoughtSignatures(model) ? withSentinels(contents) : contents;
}

/** Gemini wants a call turn right after the user's, so messages of the model that follow each other become one turn, parts untouched. */
function appendModelParts(contents: GeminiContent[], parts: RawItem[]): void {
  const last = contents.at(-1);
  if (last?.role === 'model') last.parts.push(...parts);
  else contents.push({ role: 'model', parts: [...parts] });
}

function modelParts(model: string, message: ContextMessage): RawItem[] {
  const raw = readRaw(message, { provider: PROVIDER, model });
  // An empty text part says nothing and is refused, unless it carries a signature.
  if (raw !== null) return raw.filter((part) => part['text'] !== '' || Object.keys(part).length > 1);
  const text = message.content.trim() === '' ? [] : [{ text: message.content }];
  const calls = (message.toolCalls ?? []).map((call) => ({ functionCall: { name: call.name, args: call.arguments } }));
  return [...text, ...calls];
}

function openCalls(message: ContextMessage, parts: RawItem[]): Map<string, OpenCall> {
  const made = parts.flatMap((part) => (isRecord(part['functionCall']) ? [part['functionCall']] : []));
  return new Map(
    (message.toolCalls ?? []).map((call, index) => {
      const given = made[index]?.['id'];
      return [call.id, { name: call.name, givenId: typeof given === 'string' && given !== '' ? given : null }];
    }),
  );
}

/** One response per call, in call order. */
function responseParts(open: Map<string, OpenCall>, results: readonly ContextMessage[]): RawItem[] {
  const order = [...open.keys()];
  const sorted = [...results].sort((a, b) => order.indexOf(a.toolCallId ?? '') - order.indexOf(b.toolCallId ?? ''));
  return sorted.map((result) => {
    const call = open.get(result.toolCallId ?? '');
    return {
      functionResponse: {
        ...(call?.givenId === null || call === undefined ? {} : { id: call.givenId }),
        name: call?.name ?? result.toolName ?? 'tool',
        response: responseObject(result.content),
      },
    };
  });
}

/** Gemini takes objects only: a JSON object as it is, anything else under `result`. */
export function responseObject(content: string): Record<string, unknown> {
  if (LONG_NUMBER.test(content)) return { result: content };
  try {
    const value = parseJsonKeepingDigits(content);
    return isRecord(value) ? value : { result: value };
  } catch {
    return { result: content };
  }
}

/** In the active turn the first call of every step needs a signature; where there is no real one the sentinel stands (P19). */
function withSentinels(contents: GeminiContent[]): GeminiContent[] {
  const start = contents.findLastIndex(
    (content) => content.role === 'user' && content.parts.some((part) => typeof part['text'] === 'string'),
  );
  return contents.map((content, index) => {
    if (index < start || content.role !== 'model') return content;
    const first = content.parts.findIndex((part) => isRecord(part['functionCall']));
    const part = content.parts[first];
    if (part === undefined || typeof part['thoughtSignature'] === 'string') return content;
    return { ...content, parts: content.parts.with(first, { ...part, thoughtSignature: SIGNATURE_SENTINEL }) };
  });
}
