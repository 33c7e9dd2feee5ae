// Sliders and switches that try memory settings on the next request; nothing changes until Apply.
import { Slider, Switch } from 'radix-ui';
import type { StrategyName } from '../../shared/conversation.ts';
import type { RequestForecast } from '../../shared/compaction.ts';
import type { SettingKey, Settings } from '../../shared/settings.ts';
import { words } from '../language/language.ts';
import { formatCost, formatCount, formatEstimate, formatPercent } from '../ui/format.ts';

export type TriedSettings = Partial<Record<SettingKey, number | boolean>>;

interface Control {
  key: SettingKey;
  name: 'budget' | 'recent' | 'summariseAbove' | 'least' | 'characters';
  min: number;
  max: number;
  step: number;
}

const CONTROLS: Record<StrategyName, readonly Control[]> = {
  stable: [{ key: 'memory.historyTokens', name: 'budget', min: 200, max: 12_000, step: 100 }],
  summary: [
    { key: 'memory.maxHistoryTokens', name: 'summariseAbove', min: 200, max: 20_000, step: 100 },
    { key: 'memory.recentMessagesMin', name: 'least', min: 1, max: 40, step: 1 },
  ],
  'recent-turns': [
    { key: 'memory.maxChars', name: 'characters', min: 500, max: 60_000, step: 500 },
    { key: 'memory.recentTurns', name: 'recent', min: 1, max: 20, step: 1 },
  ],
};

interface TrialControlsProps {
  strategy: StrategyName;
  settings: Settings;
  tried: TriedSettings;
  onTry: (tried: TriedSettings) => void;
}

export function TrialControls({ strategy, settings, tried, onTry }: TrialControlsProps) {
  const texts = words().inspector;
  const recall = Boolean(tried['memory.recall'] ?? settings['memory.recall']);
  return (
    <section className="side-part" aria-label={texts.tryTitle}>
      <h2>{texts.tryTitle}</h2>
      {CONTROLS[strategy].map(({ key, name, min, max, step }) => {
        const value = Number(tried[key] ?? settings[key]);
        return (
          <div key={key} className="trial">
            <span className="trial-head">
              <span>{texts.controls[name]}</span>
              <b className="num">{formatCount(value)}</b>
            </span>
            <Slider.Root
              className="slider"
              min={min}
              max={Math.max(max, value)}
              step={step}
              value={[value]}
              onValueChange={([next]) => next !== undefined && onTry({ ...tried, [key]: next })}
            >
              <Slider.Track className="slider-track">
                <Slider.Range className="slider-range" />
              </Slider.Track>
              <Slider.Thumb className="slider-thumb" aria-label={texts.controls[name]} />
            </Slider.Root>
          </div>
        );
      })}
      {strategy === 'stable' && (
        <div className="trial-head">
          <label htmlFor="trial-recall">{texts.recall}</label>
          <Switch.Root
            id="trial-recall"
            className="trial-switch"
            checked={recall}
            onCheckedChange={(on) => onTry({ ...tried, 'memory.recall': on })}
          >
            <Switch.Thumb className="trial-switch-thumb" />
          </Switch.Root>
        </div>
      )}
    </section>
  );
}

interface BeforeAfterProps {
  before: RequestForecast | null;
  after: RequestForecast | null;
  onApply: () => void;
  onReset: () => void;
}

/** What the trial changes, in numbers, and the two ways out of it. */
export function BeforeAfter({ before, after, onApply, onReset }: BeforeAfterProps) {
  const texts = words().inspector;
  const share = (forecast: RequestForecast | null) =>
    forecast === null || forecast.cachedTokens === undefined || forecast.cachedTokens === null || forecast.totalTokens === 0
      ? '–'
      : formatPercent(forecast.cachedTokens / forecast.totalTokens);
  const rows = [
    [texts.tokens, before === null ? '–' : formatEstimate(before.totalTokens), after === null ? '–' : formatEstimate(after.totalTokens)],
    [texts.cached, share(before), share(after)],
    [texts.inputCost, formatCost(before?.inputMicroUsd), formatCost(after?.inputMicroUsd)],
  ];
  return (
    <section className="side-part" aria-label={texts.previewOnly}>
      <p role="status">
        <b>{texts.previewOnly}</b> {texts.nothingChanged}
      </p>
      <table className="trial-numbers">
        <thead>
          <tr>
            <th scope="col">{texts.what}</th>
            <th scope="col">{texts.now}</th>
            <th scope="col">{texts.tried}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, now, then]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="num">{now}</td>
              <td className="num">{then}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="preview-bar">
        <button type="button" className="primary" onClick={onApply}>
          {texts.apply}
        </button>
        <button type="button" onClick={onReset}>
          {texts.reset}
        </button>
      </div>
    </section>
  );
}
