// The wait before a model is asked once more, counted down. Stop, in the composer, ends it.
import { words } from '../language/language.ts';
import { TimerReset } from 'lucide-react';
import { useState } from 'react';
import type { RetryWait } from '../state/console-data.ts';
import { useNow } from '../ui/hooks.ts';

const TICK_MS = 250;

function reasonOf(code: string): string {
  const { retryReasons, retryOther } = words().turnlook;
  return (retryReasons as Readonly<Record<string, string>>)[code] ?? retryOther;
}

/** Mounted anew for each wait: its key is the attempt. */
export function RetryCountdown({ retry }: { retry: RetryWait }) {
  const [startedAt] = useState(() => Date.now());
  const left = Math.max(0, (retry.until ?? startedAt + retry.delayMs) - useNow(true, TICK_MS));
  const next = left === 0 ? words().turnlook.askingAgain : words().turnlook.nextTry(Math.ceil(left / 1000));
  return (
    <p className="retry-wait">
      <TimerReset className="i m" aria-hidden />
      <span>
        {reasonOf(retry.reason)}: <b className="num">{next}</b>
        <span className="dim">{words().turnlook.retryNote(retry.attempt)}</span>
      </span>
    </p>
  );
}
