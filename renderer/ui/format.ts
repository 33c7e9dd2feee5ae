// Numbers, times and names as people read them. Pure.
import { languageTag, words } from '../language/language.ts';

const FORMATS = {
  clock: { hour: '2-digit', minute: '2-digit' },
  weekday: { weekday: 'short' },
  day: { day: 'numeric', month: 'short' },
  dayYear: { day: 'numeric', month: 'short', year: 'numeric' },
  full: { dateStyle: 'full', timeStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Making a formatter is slow, lists need one per cell: kept per language. */
const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

function dateFormat(name: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${languageTag()} ${name}`;
  const known = dates.get(key) ?? new Intl.DateTimeFormat(languageTag(), FORMATS[name]);
  dates.set(key, known);
  return known;
}

/** A number with exactly `digits` digits after the decimal mark of the language; grouped only where `grouped`. */
function decimal(value: number, digits: number, grouped = false): string {
  const key = `${languageTag()} ${digits} ${grouped}`;
  const known =
    numbers.get(key) ??
    new Intl.NumberFormat(languageTag(), { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: grouped });
  numbers.set(key, known);
  return known.format(value);
}

const DAY_MS = 86_400_000;

export function formatCount(value: number): string {
  return decimal(Math.round(value), 0, true);
}

/** An estimate wears `~`. */
export function formatEstimate(tokens: number): string {
  return `~${formatCount(tokens)}`;
}

/** Reported tokens; unknown is a word, never 0. */
export function formatReported(tokens: number | null | undefined): string {
  return tokens === null || tokens === undefined ? words().everywhere.unknown : formatCount(tokens);
}

/** Milliseconds up to a second, then seconds, then minutes. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${decimal(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `$1.20`, in German `1,20 $`. */
function dollars(amount: number): string {
  return languageTag() === 'de-DE' ? `${decimal(amount, 2)} $` : `$${decimal(amount, 2)}`;
}

/** Integer micro-USD; a missing price is a dash, never 0. Below a dollar in cents. */
export function formatCost(microUsd: number | null | undefined): string {
  if (microUsd === null || microUsd === undefined) return '–';
  if (microUsd < 1_000_000) return `${decimal(microUsd / 10_000, 2)} ¢`;
  return dollars(microUsd / 1_000_000);
}

/** Minor units of an ISO 4217 currency, as the language writes them; a code the platform does not know stands behind the number. */
export function formatMoney(minor: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat(languageTag(), { style: 'currency', currency });
    return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  } catch {
    return `${decimal(minor / 100, 2)} ${currency}`;
  }
}

export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? decimal(percent, 1) : Math.round(percent)} %`;
}

/** A window of tokens, short: `400k`, `1M`. */
export function formatWindow(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(2))}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${decimal(bytes / 1024, 1)} KB` : `${decimal(bytes / 1024 / 1024, 1)} MB`;
}

/** Today the clock, within a week the weekday, then the date. */
export function formatWhen(at: number, now: number): string {
  const startOfToday = new Date(now).setHours(0, 0, 0, 0);
  if (at >= startOfToday) return dateFormat('clock').format(at);
  if (at >= startOfToday - 6 * DAY_MS) return dateFormat('weekday').format(at);
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? dateFormat('day').format(at) : dateFormat('dayYear').format(at);
}

/** As `formatWhen`, with the clock for days within a week: for turns. */
export function formatTurnTime(at: number, now: number): string {
  const when = formatWhen(at, now);
  return at >= now - 7 * DAY_MS && !when.includes(':') ? `${when} ${dateFormat('clock').format(at)}` : when;
}

/** The day alone: today and yesterday in words, then with its weekday. `today` is the start of the present day. */
export function formatDay(at: number, today: number, named: { today: string; yesterday: string }): string {
  if (at >= today) return named.today;
  if (at >= new Date(today - DAY_MS / 2).setHours(0, 0, 0, 0)) return named.yesterday;
  const isThisYear = new Date(at).getFullYear() === new Date(today).getFullYear();
  return new Intl.DateTimeFormat(languageTag(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(at);
}

export function formatFullTime(at: number): string {
  return dateFormat('full').format(at);
}

/** Up to two initials, whole characters; `?` for nothing. */
export function initials(name: string): string {
  const parts = name.trim().split(/\s+/u).filter(Boolean);
  if (parts.length === 0) return '?';
  const letters =
    parts.length === 1 ? Array.from(parts[0] ?? '').slice(0, 2) : [parts[0], parts.at(-1)].map((word) => Array.from(word ?? '')[0]);
  return letters.join('').toLocaleUpperCase();
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
