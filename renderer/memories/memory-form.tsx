// A new memory: whose it is, and the fact in one sentence.
import { useState } from 'react';
import { words } from '../language/language.ts';

interface MemoryFormProps {
  /** Ids and names. */
  customers: readonly (readonly [string, string])[];
  onClose: () => void;
  /** True when it was saved; else the text stays. */
  onSave: (customerId: string | null, text: string) => Promise<boolean>;
}

export function MemoryForm({ customers, onClose, onSave }: MemoryFormProps) {
  const [customerId, setCustomerId] = useState('');
  const [fact, setFact] = useState('');
  const text = words().memories;
  const save = async () => {
    if (await onSave(customerId === '' ? null : customerId, fact)) onClose();
  };
  return (
    <form
      className="memory-form"
      aria-label={text.add}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <select aria-label={text.whose} value={customerId} onChange={(event) => setCustomerId(event.target.value)}>
        <option value="">{text.everybody}</option>
        {customers.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <input
        className="text-input wide-input"
        aria-label={text.fact}
        placeholder={text.factExample}
        maxLength={1000}
        dir="auto"
        autoFocus
        value={fact}
        onChange={(event) => setFact(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <button type="button" onClick={onClose}>
        {text.cancel}
      </button>
      <button type="submit" className="primary" disabled={fact.trim() === ''}>
        {text.save}
      </button>
    </form>
  );
}
