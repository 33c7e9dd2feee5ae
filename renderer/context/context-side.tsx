// The side of the Context area: why words are not seen, and the same request under every strategy.
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ContextPlan } from '../../shared/compaction.ts';
import type { StoredMessage, StrategyName } from '../../shared/conversation.ts';
import { DISPOSITION_SHORT, planInWords } from '../turns/turn-parts.ts';
import { DispositionGlyph } from '../ui/disposition.tsx';
import { formatEstimate } from '../ui/format.ts';
import { type WhyAnswer, whyNotSeen } from './aligned-turns.ts';
import { STRATEGIES, type StrategyForecasts } from './strategy-forecasts.ts';

interface WhyPanelProps {
  stored: Readonly<Record<number, readonly StoredMessage[]>>;
  plan: ContextPlan;
}

export function WhyPanel({ stored, plan }: WhyPanelProps) {
  const [words, setWords] = useState('');
  const answers = useMemo(() => whyNotSeen(stored, plan, words), [stored, plan, words]);
  return (
    <section className="side-part" aria-label="Why did the model not see">
      <h2>Why does the model not see…</h2>
      <label className="field">
        <Search className="i m" aria-hidden />
        <input
          type="text"
          role="searchbox"
          aria-label="Words to look for"
          placeholder="Words from any turn"
          dir="auto"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </label>
      <div role="status">
        {words.trim() !== '' && answers.length === 0 && <p className="dim">Nobody said that in the turns loaded here.</p>}
        {answers.map((answer) => (
          <Answer key={answer.turn} answer={answer} />
        ))}
      </div>
    </section>
  );
}

const VERDICTS: Record<WhyAnswer['verdict'], string> = {
  sent: 'It is sent, word for word.',
  'in-a-note': 'Not in its turn any more, but a note holds it.',
  'not-sent': 'It is not sent.',
};

function Answer({ answer }: { answer: WhyAnswer }) {
  return (
    <div className={`why ${answer.verdict}`}>
      <b>{VERDICTS[answer.verdict]}</b>
      <dl>
        <div>
          <dt>Said in</dt>
          <dd>
            turn {answer.turn}, {answer.who}
          </dd>
        </div>
        <div>
          <dt>Words</dt>
          <dd dir="auto">{answer.excerpt}</dd>
        </div>
        <div>
          <dt>Turn is</dt>
          <dd>
            {answer.disposition !== null && <DispositionGlyph disposition={answer.disposition} />}{' '}
            {answer.disposition === null ? '' : `${DISPOSITION_SHORT[answer.disposition]}: `}
            {answer.reason}
          </dd>
        </div>
        {answer.setting !== null && (
          <div>
            <dt>Setting</dt>
            <dd>
              <code>{answer.setting}</code>
            </dd>
          </div>
        )}
      </dl>
    </div>
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
    <section className="side-part" aria-label="Strategy">
      <h2>
        Strategy <span className="dim">for the next request</span>
      </h2>
      <div className="strategies" role="radiogroup" aria-label="Strategy to look at">
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
                  {name === active && <span className="chip">in use</span>}
                </span>
                <span className="dim">
                  {forecast === null ? (found === undefined ? 'counting' : 'not available') : planInWords(forecast.plan)}
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
            <b>Preview only.</b> The conversation still uses {active}.
          </p>
          <button type="button" className="primary" onClick={() => onApply(shown)}>
            Use {shown} from the next question
          </button>
          <button type="button" onClick={() => onShow(active)}>
            Reset
          </button>
        </div>
      )}
    </section>
  );
}
