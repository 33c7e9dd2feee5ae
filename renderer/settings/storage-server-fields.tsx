// The fields about the database server, or one address in their place.
import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import type { StorageView } from '../../shared/storage-choice.ts';
import { words } from '../language/language.ts';
import type { StorageForm } from './storage-form.ts';

interface ServerFieldsProps {
  form: StorageForm;
  view: StorageView;
  /** The environment decides: the fields show what it says. */
  fixed: boolean;
  onChange: (part: Partial<StorageForm>) => void;
}

export function ServerFields({ form, view, fixed, onChange }: ServerFieldsProps) {
  const text = words().storage;
  const entries = { fields: text.fields, address: text.address };
  return (
    <div className="storage-server">
      {!fixed && (
        <div className="segments" role="radiogroup" aria-label={text.entry}>
          {(['fields', 'address'] as const).map((entry) => (
            <button key={entry} type="button" role="radio" aria-checked={form.entry === entry} onClick={() => onChange({ entry })}>
              {entries[entry]}
            </button>
          ))}
        </div>
      )}
      {form.entry === 'address' ? (
        <TextRow
          label={text.addressLabel}
          help={text.addressHelp}
          placeholder="mysql://USER:PASS@HOST:3306/nimbus"
          value={form.url}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      ) : (
        <Fields form={form} view={view} fixed={fixed} onChange={onChange} />
      )}
      {!fixed && <Keeping form={form} view={view} onChange={onChange} />}
    </div>
  );
}

function Fields({ form, view, fixed, onChange }: ServerFieldsProps) {
  const text = words().storage;
  const kept = { none: text.passwordMissing, keychain: text.passwordKept, session: text.passwordSession, environment: '' };
  const field = (name: 'hosts' | 'port' | 'database' | 'user' | 'caFile') => ({
    value: form[name],
    readOnly: fixed,
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <div className="storage-grid">
        <TextRow label={text.hosts} help={text.hostsHelp} placeholder="db.example.com" {...field('hosts')} />
        <TextRow label={text.port} inputMode="numeric" {...field('port')} />
        <TextRow label={text.database} {...field('database')} />
        <TextRow label={text.user} autoComplete="off" {...field('user')} />
        {!fixed && (
          <TextRow
            label={text.password}
            type="password"
            autoComplete="new-password"
            placeholder={kept[view.password]}
            value={form.password}
            onChange={(event) => onChange({ password: event.target.value })}
          />
        )}
      </div>
      <Row label={text.tls} help={text.tlsHelp}>
        {(id) => (
          <select
            id={id}
            value={form.authority}
            disabled={fixed}
            onChange={(event) => onChange({ authority: event.target.value === 'own' ? 'own' : 'system' })}
          >
            <option value="system">{text.tlsSystem}</option>
            <option value="own">{text.tlsOwn}</option>
          </select>
        )}
      </Row>
      {form.authority === 'own' && <TextRow label={text.caFile} placeholder={text.caFilePlaceholder} {...field('caFile')} />}
    </>
  );
}

function Keeping({ form, view, onChange }: Omit<ServerFieldsProps, 'fixed'>) {
  const text = words().storage;
  const { canPersist, reason } = view.keyStorage;
  return (
    <Row label={text.keep} help={form.keep === 'session' ? `${canPersist ? '' : `${reason} `}${text.sessionNote}` : ''}>
      {(id) => (
        <select
          id={id}
          value={form.keep}
          onChange={(event) => onChange({ keep: event.target.value === 'keychain' ? 'keychain' : 'session' })}
        >
          <option value="keychain" disabled={!canPersist}>
            {text.keepKeychain}
          </option>
          <option value="session">{text.keepSession}</option>
        </select>
      )}
    </Row>
  );
}

interface RowProps {
  label: string;
  help?: string | undefined;
  children: (id: string, helpId: string | undefined) => ReactNode;
}

function Row({ label, help, children }: RowProps) {
  const id = useId();
  const helpId = help === undefined || help === '' ? undefined : `${id}-help`;
  return (
    <div className="form-row">
      <label htmlFor={id}>{label}</label>
      {children(id, helpId)}
      {helpId !== undefined && (
        <p id={helpId} className="form-note">
          {help}
        </p>
      )}
    </div>
  );
}

export function TextRow({ label, help, ...input }: { label: string; help?: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Row label={label} help={help}>
      {(id, helpId) => (
        <input autoComplete="off" spellCheck={false} {...input} id={id} aria-describedby={helpId} className="text-input wide-input" />
      )}
    </Row>
  );
}
