// The meter of the next request: segments in wire order, shares of the bar, the values a screen reader hears. Pure.
import { words } from '../language/language.ts';
import { CONTEXT_PARTS, type ContextPart, type RequestForecast } from '../../shared/compaction.ts';
import { formatCount, formatPercent, formatWindow } from '../ui/format.ts';

export interface MeterSegment {
  part: ContextPart;
  tokens: number;
  /** Share of the bar's width, 0 to 1; all segments add up to 1. */
  share: number;
  /** First of its group: fixed | history | current | room. */
  startsGroup: boolean;
}

const GROUPS: readonly ContextPart[][] = [
  ['system', 'tools', 'tenant'],
  ['summary', 'ledger', 'pinned', 'compacted', 'full', 'recalled'],
  ['current'],
  ['free'],
  ['reserve'],
];
/** Drawn after the text, in this order: what history may still grow into, then what is kept for the answer. */
const DRAWN_ORDER: readonly ContextPart[] = [...CONTEXT_PARTS.filter((part) => part !== 'free' && part !== 'reserve'), 'free', 'reserve'];
/** Room may take this much of the bar; more would hide what is in the request. */
const MOST_ROOM = 0.3;
/** A reserve stays visible beside a much larger free window. */
const LEAST_RESERVE = 0.05;

function groupOf(part: ContextPart): number {
  return GROUPS.findIndex((group) => group.includes(part));
}

/** Non-empty parts in drawn order. Accepts missing, repeated and zero parts. */
export function meterSegments(forecast: Pick<RequestForecast, 'parts'>): MeterSegment[] {
  const tokens = new Map<ContextPart, number>();
  for (const size of forecast.parts) tokens.set(size.part, (tokens.get(size.part) ?? 0) + Math.max(0, size.tokens));
  const present = DRAWN_ORDER.filter((part) => (tokens.get(part) ?? 0) > 0);
  const isRoom = (part: ContextPart) => part === 'free' || part === 'reserve';
  const sum = (parts: readonly ContextPart[]) => parts.reduce((total, part) => total + (tokens.get(part) ?? 0), 0);
  const text = sum(present.filter((part) => !isRoom(part)));
  const room = sum(present.filter(isRoom));
  const roomShare = text === 0 ? (room > 0 ? 1 : 0) : Math.min(MOST_ROOM, room / (text + room));
  const free = tokens.get('free') ?? 0;
  const reserve = tokens.get('reserve') ?? 0;
  const reserveShare =
    reserve === 0 ? 0 : free === 0 ? roomShare : Math.max((reserve / room) * roomShare, Math.min(LEAST_RESERVE, roomShare / 2));
  return present.map((part, index) => {
    const size = tokens.get(part) ?? 0;
    const roomOf = part === 'reserve' ? reserveShare : roomShare - reserveShare;
    const share = isRoom(part) ? roomOf : (size / text) * (1 - roomShare);
    const previous = present[index - 1];
    return { part, tokens: size, share, startsGroup: previous !== undefined && groupOf(previous) !== groupOf(part) };
  });
}

export interface MeterValues {
  /** History used and its budget, in the budget's unit. */
  now: number;
  max: number;
  unit: 'tokens' | 'characters';
  /** What a screen reader says. */
  text: string;
  headline: string;
  history: string;
  window: string;
  level: 'calm' | 'close' | 'full';
}

/** Share of the history budget from which the meter raises its voice. */
const CLOSE = 0.85;

/** `correction`: what the whole estimate is multiplied by, from the last reported request. */
export function meterValues(forecast: RequestForecast, correction = 1): MeterValues {
  const total = forecast.totalTokens * correction;
  const { plan } = forecast;
  const unit = plan.budgetUnit === 'tokens' ? 'tokens' : 'characters';
  const max = Math.max(1, Math.round(plan.budget));
  const used = Math.max(0, Math.round(plan.budgetUsed));
  const share = used / max;
  const mark = unit === 'tokens' ? '~' : '';
  const said = words().meter;
  const unitWord = said.units[unit];
  const history = said.history(`${mark}${formatCount(used)}`, formatCount(max), unitWord);
  return {
    now: Math.min(used, max),
    max,
    unit,
    text: said.spoken(
      unit === 'tokens' ? said.about(formatCount(used)) : formatCount(used),
      formatCount(max),
      unitWord,
      formatCount(total),
    ),
    headline: said.next(formatCount(total)),
    history: unit === 'tokens' ? history : said.historyTokens(history, formatCount(plan.tokens)),
    window:
      forecast.windowTokens === null
        ? said.windowUnknown
        : said.ofWindow(formatPercent(total / forecast.windowTokens), formatWindow(forecast.windowTokens)),
    level: share >= 1 ? 'full' : share >= CLOSE ? 'close' : 'calm',
  };
}
