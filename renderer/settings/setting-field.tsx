// One setting: its name, what it does, its control. What was refused stays visible with its reason.
import { useId, useState } from 'react';
import { words } from '../language/language.ts';
import { changeSetting } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { Group } from './setting-group.tsx';
import { dollarsOf, microUsdOf, SETTING_GROUPS, type SettingField, type SettingGroupName, type ShownSetting } from './setting-fields.ts';

export function SettingFields({ groups }: { groups: readonly SettingGroupName[] }) {
  return groups.map((group) => (
    <Group key={group} title={words().settings.groups[group]}>
      {SETTING_GROUPS[group].map((field) => (
        <Field key={field.key} field={field} name={field.key} />
      ))}
    </Group>
  ));
}

type Value = string | number | boolean;

function shownValue(field: SettingField, value: Value): string {
  return field.kind === 'money' ? dollarsOf(Number(value)) : String(value);
}

export function Field({ field, name }: { field: SettingField; name: ShownSetting }) {
  const value = useConsole((state) => state.data.settings?.[field.key]);
  const standard = useConsole((state) => state.defaults?.[field.key]);
  const [error, setError] = useState<string | null>(null);
  const id = useId();
  const text = words().settings;
  if (value === undefined) return null;
  const save = async (next: unknown) => {
    const refusal = await changeSetting(field.key, next);
    setError(refusal?.message ?? null);
    return refusal === null;
  };
  const changed = standard !== undefined && standard !== value;
  const { label, help } = text.fields[name];
  return (
    <div className="setting">
      <label className="setting-text" htmlFor={id}>
        <span>{label}</span>
        <span className="dim">{help}</span>
        {error !== null && (
          <span className="bad" role="alert">
            {error}
          </span>
        )}
      </label>
      <span className="setting-control">
        {changed && (
          <button type="button" className="ghost sm" onClick={() => void save(standard)}>
            {standard === '' ? text.resetToEmpty : text.resetTo(shownValue(field, standard))}
          </button>
        )}
        <Control id={id} field={field} label={label} unit={text.fields[name].unit} value={value} onSave={save} onProblem={setError} />
      </span>
    </div>
  );
}

interface ControlProps {
  id: string;
  field: SettingField;
  label: string;
  unit: string;
  value: Value;
  /** True when it was saved. */
  onSave: (value: unknown) => Promise<boolean>;
  onProblem: (problem: string | null) => void;
}

function Control(props: ControlProps) {
  const { id, field, label, value, onSave } = props;
  if (field.kind === 'choice') {
    const choices: Record<string, string> = words().settings.choices;
    return (
      <select id={id} value={String(value)} onChange={(event) => void onSave(event.target.value)}>
        {field.options?.map((option) => (
          <option key={option} value={option}>
            {choices[option] ?? option}
          </option>
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
        <span className="vh">{label}</span>
      </button>
    );
  }
  return <TextControl {...props} />;
}

/** Typing changes nothing until Enter or leaving the field. */
function TextControl({ id, field, unit, value, onSave, onProblem }: ControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = shownValue(field, value);
  const save = async () => {
    if (typed === null || typed.trim() === shown) return setTyped(null);
    const next = field.kind === 'money' ? microUsdOf(typed) : typed.trim();
    if (next === null) return onProblem(words().settings.notAnAmount);
    if (await onSave(next)) setTyped(null);
  };
  return (
    <span className="with-unit">
      {field.kind === 'money' && <span className="dim currency">$</span>}
      <input
        id={id}
        className="text-input"
        inputMode={field.kind === 'number' ? 'numeric' : field.kind === 'money' ? 'decimal' : 'text'}
        value={typed ?? shown}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save();
        }}
      />
      {unit !== '' && <span className="dim unit">{unit}</span>}
    </span>
  );
}
