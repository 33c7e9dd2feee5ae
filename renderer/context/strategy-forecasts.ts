// The forecast of the next request under every strategy. I/O through the client.
import { useEffect, useState } from 'react';
import type { RequestForecast } from '../../shared/compaction.ts';
import type { StrategyName } from '../../shared/conversation.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useConsole } from '../state/store.ts';

export const STRATEGIES: readonly StrategyName[] = ['recent-turns', 'summary', 'stable'];

export type StrategyForecasts = Partial<Record<StrategyName, RequestForecast | ErrorInfo>>;

/** The same next request under every strategy; nothing in the conversation changes. */
export function useStrategyForecasts(data: ConversationData, next: string): StrategyForecasts {
  const [forecasts, setForecasts] = useState<StrategyForecasts>({});
  const id = data.summary.id;
  const settings = useConsole((state) => state.data.settings);
  useEffect(() => {
    let current = true;
    for (const strategy of STRATEGIES) {
      const put = (value: RequestForecast | ErrorInfo) => current && setForecasts((all) => ({ ...all, [strategy]: value }));
      engine()
        .call('previewContext', { conversationId: id, strategy, ...(next === '' ? {} : { next }) })
        .then(put, (error: unknown) => put(toErrorInfo(error)));
    }
    return () => {
      current = false;
    };
  }, [id, next, settings, data.revision]);
  return forecasts;
}
