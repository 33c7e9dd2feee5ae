// The versions of the system prompt: write, compare on a past request, activate, roll back, choose for this conversation. I/O through the client.
import { useEffect, useState } from 'react';
import { toErrorInfo } from '../../shared/errors.ts';
import type { RequestDiff } from '../../shared/inspection.ts';
import type { PromptVersionView } from '../../shared/prompts.ts';
import { DiffView } from '../context/request-tools.tsx';
import { words } from '../language/language.ts';
import { addNotice, engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';

const report = (error: unknown) => addNotice('error', toErrorInfo(error).message);

export function PromptPanel({ data }: { data: ConversationData }) {
  const texts = words().inspector;
  const [versions, setVersions] = useState<readonly PromptVersionView[]>([]);
  const [shown, setShown] = useState<string | null>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [diff, setDiff] = useState<RequestDiff | null>(null);
  const conversationId = data.summary.id;
  const own = data.summary.settings?.['agent.promptVersion'] ?? '';
  const load = () =>
    engine()
      .call('listPromptVersions', {})
      .then((listed) => setVersions(listed.versions), report);
  useEffect(() => {
    void load();
  }, []);
  const active = versions.find((each) => each.active);
  const version = versions.find((each) => each.version === shown) ?? active;
  if (version === undefined) return null;
  const preview = () => {
    engine()
      .call('listRequests', { conversationId, limit: 1 })
      .then(({ requests }) => {
        const spanId = requests[0]?.spanId;
        const from = spanId === undefined ? { trial: {} } : { spanId };
        const to = spanId === undefined ? { trial: { promptVersion: version.version } } : { spanId, promptVersion: version.version };
        return engine().call('diffRequests', { conversationId, from, to });
      })
      .then((found) => setDiff(found.diff))
      .catch(report);
  };
  return (
    <section className="side-part" aria-label={texts.prompt}>
      <h2>{texts.prompt}</h2>
      <label className="trial-head">
        {texts.version}
        <select
          value={version.version}
          onChange={(event) => {
            setShown(event.target.value);
            setDiff(null);
          }}
        >
          {versions.map((each) => (
            <option key={each.version} value={each.version}>
              {each.version}
              {each.active ? ` (${texts.active})` : ''}
            </option>
          ))}
        </select>
      </label>
      <p className="dim">
        {version.author}
        {version.note === '' ? '' : `: ${version.note}`}
      </p>
      <textarea
        aria-label={texts.promptText}
        rows={8}
        dir="auto"
        value={draft ?? version.text}
        onChange={(event) => setDraft(event.target.value)}
      />
      {draft !== null && (
        <NewVersion
          text={draft}
          basedOn={version.version}
          onReset={() => setDraft(null)}
          onSaved={(added) => {
            setDraft(null);
            setShown(added);
            void load();
          }}
        />
      )}
      <VersionActions version={version} own={own} conversationId={conversationId} onPreview={preview} onVersions={setVersions} />
      {diff !== null && <DiffView diff={diff} />}
    </section>
  );
}

interface NewVersionProps {
  text: string;
  basedOn: string;
  onReset: () => void;
  onSaved: (version: string) => void;
}

/** Who wrote it and why; a version without an author is not kept. */
function NewVersion({ text, basedOn, onReset, onSaved }: NewVersionProps) {
  const texts = words().inspector;
  const [author, setAuthor] = useState('');
  const [note, setNote] = useState('');
  const save = () => {
    engine()
      .call('addPromptVersion', { text, author, note, basedOn })
      .then(({ version }) => onSaved(version.version), report);
  };
  return (
    <>
      <Field label={texts.author} value={author} onChange={setAuthor} />
      <Field label={texts.note} value={note} onChange={setNote} />
      <div className="preview-bar">
        <button type="button" className="primary" onClick={save} disabled={author.trim() === '' || text.trim() === ''}>
          {texts.saveVersion}
        </button>
        <button type="button" onClick={onReset}>
          {texts.reset}
        </button>
      </div>
    </>
  );
}

interface VersionActionsProps {
  version: PromptVersionView;
  /** The version this conversation chose; "" for none. */
  own: string;
  conversationId: string;
  onPreview: () => void;
  onVersions: (versions: readonly PromptVersionView[]) => void;
}

function VersionActions({ version, own, conversationId, onPreview, onVersions }: VersionActionsProps) {
  const texts = words().inspector;
  const isOwn = own === version.version;
  const activate = () => {
    engine()
      .call('activatePromptVersion', { version: version.version })
      .then((all) => onVersions(all.versions), report);
  };
  const choose = () => {
    engine()
      .call('choosePromptVersion', { conversationId, version: isOwn ? null : version.version })
      .catch(report);
  };
  return (
    <div className="preview-bar">
      <button type="button" onClick={onPreview}>
        {texts.previewPrompt}
      </button>
      <button type="button" disabled={version.active} onClick={activate}>
        {texts.activate}
      </button>
      <button type="button" aria-pressed={isOwn} onClick={choose}>
        {isOwn ? texts.useStandard : texts.useHere}
      </button>
    </div>
  );
}

function Field({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input className="text-input" aria-label={label} placeholder={label} value={value} onChange={(event) => onChange(event.target.value)} />
  );
}
