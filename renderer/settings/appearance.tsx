// How this screen looks and speaks: theme, density, text size, language, what the system announces. Kept on this computer only.
import type { ReactNode } from 'react';
import { isLanguage, LANGUAGES, words } from '../language/language.ts';
import { changePreferences } from '../state/actions.ts';
import { DENSITIES, TEXT_SIZES } from '../state/preferences.ts';
import { useConsole } from '../state/store.ts';
import { turnNotificationsOn } from '../shell/notifications.ts';
import { Group } from './setting-group.tsx';

const THEMES = ['system', 'light', 'dark'] as const;

export function Appearance() {
  const { theme, density, textSize, language, notify } = useConsole((state) => state.preferences);
  const text = words().appearance;
  return (
    <>
      <Group title={text.title}>
        <Row label={text.theme}>
          <Segments
            label={text.theme}
            values={THEMES}
            names={text.themes}
            value={theme}
            onChoose={(next) => changePreferences({ theme: next })}
          />
        </Row>
        <Row label={text.density} help={text.densityHelp}>
          <Segments
            label={text.density}
            values={DENSITIES}
            names={text.densities}
            value={density}
            onChoose={(next) => changePreferences({ density: next })}
          />
        </Row>
        <Row label={text.textSize}>
          <Segments
            label={text.textSize}
            values={TEXT_SIZES}
            names={text.textSizes}
            value={textSize}
            onChoose={(next) => changePreferences({ textSize: next })}
          />
        </Row>
      </Group>
      <Group title={text.language}>
        <Row label={text.language} help={text.languageHelp}>
          <select
            aria-label={text.language}
            value={language}
            onChange={(event) => {
              if (isLanguage(event.target.value)) changePreferences({ language: event.target.value });
            }}
          >
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </Row>
      </Group>
      <Group title={text.notifications}>
        <Row label={text.notify} help={text.notifyHelp}>
          <button
            type="button"
            role="switch"
            className="switch"
            aria-checked={notify}
            aria-label={text.notify}
            onClick={() => (notify ? changePreferences({ notify: false }) : void turnNotificationsOn())}
          />
        </Row>
      </Group>
    </>
  );
}

function Row({ label, help, children }: { label: string; help?: string; children: ReactNode }) {
  return (
    <div className="setting">
      <span className="setting-text">
        <span>{label}</span>
        {help !== undefined && <span className="dim">{help}</span>}
      </span>
      <span className="setting-control">{children}</span>
    </div>
  );
}

interface SegmentsProps<T extends string> {
  label: string;
  values: readonly T[];
  names: Record<T, string>;
  value: T;
  onChoose: (value: T) => void;
}

function Segments<T extends string>({ label, values, names, value, onChoose }: SegmentsProps<T>) {
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {values.map((one) => (
        <button key={one} type="button" role="radio" aria-checked={value === one} onClick={() => onChoose(one)}>
          {names[one]}
        </button>
      ))}
    </div>
  );
}
