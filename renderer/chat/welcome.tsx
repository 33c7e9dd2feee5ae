// What stands in the middle while no conversation is open: questions that start one.
import { CornerDownLeft, MessageSquareText, Play, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Customer } from '../../shared/shop.ts';
import { engine, showDialog, startConversation } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';

const QUESTIONS = [
  { title: 'A refund that is too late', text: 'Can I get a refund for order #1043?' },
  { title: 'A refund that is in time', text: 'Can I get a refund for order #1042?' },
  { title: 'Something from the help centre', text: 'How long does shipping take?' },
];

/** The customer samples are asked as: the first of the shop. */
function useFirstCustomer(): Customer | null {
  const connection = useConsole((state) => state.connection);
  const [customer, setCustomer] = useState<Customer | null>(null);
  useEffect(() => {
    if (connection !== 'open') return;
    engine()
      .call('listCustomers', { limit: 1 })
      .then(
        ({ customers }) => setCustomer(customers[0] ?? null),
        () => setCustomer(null),
      );
  }, [connection]);
  return customer;
}

export function Welcome() {
  const info = useConsole((state) => state.appInfo);
  const total = useConsole((state) => state.list.total);
  const customer = useFirstCustomer();
  const [starting, setStarting] = useState(false);
  const start = (text: string) => {
    setStarting(true);
    void startConversation(customer?.id ?? null, text).finally(() => setStarting(false));
  };
  return (
    <section className="chat welcome-pane scroll" aria-label="Welcome">
      <div className="welcome">
        <h1>Nimbus is ready to answer.</h1>
        <p className="lead">
          {total === 0
            ? 'A demo shop is loaded. Everything runs on this computer: no key, no server, no network.'
            : 'Pick a conversation at the left, or start one here.'}
        </p>
        {info?.isDemo === true && (
          <p className="demo-note">
            <MessageSquareText className="i" aria-hidden />
            <span>
              Answers come from the <b>{info.modelLabel}</b>.
            </span>
          </p>
        )}
        <h2>Start with a question{customer !== null && <span className="dim"> as {customer.name}</span>}</h2>
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
