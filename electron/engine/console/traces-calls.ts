/** The calls of the contract that read large payloads of spans piece by piece, and which tools turns used. Reads only. */
import type { PayloadPart } from '../../../shared/api/traces.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { withRequest } from './inspection-calls.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

type TracesCalls = Pick<Handlers, 'readSpanText' | 'listToolsOfTurns'>;

/** The text last read is kept this long: whoever reads a piece reads the next one. */
const KEPT_MS = 30_000;

export function tracesCalls(parts: ServiceParts): TracesCalls {
  const { store, supervisor, archive, clock } = parts;
  let kept: { key: string; text: string; until: number } | null = null;
  const wholeText = async (spanId: string, part: PayloadPart): Promise<string> => {
    const key = `${part} ${spanId}`;
    // From the start it is read anew: the span may have ended, or been erased, since.
    await supervisor.flushTraces();
    await archive.flush();
    const detail = withRequest(spanId, await store.traces.readDetail(spanId), await store.archive.read(spanId));
    if (detail === null) throw new ConsoleError('not-found', 'Nothing is stored for this span any more.');
    const value = part === 'request' ? detail.request : detail.response;
    const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
    kept = { key, text, until: clock.now() + KEPT_MS };
    return text;
  };
  return {
    async readSpanText({ spanId, part, offset, characters }) {
      const again = offset > 0 && kept?.key === `${part} ${spanId}` && kept.until > clock.now() ? kept.text : null;
      const text = again ?? (await wholeText(spanId, part));
      const piece = pieceOf(text, offset, characters);
      if (piece.next === null) kept = null;
      return piece;
    },

    async listToolsOfTurns({ conversationId, limit }) {
      await requireConversation(store, conversationId);
      const turns = await store.conversations.readTurns(conversationId, { limit });
      return {
        turns: turns.flatMap(({ turn, messages }) => {
          const tools = [...new Set(messages.flatMap((message) => (message.toolCalls ?? []).map((call) => call.name)))];
          return tools.length === 0 ? [] : [{ turn, tools }];
        }),
      };
    },
  };
}

/** A piece of a text that never parts a surrogate pair. An offset after the end gives an empty last piece. */
function pieceOf(text: string, offset: number, characters: number) {
  const from = Math.min(offset, text.length);
  let to = Math.min(text.length, from + characters);
  const last = text.charCodeAt(to - 1);
  if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
  return { offset: from, text: text.slice(from, to), total: text.length, next: to < text.length ? to : null };
}
