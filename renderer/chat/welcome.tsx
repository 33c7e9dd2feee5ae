// What stands in the middle while no conversation is open: questions that start one.
import { CornerDownLeft, MessageSquareText, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { words } from '../language/language.ts';
import { runCommand } from '../shell/commands.ts';
import { changePreferences, showDialog, startConversation } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';

const QUESTIONS = [
  { title: 'A refund that is too late', text: 'Can I get a refund for order #1043?' },
  { title: 'A refund that is in time', text: 'Can I get a refund for order #1042?' },
  { title: 'Something from the help centre', text: 'How long does shipping take?' },
];

export function Welcome() {
  const info = useConsole((state) => state.data.model);
  const total = useConsole((state) => state.data.total);
  const [starting, setStarting] = useState(false);
  const start = (text: string) => {
    setStarting(true);
    void startConversation(undefined, text).finally(() => setStarting(false));
  };
  return (
    <section className="chat welcome-pane scroll" aria-label="Welcome">
      <div className="welcome">
        <h1>Nimbus is ready to answer.</h1>
        <p className="lead">
          {total > 0
            ? 'Pick a conversation at the left, or start one here.'
            : info?.isDemo === true
              ? 'A demo shop is loaded. Everything runs on this computer: no key, no server, no network.'
              : 'A demo shop is loaded. What you write goes to the chosen model.'}
        </p>
        {info?.isDemo === true && (
          <p className="demo-note">
            <MessageSquareText className="i" aria-hidden />
            <span>
              Answers come from the <b>{info.modelLabel}</b>.
            </span>
          </p>
        )}
        <TourOffer />
        <h2>
          Start with a question <span className="dim">as the demo customer</span>
        </h2>
        <ul className="samples">
          {QUESTIONS.map((question) => (
            <li key={question.text}>
              <button type="button" disabled={starting} onClick={() => start(question.text)}>
                <Play className="i" aria-hidden />
                <span className="sample-text">
                  <b>{question.title}</b>
                  <span>“{question.text}”</span>
                </span>
                <CornerDownLeft className="i m" aria-hidden />
              </button>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => showDialog('new-conversation')}>
              <Plus className="i" aria-hidden />
              <span className="sample-text">
                <b>Write as another customer</b>
                <span>Choose who speaks, then type</span>
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
