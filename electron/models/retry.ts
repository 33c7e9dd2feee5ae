/** Pure: our retry policy; the SDKs' own retries are off. */
import type { Failure } from './provider-errors.ts';

export interface RetryPolicy {
  /** Tries after the first one. */
  retries: number;
  /** First backoff; doubles with each try. Milliseconds. */
  baseMs: number;
  /** Longest wait; a provider that asks for more is not waited for. Milliseconds. */
  capMs: number;
  /** 0 to 1, for the jitter. */
  random(): number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 2, baseMs: 1000, capMs: 60_000, random: Math.random };

/** Part of the wait that is random, so that many consoles do not come back at the same moment. */
const JITTER = 0.25;

/**
 * Milliseconds to wait before another try, null when there must be none. The provider's own wait is a minimum; jitter only adds.
 * `attempt` counts the tries made so far, from 1.
 */
export function retryDelay(failure: Failure, attempt: number, policy: RetryPolicy): number | null {
  if (failure.retry === 'never') return null;
  const most = failure.retry === 'once' ? Math.min(1, policy.retries) : policy.retries;
  if (attempt > most) return null;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > policy.capMs) return null;
  const backoff = failure.retry === 'once' ? 0 : policy.baseMs * 2 ** (attempt - 1);
  const least = Math.max(asked, backoff);
  return Math.max(asked, Math.min(policy.capMs, Math.round(least * (1 + JITTER * policy.random()))));
}

/** `retry-after-ms` or `retry-after` (seconds or an HTTP date) in milliseconds; null without a usable one. */
export function retryAfterMs(headers: { get(name: string): string | null } | null | undefined, now: number): number | null {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const text = headers?.get('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Number.parseFloat(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** A protobuf duration such as `48s` or `1.5s`, in milliseconds; null when it is none. */
export function durationMs(text: unknown): number | null {
  const match = typeof text === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(text.trim()) : null;
  return match?.[1] === undefined ? null : Number.parseFloat(match[1]) * 1000;
}
