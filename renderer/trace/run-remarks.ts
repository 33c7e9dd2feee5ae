// What a run's events say beside its spans: notices for a person, and what it was forecast to cost. Pure.
import type { TraceEvent } from '../../shared/trace.ts';

export interface RunRemarks {
  /** Each once, in order: what could not travel to a provider, what was repaired, a cap that was reached. */
  notices: string[];
  /** Likely cost said before the run, in micro-USD; null: no price was known. */
  forecastMicroUsd: number | null;
}

export function runRemarks(events: readonly TraceEvent[]): RunRemarks {
  const notices = new Set<string>();
  let forecastMicroUsd: number | null = null;
  for (const { type, data } of events) {
    const message = data['message'];
    if (type === 'notice' && typeof message === 'string') notices.add(message);
    if (type === 'turn-end') forecastMicroUsd = likelyCost(data['costForecast']) ?? forecastMicroUsd;
  }
  return { notices: [...notices], forecastMicroUsd };
}

function likelyCost(forecast: unknown): number | null {
  if (typeof forecast !== 'object' || forecast === null) return null;
  const likely: unknown = Reflect.get(forecast, 'likely');
  return typeof likely === 'number' ? likely : null;
}
