/** Pure: server-sent events as bytes, cut into the pieces a network may deliver. */

export interface SseEvent {
  event?: string;
  /** JSON value, or text sent as it is (e.g. `[DONE]`). */
  data: unknown;
}

export interface Framing {
  lineEnd: '\n' | '\r\n';
  /** `event`: one write per event; `all`: everything at once; `byte`: one write per byte; `pairs`: two events per write; a number: pieces of so many bytes. */
  pieces: 'event' | 'all' | 'byte' | 'pairs' | number;
  /** A comment line before each event, as proxies and OpenRouter send them. */
  comments: boolean;
}

export const PLAIN: Framing = { lineEnd: '\n', pieces: 'event', comments: false };

export function eventText(event: SseEvent, framing: Framing): string {
  const end = framing.lineEnd;
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  const name = event.event === undefined ? '' : `event: ${event.event}${end}`;
  return `${framing.comments ? `: PROCESSING${end}${end}` : ''}${name}data: ${data}${end}${end}`;
}

/** The writes that carry the events. */
export function pieces(events: readonly SseEvent[], framing: Framing): Buffer[] {
  const whole = events.map((event) => Buffer.from(eventText(event, framing)));
  if (framing.pieces === 'event') return whole;
  if (framing.pieces === 'pairs') {
    return whole.flatMap((piece, index) => (index % 2 === 0 ? [Buffer.concat([piece, whole[index + 1] ?? Buffer.alloc(0)])] : []));
  }
  const all = Buffer.concat(whole);
  if (framing.pieces === 'all') return [all];
  const size = framing.pieces === 'byte' ? 1 : framing.pieces;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.subarray(index * size, (index + 1) * size));
}

/** Splits a recorded stream into its events. */
export function parseEvents(text: string): SseEvent[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => {
      const lines = block.split(/\r?\n/);
      const name = lines
        .find((line) => line.startsWith('event:'))
        ?.slice(6)
        .trim();
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      return { ...(name === undefined ? {} : { event: name }), data: data.join('\n') };
    })
    .filter((event) => event.data !== '');
}
