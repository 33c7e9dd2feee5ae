// The scrolling log of turns: opens at the newest, stays there while an answer streams, loads older turns at its top.
import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ContextMessage, ContextPlan, PlanEntry } from '../../shared/compaction.ts';
import type { StoredMessage } from '../../shared/conversation.ts';
import { loadOlderTurns } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { newestTurn, useConsole } from '../state/store.ts';
import { LiveTurn } from '../turns/live-turn.tsx';
import { LostRun } from '../turns/lost-run.tsx';
import { sentByTurn } from '../turns/turn-parts.ts';
import { Bubble, TurnView } from '../turns/turn-view.tsx';
import { customerNameOf } from './customer-name.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { useToday } from '../ui/hooks.ts';
import { isAtBottom } from './scroll-rules.ts';
import { SafeMarkdown } from './safe-markdown.tsx';

interface TranscriptProps {
  data: ConversationData;
  turns: readonly number[];
  entries: ReadonlyMap<number, PlanEntry>;
  plan: ContextPlan | null;
  showCompacted: boolean;
}

const NOTHING: readonly ContextMessage[] = [];

export function scrollToTurn(turn: number): void {
  document.querySelector(`[data-turn="${turn}"]`)?.scrollIntoView({ block: 'start' });
}

/** Keeps the end in view while it was in view; keeps the place when older turns come in above. */
function useStickyEnd(data: ConversationData, pendingId: string | undefined) {
  const log = useRef<HTMLDivElement>(null);
  const sticky = useRef(true);
  const [away, setAway] = useState(false);
  const oldest = Math.min(...Object.keys(data.messages).map(Number));
  const before = useRef({ oldest, height: 0 });
  const toEnd = () => {
    sticky.current = true;
    setAway(false);
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  };
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return;
    if (oldest < before.current.oldest) element.scrollTop += element.scrollHeight - before.current.height;
    else if (sticky.current) element.scrollTop = element.scrollHeight;
    before.current = { oldest, height: element.scrollHeight };
  });
  // What was just sent is where a person looks, wherever they had scrolled to.
  useEffect(() => {
    if (pendingId === undefined) return;
    sticky.current = true;
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  }, [pendingId]);
  const onScroll = () => {
    const element = log.current;
    if (element === null) return;
    sticky.current = isAtBottom(element);
    setAway(!sticky.current);
    if (element.scrollTop < 200) void loadOlderTurns();
  };
  return { log, onScroll, away, toEnd };
}

export function Transcript({ data, turns, entries, plan, showCompacted }: TranscriptProps) {
  const pending = useConsole((state) => state.pending[data.summary.id]);
  const modelLabel = useConsole((state) => state.data.model?.modelLabel ?? '');
  const selectedTurn = useConsole((state) => state.selectedTurn);
  const loadingOlder = useConsole((state) => state.loadingOlder);
  const { log, onScroll, away, toEnd } = useStickyEnd(data, pending?.id);
  const sent = useMemo(() => sentByTurn(plan), [plan]);
  const connected = useConsole((state) => state.connection === 'open');
  const newest = newestTurn(data);
  const today = useToday();
  const name = customerNameOf(data);
  const liveTurn = data.live?.turn ?? 0;
  return (
    <div className="log-frame">
      {/* A region that scrolls must be reachable by keyboard */}
      <div className="log scroll" role="log" aria-label="Messages" tabIndex={0} ref={log} onScroll={onScroll}>
        {!data.complete && (
          <button type="button" className="ghost sm older" disabled={loadingOlder} onClick={() => void loadOlderTurns()}>
            {loadingOlder ? 'Loading older turns' : 'Load older turns'}
          </button>
        )}
        {turns.length === 0 && pending === undefined && <EmptyChat name={name} />}
        {showCompacted && sent.notes.length > 0 && <SentNotes notes={sent.notes} />}
        {turns.map((turn) => (
          <FailureBoundary key={turn} what={`Turn ${turn}`} text={plainTurn(data.messages[turn])}>
            <TurnView
              turn={turn}
              messages={data.messages[turn] ?? []}
              record={data.records[turn]}
              entry={entries.get(turn)}
              sent={showCompacted && turn !== liveTurn && entries.has(turn) ? (sent.turns.get(turn) ?? NOTHING) : null}
              customerName={name}
              today={today}
              modelLabel={modelLabel}
              isNewest={turn === newest}
              running={turn === liveTurn}
              selected={turn === selectedTurn}
              toolTimes={data.toolTimes}
            />
          </FailureBoundary>
        ))}
        {data.live !== null && connected && (
          <FailureBoundary key={data.live.runId} what="This answer" text={data.live.text}>
            <LiveTurn
              live={data.live}
              modelLabel={modelLabel}
              toolTimes={data.toolTimes}
              continued={(data.messages[liveTurn]?.length ?? 0) > 1}
            />
          </FailureBoundary>
        )}
        {data.live !== null && !connected && <LostRun text={data.live.text} />}
        {data.queued.map((queued) => (
          <div className="turn" key={queued.id}>
            <Bubble name={name} text={queued.text} note="Queued: answered when this answer is done" />
          </div>
        ))}
        {pending !== undefined && !isKnown(data, pending.id) && (
          <div className="turn">
            <Bubble name={name} text={pending.text} note="Saving" />
          </div>
        )}
      </div>
      {away && (
        <button type="button" className="to-end" onClick={toEnd}>
          <ArrowDown className="i m" aria-hidden />
          Newest
        </button>
      )}
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
      <h2>No messages yet</h2>
      <p>
        Write as <bdi>{name}</bdi> below. Nimbus answers, and the trace at the right shows how.
      </p>
    </div>
  );
}

function SentNotes({ notes }: { notes: readonly ContextMessage[] }) {
  return (
    <section className="sent-notes" aria-label="Notes sent before the turns">
      {notes.map((note, index) => (
        <div key={index} className="sent-note">
          <span className="eyebrow">{note.kind ?? note.role}, sent instead of older turns</span>
          <SafeMarkdown text={note.content} />
        </div>
      ))}
    </section>
  );
}
