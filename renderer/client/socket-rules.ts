// Pure rules of the WebSocket transport: the link's token, the pause between attempts, the form of a frame.
import type { RpcEvents, RpcReply } from '../../shared/rpc.ts';

/** First pause and longest pause between two attempts, in milliseconds. */
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;

/** The token of `#token=…`, or null. */
export function tokenOfFragment(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token');
  return token === null || token === '' ? null : token;
}

/** The fragment without its token; `''` when nothing else is in it. */
export function withoutToken(fragment: string): string {
  const rest = new URLSearchParams(fragment.replace(/^#/, ''));
  rest.delete('token');
  const text = rest.toString();
  return text === '' ? '' : `#${text}`;
}

/** Pause before attempt number `attempt` (from 1), doubling up to a limit. */
export function reconnectDelay(attempt: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, Math.min(20, attempt - 1)));
}

/** A reply or a batch of events; null for anything else. */
export function parseFrame(data: unknown): RpcReply | RpcEvents | null {
  if (typeof data !== 'string') return null;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if ('events' in value && Array.isArray(value.events)) return value as RpcEvents;
  if ('id' in value && typeof value.id === 'number' && 'ok' in value) return value as RpcReply;
  return null;
}
