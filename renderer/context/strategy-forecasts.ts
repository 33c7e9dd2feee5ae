// The forecast of the next request under every strategy. I/O through the client.
import { useEffect, useState } from 'react';
import type { RequestForecast } from '../../shared/compaction.ts';
import type { StrategyName } from '../../shared/conversation.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useConsole } from '../state/store.ts';
import { useSettled } from '../ui/hooks.ts';
import type { TriedSettings } from './trial-controls.tsx';

export const STRATEGIES: readonly StrategyName[] = ['recent-turns', 'summary', 'stable'];

/** A slider in motion asks only where it rests, in milliseconds. */
const TRIAL_PAUSE_MS = 80;

export type StrategyForecasts = Partial<Record<StrategyName, RequestForecast | ErrorInfo>>;

/** The same next request under every strategy; nothing in the conversation changes. */
export function useStrategyForecasts(data: ConversationData, next: string, tried: TriedSettings): StrategyForecasts {
  const [forecasts, setForecasts] = useState<StrategyForecasts>({});
  const id = data.summary.id;
  const settings = useConsole((state) => state.data.settings);
  const trial = useSettled(JSON.stringify(tried), TRIAL_PAUSE_MS);
  useEffect(() => {
    let current = true;
    const triedNow = JSON.parse(trial) as TriedSettings;
    for (const strategy of STRATEGIES) {
      const put = (value: RequestForecast | ErrorInfo) => current && setForecasts((all) => ({ ...all, [strategy]: value }));
      engine()
        .call('previewContext', { conversationId: id, strategy, measure: true, settings: triedNow, ...(next === '' ? {} : { next }) })
        .then(put, (error: unknown) => put(toErrorInfo(error)));
    }
    return () => {
      current = false;
    };
  }, [id, next, settings, trial, data.revision]);
  return forecasts;
}
