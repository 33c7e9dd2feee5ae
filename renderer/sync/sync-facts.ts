// What the page about sync tells, as names and sentences. Pure.
import type { SyncStatus } from '../../shared/sync.ts';
import { isClockWrong } from '../../shared/sync.ts';
import { languageTag, words } from '../language/language.ts';

export interface SyncFact {
  name: string;
  value: string;
  tone: 'ok' | 'warn' | 'quiet';
}

/** Younger than this is "now": the server is asked once a second. */
const NOW_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Time of day; with the date when that is not today. */
export function moment(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return new Intl.DateTimeFormat(languageTag(), isToday ? time : { day: 'numeric', month: 'short', ...time }).format(at);
}

/** Date and time of day. */
export function fullMoment(at: number): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** A difference of clocks, roughly: "6 minutes". */
export function difference(ms: number): string {
  const distance = Math.abs(ms);
  const unit = distance >= 2 * DAY_MS ? 'day' : distance >= 2 * HOUR_MS ? 'hour' : 'minute';
  const size = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS }[unit];
  return new Intl.NumberFormat(languageTag(), { style: 'unit', unit, unitDisplay: 'long' }).format(Math.round(distance / size));
}

export function syncFacts(sync: SyncStatus, now: number): SyncFact[] {
  return [stateFact(sync, now), waitingFact(sync), ...timeFacts(sync, now), clockFact(sync)];
}

function stateFact(sync: SyncStatus, now: number): SyncFact {
  const text = words().sync;
  if (sync.state === 'online') return { name: text.state, value: `${text.online}. ${text.onlineDetail}`, tone: 'ok' };
  const since = sync.lastContactAt === null ? text.offlineFromStart : text.offlineSince(moment(sync.lastContactAt, now));
  const state = sync.state === 'offline' ? since : text.readOnly;
  return { name: text.state, value: sync.reason === '' ? `${state}.` : `${state}. ${sync.reason}`, tone: 'warn' };
}

function waitingFact({ waiting, hasCache, state }: SyncStatus): SyncFact {
  const text = words().sync;
  if (!hasCache && state !== 'online') return { name: text.waitingLabel, value: text.nothingSaved, tone: 'warn' };
  return { name: text.waitingLabel, value: waiting === 0 ? text.nothingWaits : text.waitingDetail(waiting), tone: 'quiet' };
}

function timeFacts({ lastContactAt, lastSyncedAt, hasCache, waiting, state }: SyncStatus, now: number): SyncFact[] {
  const text = words().sync;
  const when = (at: number | null) => (at === null ? text.never : now - at < NOW_MS ? text.now : moment(at, now));
  const contact: SyncFact = { name: text.lastContact, value: when(lastContactAt), tone: 'quiet' };
  if (!hasCache) return [contact];
  // While nothing waits and the server answers, everything is Synced at this moment.
  const isSynced = state === 'online' && waiting === 0;
  return [contact, { name: text.lastSynced, value: isSynced ? text.now : when(lastSyncedAt), tone: 'quiet' }];
}

function clockFact(sync: SyncStatus): SyncFact {
  const text = words().sync;
  const skew = sync.clockSkewMs;
  if (skew === null) return { name: text.clock, value: text.clockUnknown, tone: 'quiet' };
  if (!isClockWrong(sync)) return { name: text.clock, value: text.clockRight, tone: 'quiet' };
  return { name: text.clock, value: text.clockWrong(difference(skew), skew > 0), tone: 'warn' };
}
