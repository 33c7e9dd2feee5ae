// The side of the Context area: why words are not seen, and the same request under every strategy.
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { StrategyName } from '../../shared/conversation.ts';
import { toErrorInfo } from '../../shared/errors.ts';
import type { WhyAnswer, WhyFinding } from '../../shared/why.ts';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { planInWords } from '../turns/turn-parts.ts';
import { formatEstimate } from '../ui/format.ts';
import { useSettled } from '../ui/hooks.ts';
import { placeInWords } from './why-words.ts';
import { STRATEGIES, type StrategyForecasts } from './strategy-forecasts.ts';

/** Looking starts when typing pauses this long. */
const SEARCH_PAUSE_MS = 250;

interface Found {
  words: string;
  answer: WhyAnswer | null;
  problem: string | null;
}

/** The engine looks in the exact next request and in everything stored. */
function useWhy(conversationId: string, words: string): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (words === '') return undefined;
    let isNewest = true;
    engine()
      .call('explainAbsence', { conversationId, text: words })
      .then(
        (answer) => isNewest && setFound({ words, answer, problem: null }),
        (error: unknown) => isNewest && setFound({ words, answer: null, problem: toErrorInfo(error).message }),
      );
    return () => {
      isNewest = false;
    };
  }, [conversationId, words]);
  return words === '' || found?.words !== words ? null : found;
}

export function WhyPanel({ conversationId }: { conversationId: string }) {
  const [typed, setTyped] = useState('');
  const found = useWhy(conversationId, useSettled(typed.trim(), SEARCH_PAUSE_MS));
  return (
    <section className="side-part" aria-label={words().context.why}>
      <h2>{words().context.whyTitle}</h2>
      <label className="field">
        <Search className="i m" aria-hidden />
        <input
          type="text"
          role="searchbox"
          aria-label={words().context.whyWords}
          placeholder={words().context.whyHint}
          dir="auto"
          maxLength={2000}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <div role="status">
        {found?.problem && <p className="bad">{found.problem}</p>}
        {found?.answer && (
          <div className="why">
            <b>{found.answer.seen ? words().context.held : words().context.notHeld}</b>
            <ul>
              {found.answer.findings.map((finding, index) => (
                <Finding key={index} finding={finding} />
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}

/** Scrolls the columns to a turn; both columns share its row. */
function showRow(turn: number): void {
  const row = document.querySelector<HTMLElement>(`.columns [data-turn="${turn}"]`);
  row?.scrollIntoView({ block: 'center' });
  row?.focus();
}

function Finding({ finding }: { finding: WhyFinding }) {
  const { turn } = finding;
  return (
    <li className={finding.sent ? 'sent' : ''}>
      <span>
        <b>{placeInWords(finding)}</b> {finding.disposition === 'never' ? '' : `${words().context.findings[finding.disposition]}: `}
        {finding.reason}
      </span>
      {turn !== null && (
        <button type="button" className="ghost source-link" onClick={() => showRow(turn)}>
          {words().inspector.showTurn(turn)}
        </button>
      )}
      {finding.setting !== null && <code>{finding.setting}</code>}
    </li>
  );
}

interface StrategyComparisonProps {
  forecasts: StrategyForecasts;
  active: StrategyName;
  shown: StrategyName;
  onShow: (name: StrategyName) => void;
  onApply: (name: StrategyName) => void;
}

export function StrategyComparison({ forecasts, active, shown, onShow, onApply }: StrategyComparisonProps) {
  return (
    <section className="side-part" aria-label={words().context.strategy}>
      <h2>
        {words().context.strategy} <span className="dim">{words().context.forNext}</span>
      </h2>
      <div className="strategies" role="radiogroup" aria-label={words().context.lookAt}>
        {STRATEGIES.map((name) => {
          const found = forecasts[name];
          const forecast = found !== undefined && 'plan' in found ? found : null;
          return (
            <button
              key={name}
              type="button"
              role="radio"
              aria-checked={name === shown}
              className="strategy-choice"
              onClick={() => onShow(name)}
            >
              <span className="radio" aria-hidden />
              <span className="strategy-text">
                <span>
                  <b>{name}</b>
                  {name === active && <span className="chip">{words().context.inUse}</span>}
                </span>
                <span className="dim">
                  {forecast === null
                    ? found === undefined
                      ? words().context.countingNow
                      : words().context.notAvailable
                    : planInWords(forecast.plan)}
                </span>
              </span>
              <span className="num">{forecast === null ? '' : formatEstimate(forecast.totalTokens)}</span>
            </button>
          );
        })}
      </div>
      {shown !== active && (
        <div className="preview-bar">
          <p>
            <b>{words().context.previewOnly}</b> {words().context.stillUses(active)}
          </p>
          <button type="button" className="primary" onClick={() => onApply(shown)}>
            {words().context.useFromNext(shown)}
          </button>
          <button type="button" onClick={() => onShow(active)}>
            {words().context.reset}
          </button>
        </div>
      )}
    </section>
  );
}
