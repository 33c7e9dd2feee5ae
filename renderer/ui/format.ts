// Numbers, times and names as people read them. Pure.
import { languageTag } from '../language/language.ts';

const THIN = new Intl.NumberFormat('en');
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DAY_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

const DAY_MS = 86_400_000;

export function formatCount(value: number): string {
  return THIN.format(Math.round(value));
}

/** An estimate wears `~`. */
export function formatEstimate(tokens: number): string {
  return `~${formatCount(tokens)}`;
}

/** Reported tokens; unknown is a word, never 0. */
export function formatReported(tokens: number | null | undefined): string {
  return tokens === null || tokens === undefined ? 'unknown' : formatCount(tokens);
}

/** Milliseconds up to a second, then seconds, then minutes. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Integer micro-USD; a missing price is a dash, never 0. Below a dollar in cents. */
export function formatCost(microUsd: number | null | undefined): string {
  if (microUsd === null || microUsd === undefined) return '–';
  if (microUsd < 1_000_000) return `${(microUsd / 10_000).toFixed(2)} ¢`;
  return `$${(microUsd / 1_000_000).toFixed(2)}`;
}

export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** A window of tokens, short: `400k`, `1M`. */
export function formatWindow(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(2))}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Today the clock, within a week the weekday, then the date. */
export function formatWhen(at: number, now: number): string {
  const startOfToday = new Date(now).setHours(0, 0, 0, 0);
  if (at >= startOfToday) return CLOCK.format(at);
  if (at >= startOfToday - 6 * DAY_MS) return WEEKDAY.format(at);
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? DAY.format(at) : DAY_YEAR.format(at);
}

/** As `formatWhen`, with the clock for days within a week: for turns. */
export function formatTurnTime(at: number, now: number): string {
  const when = formatWhen(at, now);
  return at >= now - 7 * DAY_MS && !when.includes(':') ? `${when} ${CLOCK.format(at)}` : when;
}

/** The day alone: today and yesterday in words, then with its weekday. `today` is the start of the present day. */
export function formatDay(at: number, today: number, words: { today: string; yesterday: string }): string {
  if (at >= today) return words.today;
  if (at >= new Date(today - DAY_MS / 2).setHours(0, 0, 0, 0)) return words.yesterday;
  const isThisYear = new Date(at).getFullYear() === new Date(today).getFullYear();
  return new Intl.DateTimeFormat(languageTag(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(at);
}

export function formatFullTime(at: number): string {
  return FULL.format(at);
}

/** Up to two initials, whole characters; `?` for nothing. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return '?';
  const letters =
    words.length === 1 ? Array.from(words[0] ?? '').slice(0, 2) : [words[0], words.at(-1)].map((word) => Array.from(word ?? '')[0]);
  return letters.join('').toLocaleUpperCase();
}

/** `1 turn`, `2 turns`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** One line of plain text, whitespace folded, whole characters. */
export function oneLine(text: string, most = 160): string {
  const flat = text
    .slice(0, most * 4)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = Array.from(flat);
  return characters.length <= most ? flat : `${characters.slice(0, most).join('')}…`;
}
