// Settings: appearance of this screen, memory and runs of the engine, facts about the app.
import { useId, useState } from 'react';
import { changePreferences, changeSetting, showDialog } from '../state/actions.ts';
import type { Theme } from '../state/preferences.ts';
import { useConsole } from '../state/store.ts';
import { DialogSheet } from '../ui/dialog.tsx';
import { Group } from './setting-group.tsx';
import { ModelSettings } from './model-settings.tsx';
import { PrivacySettings } from './privacy-settings.tsx';
import { StorageSettings } from './storage-settings.tsx';
import { SETTING_GROUPS, type SettingField } from './setting-fields.ts';

const THEMES: { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function SettingsDialog() {
  return (
    <DialogSheet title="Settings" size="large" onClose={() => showDialog(null)}>
      <div className="sheet-content settings scroll">
        <ModelSettings />
        <StorageSettings />
        <PrivacySettings />
        <Appearance />
        {SETTING_GROUPS.map((group) => (
          <Group key={group.title} title={group.title}>
            {group.fields.map((field) => (
              <Field key={field.key} field={field} />
            ))}
          </Group>
        ))}
        <About />
      </div>
    </DialogSheet>
  );
}

function Appearance() {
  const theme = useConsole((state) => state.preferences.theme);
  return (
    <Group title="Appearance">
      <div className="setting">
        <span className="setting-text">
          <span>Theme</span>
        </span>
        <div className="segments" role="radiogroup" aria-label="Theme">
          {THEMES.map((choice) => (
            <button
              key={choice.value}
              type="button"
              role="radio"
              aria-checked={theme === choice.value}
              onClick={() => changePreferences({ theme: choice.value })}
            >
              {choice.label}
            </button>
          ))}
        </div>
      </div>
    </Group>
  );
}

function Field({ field }: { field: SettingField }) {
  const value = useConsole((state) => state.data.settings?.[field.key]);
  const standard = useConsole((state) => state.defaults?.[field.key]);
  const [error, setError] = useState<string | null>(null);
  const id = useId();
  if (value === undefined) return null;
  const save = async (next: unknown) => {
    const refusal = await changeSetting(field.key, next);
    setError(refusal?.message ?? null);
    return refusal === null;
  };
  const changed = standard !== undefined && standard !== value;
  return (
    <div className="setting">
      <label className="setting-text" htmlFor={id}>
        <span>{field.label}</span>
        <span className="dim">{field.help}</span>
        {error !== null && (
          <span className="bad" role="alert">
            {error}
          </span>
        )}
      </label>
      <span className="setting-control">
        {changed && (
          <button type="button" className="ghost sm" onClick={() => void save(standard)}>
            Reset to {standard === '' ? 'empty' : String(standard)}
          </button>
        )}
        <Control id={id} field={field} value={value} onSave={save} />
      </span>
    </div>
  );
}

interface ControlProps {
  id: string;
  field: SettingField;
  value: string | number | boolean;
  /** True when it was saved. */
  onSave: (value: unknown) => Promise<boolean>;
}

function Control({ id, field, value, onSave }: ControlProps) {
  if (field.kind === 'choice') {
    return (
      <select id={id} value={String(value)} onChange={(event) => void onSave(event.target.value)}>
        {field.options?.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  }
  if (field.kind === 'switch') {
    return (
      <button
        id={id}
        type="button"
        role="switch"
        className="switch"
        aria-checked={value === true}
        onClick={() => void onSave(value !== true)}
      >
        <span className="vh">{field.label}</span>
      </button>
    );
  }
  return <TextControl id={id} field={field} value={String(value)} onSave={onSave} />;
}

/** Typing changes nothing until Enter or leaving the field; what was refused stays visible with its reason. */
function TextControl({ id, field, value, onSave }: ControlProps & { value: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = async () => {
    if (typed === null || typed.trim() === value) return setTyped(null);
    if (await onSave(typed.trim())) setTyped(null);
  };
  return (
    <span className="with-unit">
      <input
        id={id}
        className="text-input"
        inputMode={field.kind === 'number' ? 'numeric' : 'text'}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save();
        }}
      />
      {field.unit !== undefined && <span className="dim">{field.unit}</span>}
    </span>
  );
}

function About() {
  const model = useConsole((state) => state.data.model);
  const info = useConsole((state) => state.appInfo);
  if (info === null) return null;
  const facts = [
    ['Version', info.version],
    ['Model', model?.modelLabel ?? info.modelLabel],
    ['Storage', info.storage],
    ['Data folder', info.dataFolder],
    ['Host', `${info.host}, ${info.platform}`],
  ];
  return (
    <Group title="About">
      <dl className="about">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </Group>
  );
}
