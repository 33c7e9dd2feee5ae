// One text field that saves by Enter or on leaving it; what was refused stays typed, with its reason.
import { useId, useState } from 'react';
import type { ErrorInfo } from '../../shared/errors.ts';
import { words } from '../language/language.ts';
import type { Typed } from './conversation-fields.ts';

interface OwnFieldProps<T> {
  label: string;
  help: string;
  /** What holds now, as text. */
  shown: string;
  placeholder?: string;
  parse: (typed: string) => Typed<T>;
  /** Resolves with null when saved, else with the reason. */
  save: (value: T) => Promise<ErrorInfo | null>;
  numeric?: boolean;
  /** Characters. */
  most: number;
}

export function OwnField<T>({ label, help, shown, placeholder, parse, save, numeric = false, most }: OwnFieldProps<T>) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const leave = () => {
    setTyped(null);
    setProblem(null);
  };
  const keep = async () => {
    if (typed === null) return;
    if (typed.trim() === shown) return leave();
    const parsed = parse(typed);
    if (!parsed.ok) return setProblem(words().customer.wrong[parsed.wrong]);
    const refusal = await save(parsed.value);
    if (refusal === null) leave();
    else setProblem(refusal.message);
  };
  return (
    <div className="own-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="text-input"
        aria-describedby={`${id}-help`}
        aria-invalid={problem !== null}
        inputMode={numeric ? 'decimal' : 'text'}
        dir="auto"
        maxLength={most}
        placeholder={placeholder}
        value={typed ?? shown}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => void keep()}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') void keep();
          if (event.key === 'Escape' && typed !== null) {
            event.stopPropagation();
            leave();
          }
        }}
      />
      <span className="dim" id={`${id}-help`}>
        {help}
      </span>
      {problem !== null && (
        <span className="bad" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
