// The meter in detail: every part, what was spent against its caps, what caching and compaction saved, what the next send may cost. I/O: the client.
import { ChevronUp } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { BudgetReport } from '../../shared/api/budget.ts';
import type { RequestForecast } from '../../shared/compaction.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import type { CostForecast } from '../../shared/models.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { useConversation } from '../state/store.ts';
import { formatCost, formatCount, formatEstimate, formatPercent, formatReported } from '../ui/format.ts';
import { correctionOf, spentLines } from './correction.ts';
import { meterSegments } from './meter-parts.ts';

export interface Measured {
  report: BudgetReport | null;
  error: ErrorInfo | null;
}

/** Measured anew whenever a turn starts or ends. */
export function useBudgetReport(conversationId: string, revision: number): Measured {
  const [found, setFound] = useState<Measured & { id: string }>({ id: conversationId, report: null, error: null });
  useEffect(() => {
    let isNewest = true;
    engine()
      .call('measureBudget', { conversationId })
      .then(
        (report) => isNewest && setFound({ id: conversationId, report, error: null }),
        (error: unknown) => isNewest && setFound({ id: conversationId, report: null, error: toErrorInfo(error) }),
      );
    return () => {
      isNewest = false;
    };
  }, [conversationId, revision]);
  return found.id === conversationId ? found : { report: null, error: null };
}

export function MeterDetails({ forecast, measured }: { forecast: RequestForecast; measured: Measured }) {
  const text = words().budget;
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="ghost sm meter-more">
          <ChevronUp className="i s" aria-hidden />
          {text.details}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="meter-details scroll" side="top" align="end" sideOffset={8} aria-label={text.detailsTitle}>
          <Parts forecast={forecast} measured={measured} />
          <Spent />
          <Saved measured={measured} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Parts({ forecast, measured }: { forecast: RequestForecast; measured: Measured }) {
  const text = words().budget;
  const factor = correctionOf(measured.report);
  const last = measured.report?.lastRequest ?? null;
  const whole = forecast.windowTokens ?? forecast.totalTokens;
  return (
    <section>
      <table>
        <thead>
          <tr>
            <th>{text.part}</th>
            <th className="right">{text.tokens}</th>
            <th className="right">{text.share}</th>
          </tr>
        </thead>
        <tbody>
          {meterSegments(forecast).map(({ part, tokens }) => (
            <tr key={part}>
              <td>
                <i className={`swatch p-${part}`} aria-hidden /> {words().meter.parts[part]}
              </td>
              <td className="right num">{part === 'reserve' ? formatCount(tokens) : formatEstimate(tokens)}</td>
              <td className="right num">{formatPercent(tokens / Math.max(1, whole))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{text.next}</td>
            <td className="right num">{formatEstimate(forecast.totalTokens * factor)}</td>
            <td />
          </tr>
          <tr>
            <td>{text.window}</td>
            <td className="right num">{forecast.windowTokens === null ? text.windowUnknown : formatCount(forecast.windowTokens)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      <p className="dim">
        {last === null
          ? text.uncorrected
          : text.corrected(`×${factor.toFixed(2)}`, formatCount(last.reported), formatEstimate(last.estimated))}
      </p>
    </section>
  );
}

function Spent() {
  const text = words().budget;
  const lines = spentLines(useConversation()?.spending ?? null);
  if (lines.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th>{text.spent}</th>
          <th className="right">{text.tokens}</th>
          <th className="right">{text.money}</th>
          <th className="right">{text.cap}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>{text.lines[line.id]}</td>
            <td className="right num">{formatReported(line.tokens)}</td>
            <td className="right num">{formatCost(line.costMicroUsd)}</td>
            <td className="right num">{line.capMicroUsd === null ? text.noCap : formatCost(line.capMicroUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Saved({ measured: { report, error } }: { measured: Measured }) {
  const text = words().budget;
  const cost = useNextCost();
  return (
    <section className="meter-saved">
      <h3>{text.saved}</h3>
      {error !== null && <p className="bad">{text.cannotMeasure(error.message)}</p>}
      {report === null ? (
        error === null && <p className="dim">{text.measuring}</p>
      ) : (
        <>
          <p>{text.byCaching(formatReported(report.cachedTokens), formatCost(report.cacheSavedMicroUsd))}</p>
          <p>{text.byCompaction(formatCount(report.compactionTokens), formatCost(report.compactionSavedMicroUsd))}</p>
        </>
      )}
      {cost !== 'asking' && (
        <p>
          {cost === null ? text.noForecast : text.forecast(`~${formatCost(cost.likely)}`, formatCost(cost.least), formatCost(cost.most))}
        </p>
      )}
    </section>
  );
}

/** What sending the present draft may cost, asked for once: the box is opened for a look. */
function useNextCost(): CostForecast | null | 'asking' {
  const [cost, setCost] = useState<CostForecast | null | 'asking'>('asking');
  const id = useConversation()?.summary.id;
  useEffect(() => {
    if (id === undefined) return;
    engine()
      .call('forecastCost', { conversationId: id })
      .then(
        (found) => setCost(found.cost),
        () => setCost(null),
      );
  }, [id]);
  return cost;
}
