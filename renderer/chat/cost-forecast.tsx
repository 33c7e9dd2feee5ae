// What sending the present draft may cost, beside the composer. Nothing is shown where no price is known.
import { words } from '../language/language.ts';
import { useEffect, useState } from 'react';
import type { CostForecast } from '../../shared/models.ts';
import { engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useConsole } from '../state/store.ts';
import { formatCost } from '../ui/format.ts';
import { useSettled } from '../ui/hooks.ts';

/** The forecast follows typing after this pause. */
const PAUSE_MS = 450;

/** The newest answer; null while none came, without a price, and where the engine has no forecast to give. */
function useCostForecast(data: ConversationData): CostForecast | null {
  const conversationId = data.summary.id;
  const [cost, setCost] = useState<CostForecast | null>(null);
  const draft = useSettled(useConsole((state) => state.drafts[conversationId] ?? '').trim(), PAUSE_MS);
  const settings = useConsole((state) => state.data.settings);
  const model = useConsole((state) => state.data.model?.model);
  const isOpen = useConsole((state) => state.connection === 'open');
  useEffect(() => {
    if (!isOpen) return undefined;
    let isNewest = true;
    engine()
      .call('forecastCost', { conversationId, ...(draft === '' ? {} : { next: draft }) })
      .then(
        (found) => isNewest && setCost(found.cost),
        () => isNewest && setCost(null),
      );
    return () => {
      isNewest = false;
    };
  }, [conversationId, draft, settings, model, data.revision, isOpen]);
  return cost;
}

export function CostOfSending({ data }: { data: ConversationData }) {
  const cost = useCostForecast(data);
  if (cost === null || cost.most === 0) return null;
  const title = words().pane.costTitle(formatCost(cost.likely), formatCost(cost.least), formatCost(cost.most));
  return (
    <span className="num" title={title}>
      {words().pane.cost(formatCost(cost.likely), formatCost(cost.most))}
    </span>
  );
}
