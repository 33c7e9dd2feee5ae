// The meter at the bottom: what the next request holds, by part, against the history budget and the window.
import { CircleAlert } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { RequestForecast } from '../../shared/compaction.ts';
import { words } from '../language/language.ts';
import { useConsole, useConversation } from '../state/store.ts';
import { formatCount, formatEstimate, formatPercent } from '../ui/format.ts';
import { cachedShare, capViews } from './caps.ts';
import { correctionOf } from './correction.ts';
import { MeterDetails, useBudgetReport } from './meter-details.tsx';
import { meterSegments, meterValues } from './meter-parts.ts';

export function BudgetMeter() {
  const id = useConsole((state) => state.preferences.selectedId);
  const entry = useConsole((state) => (id === null ? undefined : state.forecasts[id]));
  const isOpen = useConsole((state) => id !== null && state.data.conversations[id] !== undefined);
  if (!isOpen) return null;
  return (
    <section className="dock" aria-label={words().budget.region}>
      {entry?.forecast ? (
        <Meter id={id ?? ''} forecast={entry.forecast} error={entry.error?.message ?? null} />
      ) : (
        <div className="meter">
          <div className="meter-line">
            <b>{words().budget.next}</b>
            <span>{entry?.error ? entry.error.message : words().budget.counting}</span>
          </div>
        </div>
      )}
      <Caps />
    </section>
  );
}

function Meter({ id, forecast, error }: { id: string; forecast: RequestForecast; error: string | null }) {
  const text = words().budget;
  const measured = useBudgetReport(id, useConversation()?.revision ?? 0);
  const values = meterValues(forecast, correctionOf(measured.report));
  const segments = meterSegments(forecast);
  return (
    <div className={`meter ${values.level}`}>
      <div className="meter-line">
        <b>{values.headline}</b>
        <span className="meter-history">
          {values.level !== 'calm' && <CircleAlert className="i s" aria-hidden />}
          {values.history}
          {values.level === 'full' && `, ${text.full}`}
        </span>
        <span className="optional">{values.window}</span>
        <span className="wide">{text.strategy(forecast.plan.strategy)}</span>
        {error !== null && <span className="bad">{text.notUpToDate(error)}</span>}
        <span className="grow" />
        <span className="wide">{text.estimateMark}</span>
        <MeterDetails forecast={forecast} measured={measured} />
      </div>
      <div
        className="meter-bar"
        role="meter"
        aria-label={text.meter}
        aria-valuemin={0}
        aria-valuemax={values.max}
        aria-valuenow={values.now}
        aria-valuetext={values.text}
      >
        {segments.map((segment) => (
          <i
            key={segment.part}
            className={`part p-${segment.part}${segment.startsGroup ? ' group' : ''}`}
            style={{ '--share': segment.share } as CSSProperties}
            title={text.tokensOf(words().meter.parts[segment.part], formatEstimate(segment.tokens))}
          />
        ))}
      </div>
      <div className="meter-line legend">
        {segments.map((segment) => (
          <span key={segment.part}>
            <i className={`swatch p-${segment.part}`} aria-hidden />
            {words().meter.parts[segment.part]} <em className="num">{formatCount(segment.tokens)}</em>
          </span>
        ))}
      </div>
    </div>
  );
}

function Caps() {
  const spending = useConversation()?.spending ?? null;
  const caps = capViews(spending);
  const cached = cachedShare(spending);
  if (caps.length === 0 && cached === null) return null;
  return (
    <dl className="caps">
      {caps.map((cap) => (
        <div key={cap.name} className={cap.level}>
          <dt>
            {cap.name}
            <span className="num">{cap.percent}</span>
          </dt>
          <dd className="num" title={cap.unknown > 0 ? words().budget.leftOut(cap.unknown) : undefined}>
            {cap.spent} <span>{cap.of}</span>
            {cap.level === 'full' && <span className="bad"> {words().budget.reached}</span>}
            {cap.share !== null && (
              <span className="cap-bar" aria-hidden>
                <i style={{ '--share': cap.share } as CSSProperties} />
              </span>
            )}
          </dd>
        </div>
      ))}
      {cached !== null && (
        <div>
          <dt>{words().budget.cached}</dt>
          <dd className="num">
            {formatPercent(cached)} <span>{words().budget.ofInput}</span>
            <span className="cap-bar" aria-hidden>
              <i style={{ '--share': cached } as CSSProperties} />
            </span>
          </dd>
        </div>
      )}
    </dl>
  );
}
