/** Pure: which requests the browser host takes at all, before it looks at their path. */
import type { IncomingHttpHeaders } from 'node:http';
import { MAX_REQUEST_BYTES } from '../../../shared/rpc.ts';

export type Refusal = { status: 403 | 413 | 415; reason: string };

const READING = new Set(['GET', 'HEAD']);

/** The two names of this machine, with our port. Anything else is a name that somebody pointed at 127.0.0.1. */
export function allowedHosts(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

function isForeignOrigin(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}

/** A browser says with Sec-Fetch-Site who asked; a program that sends none has to have the cookie anyway. */
function isForeignSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Host, origin and size of any request. null: nothing against it. */
export function refuseRequest(method: string, headers: IncomingHttpHeaders, port: number): Refusal | null {
  if (headers.host === undefined || !allowedHosts(port).includes(headers.host)) return { status: 403, reason: 'unknown host name' };
  if (isForeignOrigin(headers)) return { status: 403, reason: 'foreign origin' };
  if (!READING.has(method) && isForeignSite(headers)) return { status: 403, reason: 'foreign site' };
  if (Number(headers['content-length'] ?? 0) > MAX_REQUEST_BYTES) return { status: 413, reason: 'larger than 1 MiB' };
  return null;
}

/** What a request that changes something must bring: our own origin and JSON, which no form can send. */
export function refuseChange(headers: IncomingHttpHeaders): Refusal | null {
  if (headers.origin === undefined) return { status: 403, reason: 'no origin' };
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return { status: 415, reason: 'JSON only' };
  return null;
}

/** A WebSocket is opened by a page of ours only. */
export function refuseSocket(headers: IncomingHttpHeaders, port: number): Refusal | null {
  if (headers.origin === undefined) return { status: 403, reason: 'no origin' };
  return refuseRequest('POST', headers, port);
}
