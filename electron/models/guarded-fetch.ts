/** I/O: the fetch our adapters give to the SDKs. Only headers we know leave, keys come from us alone, redirects are not followed. */

/** Headers of the SDKs that may pass; their telemetry and whatever the environment made them add may not. */
const PASSED_HEADERS = ['accept', 'content-type'];
const USER_AGENT = 'nimbus-console';

/** Who looks on while a request leaves and its answer comes. */
export interface Onlooker {
  /** Called for every piece of a body, comments and pings included. */
  touch: () => void;
  /** Given the body before it leaves; what it throws keeps the request from being sent. */
  sent?: (body: string) => Promise<void>;
}

export interface GuardedFetchOptions extends Onlooker {
  /** Headers that carry the key; empty without one. */
  keyHeaders: Record<string, string>;
  /** Some compatible servers answer a streaming request with one JSON body; it then becomes one event. */
  jsonBecomesEvent: boolean;
}

/** Makes the fetch for one request. Fails as the global fetch does. */
export function guardedFetch(options: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers({ 'user-agent': USER_AGENT, ...options.keyHeaders });
    for (const name of PASSED_HEADERS) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (options.sent !== undefined && init?.body !== undefined && init.body !== null)
      await options.sent(await new Response(init.body).text());
    // A redirect could carry a key header to another host.
    const response = await fetch(input, { ...init, headers, redirect: 'manual' });
    options.touch();
    if (response.body === null) return response;
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          options.touch();
          controller.enqueue(chunk);
        },
      }),
    );
    const isJson = (response.headers.get('content-type') ?? '').includes('application/json');
    if (options.jsonBecomesEvent && response.ok && isJson) return jsonAsEvents(await new Response(watched).text());
    return new Response(watched, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

function jsonAsEvents(text: string): Response {
  const oneLine = text.replaceAll(/[\r\n]+/g, ' ').trim();
  const body = oneLine === '' ? '' : `data: ${oneLine}\n\ndata: [DONE]\n\n`;
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
