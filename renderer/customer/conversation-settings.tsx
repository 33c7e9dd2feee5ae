// How this one conversation is set up: title, strategy, budgets, whose it is, what is masked. Each field saves by itself.
import type { Settings } from '../../shared/settings.ts';
import { words } from '../language/language.ts';
import { addNotice, changeStrategy } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useConsole } from '../state/store.ts';
import { changeConversation, changeOwnSetting } from './conversation-changes.ts';
import { axisText, axisValue, filledValue, isMoney, maskingOf, type OwnKey, ownKeys, ownText, ownValue } from './conversation-fields.ts';
import { OwnField } from './own-field.tsx';

export function ConversationSettings({ data }: { data: ConversationData }) {
  const settings = useConsole((state) => state.data.settings);
  const text = words().customer;
  if (settings === null) return null;
  return (
    <section className="side-part" aria-label={text.settings}>
      <h2>{text.settings}</h2>
      <p className="dim">{text.settingsMeaning}</p>
      <TitleField data={data} />
      <Budgets data={data} settings={settings} />
      <Axes data={data} />
      <Masking data={data} settings={settings} />
    </section>
  );
}

function TitleField({ data }: { data: ConversationData }) {
  const text = words().customer;
  return (
    <OwnField
      label={text.title}
      help={text.titleMeaning}
      shown={data.summary.title}
      parse={filledValue}
      save={(title) => changeConversation(data.summary.id, { title })}
      most={200}
    />
  );
}

function Budgets({ data, settings }: { data: ConversationData; settings: Settings }) {
  const text = words().customer;
  const { id, strategy, settings: own } = data.summary;
  const used = strategy ?? own?.['memory.strategy'] ?? settings['memory.strategy'];
  return (
    <div className="own-group" role="group" aria-label={text.budgets}>
      <h3>{text.budgets}</h3>
      <label className="own-field">
        <span>{words().context.strategy}</span>
        <select
          value={strategy ?? ''}
          onChange={(event) => {
            const { value } = event.target;
            void changeStrategy(id, value === 'recent-turns' || value === 'summary' || value === 'stable' ? value : null);
          }}
        >
          <option value="">{words().context.standard(settings['memory.strategy'])}</option>
          <option value="recent-turns">recent-turns</option>
          <option value="summary">summary</option>
          <option value="stable">stable</option>
        </select>
        <span className="dim">{text.strategies[used]}</span>
      </label>
      {ownKeys(used).map((key: OwnKey) => (
        <OwnField
          key={key}
          label={text.own[key]}
          help={own?.[key] === undefined ? text.standardHolds(ownText(key, settings[key]), isMoney(key)) : text.ownHolds}
          shown={own?.[key] === undefined ? '' : ownText(key, own[key])}
          placeholder={ownText(key, settings[key])}
          parse={(typed) => ownValue(key, typed)}
          save={(value) => changeOwnSetting(id, key, value)}
          numeric
          most={20}
        />
      ))}
    </div>
  );
}

function Axes({ data }: { data: ConversationData }) {
  const text = words().customer;
  const { tenant, actor, subject } = data.summary;
  return (
    <div className="own-group" role="group" aria-label={text.axes}>
      <h3>{text.axes}</h3>
      <OwnField
        label={text.tenant}
        help={text.tenantMeaning}
        shown={tenant}
        parse={filledValue}
        save={(value) => changeConversation(data.summary.id, { tenant: value })}
        most={190}
      />
      <OwnField
        label={text.actor}
        help={actor === null ? text.noActorMeaning : text.actorMeaning}
        shown={axisText(actor)}
        placeholder={text.nobody}
        parse={axisValue}
        save={(value) => changeConversation(data.summary.id, { actor: value })}
        most={255}
      />
      <OwnField
        label={text.subject}
        help={text.subjectMeaning}
        shown={axisText(subject)}
        placeholder={text.nothing}
        parse={axisValue}
        save={(value) => changeConversation(data.summary.id, { subject: value })}
        most={255}
      />
    </div>
  );
}

function Masking({ data, settings }: { data: ConversationData; settings: Settings }) {
  const text = words().customer;
  const here = data.summary.redact !== false;
  const everywhere = settings['privacy.redact'];
  const open = () => useConsole.setState({ dialog: 'settings', settingsPage: 'privacy' });
  return (
    <div className="own-group" role="group" aria-label={text.masking}>
      <h3>{text.masking}</h3>
      <div className="own-switch">
        <span>{text.maskHere}</span>
        <span className="dim">{here ? text.on : text.off}</span>
        <button
          type="button"
          role="switch"
          className="switch"
          aria-checked={here}
          onClick={() => {
            void changeConversation(data.summary.id, { redact: !here }).then((refusal) => {
              if (refusal !== null) addNotice('error', refusal.message);
            });
          }}
        >
          <span className="vh">{text.maskHere}</span>
        </button>
      </div>
      <div className="own-switch">
        <span>{text.maskEverywhere}</span>
        <span className="dim">{everywhere ? text.on : text.off}</span>
        <button type="button" className="sm" onClick={open}>
          {text.openPrivacy}
        </button>
      </div>
      <p className="dim" role="status">
        {text.maskStates[maskingOf(data.summary, settings)]}
      </p>
    </div>
  );
}
