// The scrolling log of turns: opens where one stood or at the newest, stays at its end while an answer streams, draws only what is in view.
import { ArrowDown } from 'lucide-react';
import { type FocusEvent, useMemo } from 'react';
import type { ContextMessage, ContextPlan, PlanEntry } from '../../shared/compaction.ts';
import type { StoredMessage } from '../../shared/conversation.ts';
import { words } from '../language/language.ts';
import { type ConversationData, isTurnLoaded } from '../state/console-data.ts';
import { newestTurn, useConsole } from '../state/store.ts';
import { LiveTurn } from '../turns/live-turn.tsx';
import { LostRun } from '../turns/lost-run.tsx';
import { sentByTurn } from '../turns/turn-parts.ts';
import { Bubble, TurnView } from '../turns/turn-view.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { formatDay } from '../ui/format.ts';
import { useToday } from '../ui/hooks.ts';
import { Announcer } from './announcer.tsx';
import { customerNameOf } from './customer-name.ts';
import { FindBar } from './find-bar.tsx';
import { type LogShape, rowAt } from './log-rows.ts';
import { SafeMarkdown } from './safe-markdown.tsx';
import { useFind } from './use-find.ts';
import { useVirtualLog } from './use-virtual-log.ts';

export { scrollToTurn } from './use-virtual-log.ts';

interface TranscriptProps {
  data: ConversationData;
  turns: readonly number[];
  entries: ReadonlyMap<number, PlanEntry>;
  plan: ContextPlan | null;
  showCompacted: boolean;
}

const NOTHING: readonly ContextMessage[] = [];

function turnOfElement(element: EventTarget): number | null {
  const turn = element instanceof Element ? element.closest('[data-turn]')?.getAttribute('data-turn') : null;
  return turn === null || turn === undefined ? null : Number(turn);
}

export function Transcript(props: TranscriptProps) {
  const { data, turns, plan, showCompacted } = props;
  const pending = useConsole((state) => state.pending[data.summary.id]);
  const finding = useConsole((state) => state.finding);
  const sent = useMemo(() => sentByTurn(plan), [plan]);
  const hasNotes = showCompacted && sent.notes.length > 0;
  const shape: LogShape = useMemo(() => ({ turns, hasNotes }), [turns, hasNotes]);
  const log = useVirtualLog(data, shape, pending?.id);
  const find = useFind(data, log, finding !== null);
  const { virtualizer, setFrame, firstTurn, loadError, tryAgain, away, fresh, toEnd, goToTurn, onFocusTurn } = log;
  const isEmpty = turns.length === 0 && pending === undefined && data.live === null;
  const onFocus = (event: FocusEvent) => onFocusTurn(turnOfElement(event.target));
  return (
    <div className="log-frame">
      {finding !== null && <FindBar find={find} turns={turns} goToTurn={goToTurn} />}
      <div className="log-view">
        {/* A region that scrolls must be reachable by keyboard. It is silent: rows come and go while it scrolls. */}
        <div
          className="log scroll"
          role="log"
          aria-live="off"
          aria-label={words().pane.messages}
          tabIndex={0}
          ref={setFrame}
          onFocus={onFocus}
          onBlur={() => onFocusTurn(null)}
        >
          {isEmpty && <EmptyChat name={customerNameOf(data)} />}
          <div className="log-rows" style={{ height: virtualizer.getTotalSize() }} hidden={isEmpty}>
            {virtualizer.getVirtualItems().map((item) => {
              const row = rowAt(shape, item.index);
              const isDrawn = row.kind !== 'turn' || isTurnLoaded(data, row.turn);
              return (
                <div
                  key={item.key}
                  className="log-row"
                  data-index={item.index}
                  // A turn that is not loaded keeps the height it is thought to have: nothing moves while pages come and go.
                  ref={isDrawn ? virtualizer.measureElement : null}
                  style={{ transform: `translateY(${item.start}px)`, ...(isDrawn ? {} : { height: item.size }) }}
                >
                  {row.kind === 'notes' && <SentNotes notes={sent.notes} />}
                  {row.kind === 'turn' &&
                    (isDrawn ? <DrawnTurn {...props} turn={row.turn} sent={sent.turns} /> : <UnloadedTurn turn={row.turn} />)}
                  {row.kind === 'tail' && <Tail data={data} />}
                </div>
              );
            })}
          </div>
        </div>
        {firstTurn !== null && <StickyDate data={data} turn={firstTurn} />}
        {loadError !== null && <LoadError reason={loadError.message} tryAgain={tryAgain} />}
        {away && !isEmpty && (
          <button type="button" className="to-end" onClick={toEnd}>
            <ArrowDown className="i m" aria-hidden />
            {words().chat.newest}
            {fresh > 0 && <span className="fresh num">{words().chat.fresh(fresh)}</span>}
          </button>
        )}
      </div>
      <Announcer data={data} />
    </div>
  );
}

interface DrawnTurnProps extends TranscriptProps {
  turn: number;
  sent: ReadonlyMap<number, ContextMessage[]>;
}

function DrawnTurn({ data, turn, entries, sent, showCompacted }: DrawnTurnProps) {
  const modelLabel = useConsole((state) => state.data.model?.modelLabel ?? '');
  const selectedTurn = useConsole((state) => state.selectedTurn);
  const today = useToday();
  const liveTurn = data.live?.turn ?? 0;
  return (
    <FailureBoundary what={words().chat.turnNumber(turn)} text={plainTurn(data.messages[turn])}>
      <TurnView
        turn={turn}
        messages={data.messages[turn] ?? NO_MESSAGES}
        record={data.records[turn]}
        entry={entries.get(turn)}
        sent={showCompacted && turn !== liveTurn && entries.has(turn) ? (sent.get(turn) ?? NOTHING) : null}
        customerName={customerNameOf(data)}
        today={today}
        modelLabel={modelLabel}
        isNewest={turn === newestTurn(data)}
        running={turn === liveTurn}
        selected={turn === selectedTurn}
        toolTimes={data.toolTimes}
      />
    </FailureBoundary>
  );
}

const NO_MESSAGES: readonly StoredMessage[] = [];

/** Holds the place of a turn that is on its way. */
function UnloadedTurn({ turn }: { turn: number }) {
  return (
    <div className="turn unloaded" data-unloaded={turn}>
      <span className="edge">{words().chat.turnNumber(turn)}</span>
      <span className="skeleton short" aria-hidden />
      <span className="skeleton" aria-hidden />
      <span className="vh">{words().chat.loadingTurn}</span>
    </div>
  );
}

/** What stands behind the last stored turn: the answer at work, messages that wait, the one being saved. */
function Tail({ data }: { data: ConversationData }) {
  const pending = useConsole((state) => state.pending[data.summary.id]);
  const modelLabel = useConsole((state) => state.data.model?.modelLabel ?? '');
  const connected = useConsole((state) => state.connection === 'open');
  const name = customerNameOf(data);
  const { live } = data;
  return (
    <>
      {live !== null && connected && (
        <FailureBoundary key={live.runId} what={words().pane.thisAnswer} text={live.text}>
          <LiveTurn
            live={live}
            modelLabel={modelLabel}
            toolTimes={data.toolTimes}
            continued={(data.messages[live.turn]?.length ?? 0) > 1}
          />
        </FailureBoundary>
      )}
      {live !== null && !connected && <LostRun text={live.text} />}
      {data.queued.map((queued) => (
        <div className="turn" key={queued.id}>
          <Bubble name={name} text={queued.text} note={words().pane.queued} />
        </div>
      ))}
      {pending !== undefined && !isKnown(data, pending.id) && (
        <div className="turn">
          <Bubble name={name} text={pending.text} note={words().pane.saving} />
        </div>
      )}
    </>
  );
}

/** The day of the first turn in view. Each turn says its own time, so it is for eyes only. */
function StickyDate({ data, turn }: { data: ConversationData; turn: number }) {
  const today = useToday();
  const at = data.marks.find((mark) => mark.turn === turn)?.at ?? data.records[turn]?.startedAt ?? 0;
  if (at === 0) return null;
  return (
    <span className="sticky-date" aria-hidden>
      {formatDay(at, today, words().chat)}
    </span>
  );
}

function LoadError({ reason, tryAgain }: { reason: string; tryAgain: () => void }) {
  return (
    <div className="log-error" role="alert">
      <span>{words().chat.turnsNotLoaded(reason)}</span>
      <button type="button" className="sm" onClick={tryAgain}>
        {words().chat.tryAgain}
      </button>
    </div>
  );
}

/** What a turn says, as it is. */
function plainTurn(messages: readonly StoredMessage[] | undefined): string {
  return (messages ?? []).map((message) => `${message.role}: ${message.content}`).join('\n\n');
}

function isKnown(data: ConversationData, id: string): boolean {
  return data.queued.some((queued) => queued.id === id) || (data.messages[newestTurn(data)] ?? []).some((message) => message.id === id);
}

function EmptyChat({ name }: { name: string }) {
  return (
    <div className="empty">
      <h2>{words().pane.empty}</h2>
      <p>
        {words().pane.emptyBefore} <bdi>{name}</bdi>
        {words().pane.emptyAfter}
      </p>
    </div>
  );
}

function SentNotes({ notes }: { notes: readonly ContextMessage[] }) {
  return (
    <section className="sent-notes" aria-label={words().pane.notes}>
      {notes.map((note, index) => (
        <div key={index} className="sent-note">
          <span className="eyebrow">{words().pane.noteSent(note.kind ?? note.role)}</span>
          <SafeMarkdown text={note.content} />
        </div>
      ))}
    </section>
  );
}
