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
  const [author, setAuthor] = useState('');
  const [note, setNote] = useState('');
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
  const save = () => {
    engine()
      .call('addPromptVersion', { text: draft ?? version.text, author, note, basedOn: version.version })
      .then(({ version: added }) => {
        setDraft(null);
        setShown(added.version);
        return load();
      })
      .catch(report);
  };
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
        <>
          <input
            className="text-input"
            aria-label={texts.author}
            placeholder={texts.author}
            value={author}
            onChange={(event) => setAuthor(event.target.value)}
          />
          <input
            className="text-input"
            aria-label={texts.note}
            placeholder={texts.note}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <div className="preview-bar">
            <button type="button" className="primary" onClick={save} disabled={author.trim() === '' || draft.trim() === ''}>
              {texts.saveVersion}
            </button>
            <button type="button" onClick={() => setDraft(null)}>
              {texts.reset}
            </button>
          </div>
        </>
      )}
      <div className="preview-bar">
        <button type="button" onClick={preview}>
          {texts.previewPrompt}
        </button>
        <button
          type="button"
          disabled={version.active}
          onClick={() =>
            void engine()
              .call('activatePromptVersion', { version: version.version })
              .then((all) => setVersions(all.versions), report)
          }
        >
          {texts.activate}
        </button>
        <button
          type="button"
          aria-pressed={own === version.version}
          onClick={() =>
            void engine()
              .call('choosePromptVersion', { conversationId, version: own === version.version ? null : version.version })
              .catch(report)
          }
        >
          {own === version.version ? texts.useStandard : texts.useHere}
        </button>
      </div>
      {diff !== null && <DiffView diff={diff} />}
    </section>
  );
}
