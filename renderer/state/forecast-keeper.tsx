// Keeps the forecast of the next request and the money spent true in every area: the meter, the turn map and the context views read the same plan.
import { useEffect } from 'react';
import { useSettled } from '../ui/hooks.ts';
import { loadSpending } from './actions.ts';
import { loadForecast } from './inspect-actions.ts';
import { useConsole, useConversation } from './store.ts';

/** The forecast follows typing after this pause. */
const FORECAST_PAUSE_MS = 450;

/** Follows the open conversation, its draft, the settings and the line. Draws nothing, so that typing draws nothing else anew. */
export function ForecastKeeper(): null {
  const data = useConversation();
  const id = data?.summary.id ?? null;
  const revision = data?.revision ?? 0;
  const draft = useConsole((state) => (id === null ? '' : (state.drafts[id] ?? '')));
  const settings = useConsole((state) => state.data.settings);
  const own = data?.summary.strategy ?? null;
  const connection = useConsole((state) => state.connection);
  const settledDraft = useSettled(draft, FORECAST_PAUSE_MS);
  useEffect(() => {
    if (connection === 'open' && id !== null) void loadForecast(id);
  }, [id, settledDraft, settings, own, revision, connection]);
  useEffect(() => {
    if (connection === 'open' && id !== null) void loadSpending(id);
  }, [id, settings, revision, connection]);
  return null;
}
