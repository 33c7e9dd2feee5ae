// One turn: its edge with the disposition, the customer's bubbles, Nimbus' answer and tool calls, marks and actions.
import { Ban, Cloud, RotateCcw, StepForward, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { ContextMessage, PlanEntry } from '../../shared/compaction.ts';
import type { StoredMessage, TurnRecord } from '../../shared/conversation.ts';
import { isLong } from '../chat/markdown-guard.ts';
import { FoldedText } from '../chat/plain-text.tsx';
import { SafeMarkdown } from '../chat/safe-markdown.tsx';
import { words } from '../language/language.ts';
import { continueTurn, retryTurn } from '../state/actions.ts';
import { selectTurn } from '../state/inspect-actions.ts';
import { MessageMark } from '../sync/message-mark.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DispositionLabel } from '../ui/disposition.tsx';
import { formatEstimate, formatFullTime, formatTurnTime, initials } from '../ui/format.ts';
import { canContinue } from './continuing.ts';
import { ToolCard } from './tool-card.tsx';
import { TurnError } from './turn-error.tsx';
import { turnMarkdown } from './turn-markdown.ts';
import { TurnMenu } from './turn-menu.tsx';
import { answerText, canRetry, type Mark, turnMark, turnParts, type TurnParts } from './turn-parts.ts';
import { UsedTurns } from './used-turns.tsx';

export interface TurnViewProps {
  turn: number;
  messages: readonly StoredMessage[];
  record: TurnRecord | undefined;
  entry: PlanEntry | undefined;
  /** What is sent instead of what is stored; null: show what is stored. */
  sent: readonly ContextMessage[] | null;
  customerName: string;
  /** Start of the present day, in milliseconds. */
  today: number;
  modelLabel: string;
  isNewest: boolean;
  running: boolean;
  selected: boolean;
  toolTimes: Readonly<Record<string, { ms: number; failed: boolean }>>;
}

export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { turn, messages, record, entry, sent } = props;
  const stored = turnParts(messages);
  // Dropped turns keep their words in compacted view, greyed: a person must see what the model does not.
  const dropped = entry?.disposition === 'dropped';
  const showSent = sent !== null && sent.length > 0;
  const parts = showSent ? turnParts(sent) : stored;
  const gone = sent !== null && !showSent && entry !== undefined;
  return (
    <article
      className={`turn${gone || (dropped && sent === null) ? ' gone' : ''}${props.selected ? ' selected' : ''}`}
      data-turn={turn}
      aria-label={words().turnlook.turn(turn)}
    >
      <TurnEdge turn={turn} at={record?.startedAt ?? messages[0]?.at ?? 0} today={props.today} entry={entry} selected={props.selected}>
        {record !== undefined && (
          <TurnMenu
            conversationId={record.conversationId}
            turn={turn}
            pinned={record.pinned}
            forgotten={record.forgottenAt !== undefined}
            running={record.state === 'running' || record.state === 'waiting-approval'}
            unseen={entry !== undefined && entry.disposition !== 'full'}
            answer={answerText(stored)}
            markdown={() => turnMarkdown({ heading: words().chat.turnNumber(turn), customer: props.customerName }, stored)}
          />
        )}
      </TurnEdge>
      {parts.questions.map((question) => (
        <Bubble key={question.key} name={props.customerName} text={question.text} note={<MessageMark unsynced={question.unsynced} />} />
      ))}
      {(parts.parts.length > 0 || (record !== undefined && record.state !== 'running')) && (
        <Answer {...props} parts={parts} mark={turnMark(record, stored)} />
      )}
    </article>
  );
});

interface TurnEdgeProps {
  turn: number;
  at: number;
  today: number;
  entry: PlanEntry | undefined;
  selected: boolean;
  children: ReactNode;
}

function TurnEdge({ turn, at, today, entry, selected, children }: TurnEdgeProps) {
  const title = entry === undefined ? undefined : `${words().turnlook.dispositions[entry.disposition]}: ${entry.reason}`;
  return (
    <div className="edge">
      <button type="button" className="edge-turn" aria-pressed={selected} title={words().turnlook.select} onClick={() => selectTurn(turn)}>
        {turn === 0 ? words().turnlook.before : words().turnlook.turn(turn)}
      </button>
      <span className="edge-line" aria-hidden />
      {entry !== undefined && (
        <span className="edge-right" title={title}>
          {entry.disposition === 'dropped' ? (
            <span className="gone-chip">
              <Ban className="i s" aria-hidden />
              <span className="trunc">{words().turnlook.notSentAnyMore(entry.reason)}</span>
            </span>
          ) : (
            <>
              <DispositionLabel
                disposition={entry.disposition}
                pinned={entry.pinned ?? false}
                word={words().turnlook.dispositions[entry.disposition]}
              />
              <span className="num">{formatEstimate(entry.tokens)}</span>
            </>
          )}
        </span>
      )}
      {at > 0 && (
        <time dateTime={new Date(at).toISOString()} title={formatFullTime(at)}>
          {formatTurnTime(at, today)}
        </time>
      )}
      {children}
    </div>
  );
}

export function Bubble({ name, text, note }: { name: string; text: string; note?: ReactNode }) {
  return (
    <div className="msg">
      <span className="avatar" aria-hidden>
        {initials(name)}
      </span>
      <div className="bubble-column">
        <span className="vh">{name}:</span>
        <div className="bubble" dir="auto">
          {isLong(text) ? <FoldedText text={text} /> : text}
        </div>
        {note !== undefined && <span className="bubble-note">{note}</span>}
      </div>
    </div>
  );
}

function Answer(props: TurnViewProps & { parts: TurnParts; mark: Mark | null }) {
  const { parts, mark, record } = props;
  const answers = props.messages.filter((message) => message.role !== 'user');
  const copyable = answerText(parts);
  const error = record?.state === 'failed' ? record.error : null;
  return (
    <div className="msg">
      <span className="avatar nimbus" aria-hidden>
        <Cloud className="i m" />
      </span>
      <div className="answer">
        <div className="by">
          <b>Nimbus</b>
          {/* An imported answer was not written by the model of today. */}
          <span className="trunc dim">{record?.runId === null ? words().turnlook.imported : props.modelLabel}</span>
          {/* The whole reason stands below the answer. */}
          {mark !== null && <MarkChip mark={error === null ? mark : { word: words().turnlook.marks.failed, tone: 'bad' }} />}
          {record?.state !== 'running' && answers.length > 0 && (
            <MessageMark unsynced={answers.some((message) => message.unsynced === true)} />
          )}
          <span className="by-actions">
            {copyable !== '' && <CopyButton text={() => copyable} label={words().turnlook.copyAnswer} />}
            {canContinue(record, props.messages, props) && (
              <button
                type="button"
                className="ghost sm"
                title={words().turnlook.continueHint}
                onClick={() => void continueTurn(record?.conversationId ?? '')}
              >
                <StepForward className="i s" aria-hidden />
                {words().turnlook.continue}
              </button>
            )}
            {canRetry(record, props.isNewest, props.running) && (
              <button type="button" className="ghost sm" onClick={() => void retryTurn(record?.conversationId ?? '')}>
                <RotateCcw className="i s" aria-hidden />
                {words().turnlook.retry}
              </button>
            )}
          </span>
        </div>
        {parts.parts.map((part) =>
          part.kind === 'text' ? (
            part.text !== '' && (
              <div key={part.key} className={`body${part.state === undefined ? '' : ' marked'}`}>
                <SafeMarkdown text={part.text} />
              </div>
            )
          ) : (
            <ToolCard
              key={part.call.id}
              call={part.call}
              result={part.result}
              failed={part.failed || (props.toolTimes[part.call.id]?.failed ?? false)}
              synthetic={part.synthetic}
              ms={props.toolTimes[part.call.id]?.ms ?? null}
              running={props.running && part.result === null}
            />
          ),
        )}
        {record?.recalledTurns !== undefined && <UsedTurns turns={record.recalledTurns} />}
        {error !== null && <TurnError error={error} isNewest={props.isNewest} />}
      </div>
    </div>
  );
}

function MarkChip({ mark }: { mark: Mark }) {
  return (
    <span className={`chip ${mark.tone === 'quiet' ? '' : mark.tone}`} title={mark.word}>
      {mark.tone !== 'quiet' && <TriangleAlert className="i s" aria-hidden />}
      <span className="trunc">{mark.word}</span>
    </span>
  );
}
