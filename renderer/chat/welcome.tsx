// What stands in the middle while no conversation is open: questions that start one.
import { CornerDownLeft, MessageSquareText, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { words } from '../language/language.ts';
import { runCommand } from '../shell/commands.ts';
import { changePreferences, showDialog, startConversation } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';

/** What the customer says is not the console's language: the demo shop speaks English. */
const QUESTIONS = [
  { key: 'late', text: 'Can I get a refund for order #1043?' },
  { key: 'inTime', text: 'Can I get a refund for order #1042?' },
  { key: 'helpCentre', text: 'How long does shipping take?' },
] as const;

export function Welcome() {
  const info = useConsole((state) => state.data.model);
  const total = useConsole((state) => state.data.total);
  const [starting, setStarting] = useState(false);
  const said = words().pane;
  const start = (text: string) => {
    setStarting(true);
    void startConversation(undefined, text).finally(() => setStarting(false));
  };
  return (
    <section className="chat welcome-pane scroll" aria-label={said.welcome}>
      <div className="welcome">
        <h1>{said.ready}</h1>
        <p className="lead">{total > 0 ? said.pickOrStart : info?.isDemo === true ? said.demoLoaded : said.modelLoaded}</p>
        {info?.isDemo === true && (
          <p className="demo-note">
            <MessageSquareText className="i" aria-hidden />
            <span>
              {said.answersFrom} <b>{info.modelLabel}</b>
              {said.answersFromEnd}
            </span>
          </p>
        )}
        <TourOffer />
        <h2>
          {said.startWith} <span className="dim">{said.asDemo}</span>
        </h2>
        <ul className="samples">
          {QUESTIONS.map((question) => (
            <li key={question.text}>
              <button type="button" disabled={starting} onClick={() => start(question.text)}>
                <Play className="i" aria-hidden />
                <span className="sample-text">
                  <b>{said[question.key]}</b>
                  <span>{said.quoted(question.text)}</span>
                </span>
                <CornerDownLeft className="i m" aria-hidden />
              </button>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => showDialog('new-conversation')}>
              <Plus className="i" aria-hidden />
              <span className="sample-text">
                <b>{said.asOther}</b>
                <span>{said.asOtherHint}</span>
              </span>
              <kbd>N</kbd>
            </button>
          </li>
        </ul>
      </div>
    </section>
  );
}

/** Offered until it was taken or declined. */
function TourOffer() {
  const seen = useConsole((state) => state.preferences.tourSeen);
  if (seen) return null;
  const text = words().tour;
  return (
    <p className="tour-offer">
      <span>{text.offer}</span>
      <button type="button" className="sm" onClick={() => runCommand('show-tour')}>
        {text.take}
      </button>
      <button type="button" className="ghost sm" onClick={() => changePreferences({ tourSeen: true })}>
        {text.decline}
      </button>
    </p>
  );
}
