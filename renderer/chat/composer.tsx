// Where a person writes: grows with its text, keeps a draft per conversation, never loses text that was not saved.
import { words } from '../language/language.ts';
import { CircleAlert, Send, Square } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { MESSAGE_LIMIT } from '../state/limits.ts';
import { sendMessage, setDraft, stopRun } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useConsole } from '../state/store.ts';
import { formatCount, formatDuration, formatEstimate } from '../ui/format.ts';
import { useNow } from '../ui/hooks.ts';
import { composerKey } from './composer-keys.ts';
import { CostOfSending } from './cost-forecast.tsx';

export function Composer({ data, name }: { data: ConversationData; name: string }) {
  const id = data.summary.id;
  const draft = useConsole((state) => state.drafts[id] ?? '');
  const pending = useConsole((state) => state.pending[id]);
  const error = useConsole((state) => state.sendErrors[id]);
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    // The height follows the text; CSS limits it. Set through the DOM, which the policy allows.
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [draft]);
  useEffect(() => area.current?.focus({ preventScroll: true }), []);
  const tooLong = draft.length > MESSAGE_LIMIT;
  const canSend = draft.trim() !== '' && !tooLong && pending === undefined;
  const send = () => {
    if (canSend) void sendMessage(id);
    area.current?.focus();
  };
  return (
    <form
      className="composer"
      aria-label={words().pane.reply}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {error !== undefined && (
        <p className="send-error" role="alert">
          <CircleAlert className="i m" aria-hidden />
          <span>
            <b>{words().pane.notSent}</b> {error.message} {words().pane.textBelow}
          </span>
        </p>
      )}
      <div className="composer-box">
        <textarea
          ref={area}
          rows={1}
          dir="auto"
          aria-label={words().pane.message}
          placeholder={words().pane.writeAs(name)}
          value={draft}
          onChange={(event) => setDraft(id, event.target.value)}
          onKeyDown={(event) => {
            const press = {
              key: event.key,
              keyCode: event.nativeEvent.keyCode,
              shiftKey: event.shiftKey,
              altKey: event.altKey,
              isComposing: event.nativeEvent.isComposing,
            };
            if (composerKey(press) === 'type') return;
            event.preventDefault();
            send();
          }}
        />
        <div className="composer-foot">
          <ComposerStatus data={data} length={draft.length} tooLong={tooLong} />
          {data.live !== null && <StopButton id={id} />}
          <button type="submit" className="primary" disabled={!canSend} title={words().pane.sendHint}>
            <Send className="i s" aria-hidden />
            {words().pane.send}
          </button>
        </div>
      </div>
    </form>
  );
}

function StopButton({ id }: { id: string }) {
  const connected = useConsole((state) => state.connection === 'open');
  return (
    <button
      type="button"
      title={connected ? words().pane.stopHint : words().pane.cannotStop}
      disabled={!connected}
      onClick={() => void stopRun(id)}
    >
      <Square className="i s filled" aria-hidden />
      {words().pane.stop}
    </button>
  );
}

function ComposerStatus({ data, length, tooLong }: { data: ConversationData; length: number; tooLong: boolean }) {
  const info = useConsole((state) => state.data.model);
  const forecast = useConsole((state) => state.forecasts[data.summary.id]?.forecast ?? null);
  const connected = useConsole((state) => state.connection === 'open');
  const now = useNow(data.live !== null && connected, 500);
  return (
    <span className="composer-status">
      {info !== null && <span className={`chip line trunc${info.isDemo ? ' demo' : ''}`}>{info.modelLabel}</span>}
      <span className="grow" />
      {tooLong ? (
        <span className="bad num">{words().pane.tooLong(formatCount(length), formatCount(MESSAGE_LIMIT))}</span>
      ) : data.live !== null && !connected ? (
        <span className="warn">{words().pane.lost}</span>
      ) : data.live !== null ? (
        <span className="num">{words().pane.answering(formatDuration(Math.max(0, now - data.live.startedAt)))}</span>
      ) : (
        <>
          {info?.isDemo === false && <CostOfSending data={data} />}
          {forecast !== null && <span className="num">{words().pane.next(formatEstimate(forecast.totalTokens))}</span>}
        </>
      )}
    </span>
  );
}
