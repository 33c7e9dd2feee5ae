// Facts about the app, and the way to its tour and keys.
import { words } from '../language/language.ts';
import { runCommand } from '../shell/commands.ts';
import { useConsole } from '../state/store.ts';
import { Group } from './setting-group.tsx';

export function About() {
  const model = useConsole((state) => state.data.model);
  const info = useConsole((state) => state.appInfo);
  const text = words().about;
  if (info === null) return null;
  const facts = [
    [text.version, info.version],
    [text.model, model?.modelLabel ?? info.modelLabel],
    [text.storage, words().sync.storage[info.storage]],
    [text.dataFolder, info.dataFolder],
    [text.host, `${text.hosts[info.host]}, ${info.platform}`],
  ] as const;
  return (
    <>
      <Group title={text.title}>
        <dl className="about">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ))}
        </dl>
      </Group>
      <Group title={text.help}>
        <div className="about-actions">
          <button type="button" onClick={() => runCommand('show-tour')}>
            {text.tour}
          </button>
          <button type="button" onClick={() => runCommand('show-shortcuts')}>
            {text.keys}
          </button>
        </div>
        <p className="form-note about-licences">{text.licences}</p>
      </Group>
    </>
  );
}
