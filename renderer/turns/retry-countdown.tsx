// The wait before a model is asked once more, counted down. Stop, in the composer, ends it.
import { TimerReset } from 'lucide-react';
import { useState } from 'react';
import type { RetryWait } from '../state/console-data.ts';
import { useNow } from '../ui/hooks.ts';

const TICK_MS = 250;
const REASONS: Readonly<Record<string, string>> = {
  'rate-limited': 'The provider limits how fast it may be asked',
  overloaded: 'The provider is overloaded',
  interrupted: 'The connection to the provider broke',
};
const OTHER_REASON = 'The provider sent no usable answer';

/** Mounted anew for each wait: its key is the attempt. */
export function RetryCountdown({ retry }: { retry: RetryWait }) {
  const [startedAt] = useState(() => Date.now());
  const left = Math.max(0, (retry.until ?? startedAt + retry.delayMs) - useNow(true, TICK_MS));
  const next = left === 0 ? 'asking again' : `next try in ${Math.ceil(left / 1000)} s`;
  return (
    <p className="retry-wait">
      <TimerReset className="i m" aria-hidden />
      <span>
        {REASONS[retry.reason] ?? OTHER_REASON}: <b className="num">{next}</b>
        <span className="dim"> (retry {retry.attempt}). Stop ends the wait.</span>
      </span>
    </p>
  );
}
