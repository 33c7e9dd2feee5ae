// The Traces area: all runs of the open conversation, the chosen one as a wide waterfall, its spans in detail beside it.
import { ArrowLeft, Maximize2, MessageSquare, Search, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import type { RunSummary } from '../../shared/trace.ts';
import { customerNameOf } from '../chat/customer-name.ts';
import { changePreferences, engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { loadTrace, selectTurn } from '../state/inspect-actions.ts';
import { newestTurn, useConsole, useConversation } from '../state/store.ts';
import { useNow } from '../ui/hooks.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { RUN_FILTERS, type RunFilter, runRows, runsInWords } from './run-rows.ts';
import { RunTable } from './run-table.tsx';
import { SpanDetailView } from './span-detail.tsx';
import { throughWindow, timelineOf, type TimeWindow, WHOLE, moveWindow, zoomWindow } from './timeline.ts';
import { Waterfall } from './waterfall.tsx';

const RUNS_SHOWN = 200;
const LIVE_MS = 200;

export function TracesPage() {
  const data = useConversation();
  return (
    <section className="page traces" aria-label="Traces">
      {data === undefined ? (
        <PanelEmpty title="No conversation open" text="Open one in Conversations: all its runs appear here." />
      ) : (
        <ConversationRuns key={data.summary.id} data={data} />
      )}
    </section>
  );
}

/** Runs of the conversation, loaded again whenever a turn starts or ends. */
function useRuns(data: ConversationData): { runs: RunSummary[] | null; error: ErrorInfo | null } {
  const [found, setFound] = useState<{ runs: RunSummary[] | null; error: ErrorInfo | null }>({ runs: null, error: null });
  const id = data.summary.id;
  useEffect(() => {
    let current = true;
    engine()
      .call('listRuns', { conversationId: id, limit: RUNS_SHOWN })
      .then(
        ({ runs }) => current && setFound({ runs, error: null }),
        (error: unknown) => current && setFound({ runs: [], error: toErrorInfo(error) }),
      );
    return () => {
      current = false;
    };
  }, [id, data.revision]);
  return found;
}

function ConversationRuns({ data }: { data: ConversationData }) {
  const { runs, error } = useRuns(data);
  const [filter, setFilter] = useState<RunFilter>('all');
  const [search, setSearch] = useState('');
  const connected = useConsole((state) => state.connection === 'open');
  const now = useNow(data.live !== null && connected, LIVE_MS);
  const rows = useMemo(() => runRows(runs ?? [], filter, search, now, connected), [runs, filter, search, now, connected]);
  const turn = useConsole((state) => state.selectedTurn) ?? newestTurn(data);
  const chosen = useConsole((state) => state.selectedRunId) ?? data.records[turn]?.runId ?? null;
  return (
    <>
      <header className="page-head">
        <h1 className="trunc" dir="auto">
          {customerNameOf(data)}
        </h1>
        <label className="field page-search">
          <Search className="i m" aria-hidden />
          <input
            type="text"
            role="searchbox"
            aria-label="Find a run by its question"
            placeholder="Find a run by its question"
            dir="auto"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <div className="segments" role="radiogroup" aria-label="Which runs">
          {RUN_FILTERS.map(({ id, label }) => (
            <button key={id} type="button" role="radio" aria-checked={filter === id} onClick={() => setFilter(id)}>
              {label}
            </button>
          ))}
        </div>
        <span className="grow" />
        <span className="dim num">{runs === null ? '' : runsInWords(runs)}</span>
        <button type="button" className="ghost" onClick={() => changePreferences({ area: 'conversations' })}>
          <ArrowLeft className="i m" aria-hidden />
          Chat
        </button>
      </header>
      {error !== null && (
        <p className="panel-error" role="alert">
          The runs cannot be loaded: {error.message}
        </p>
      )}
      {runs !== null && rows.length === 0 ? (
        <PanelEmpty
          title={runs.length === 0 ? 'No run yet' : 'No run fits'}
          text={
            runs.length === 0
              ? 'Send a message in Conversations: its run appears here while it works.'
              : 'Choose All, or search for other words.'
          }
        />
      ) : (
        <>
          <RunTable rows={rows} chosen={chosen} />
          {chosen !== null && <ChosenRun key={chosen} data={data} turn={turn} runId={chosen} />}
        </>
      )}
    </>
  );
}

function ChosenRun({ data, turn, runId }: { data: ConversationData; turn: number; runId: string }) {
  const id = data.summary.id;
  const connected = useConsole((state) => state.connection === 'open');
  const running = connected && data.live?.runId === runId;
  const spans = data.spans[runId];
  const now = useNow(running, LIVE_MS);
  const [window, setWindow] = useState<TimeWindow>(WHOLE);
  const selectedSpanId = useConsole((state) => state.selectedSpanId);
  useEffect(() => {
    void loadTrace(id, turn, runId);
  }, [id, turn, runId, running]);
  if (spans === undefined) return <PanelEmpty title="Loading the trace" text="One moment." />;
  const whole = timelineOf(spans, now);
  const selected = spans.find((span) => span.id === selectedSpanId);
  const bars = whole.rows.find((row) => row.span.id === selectedSpanId)?.bars;
  const center = bars === undefined ? (window.from + window.to) / 2 : ((bars[0]?.from ?? 0) + (bars.at(-1)?.to ?? 1)) / 2;
  const zoom = (factor: number) => setWindow((current) => zoomWindow(current, factor, center));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+') zoom(0.5);
    else if (event.key === '-') zoom(2);
    else if (event.key === '0') setWindow(WHOLE);
    else if (event.key === 'ArrowLeft') setWindow((current) => moveWindow(current, -0.25));
    else if (event.key === 'ArrowRight') setWindow((current) => moveWindow(current, 0.25));
    else return;
    event.preventDefault();
  };
  const zoomed = window.from > 0 || window.to < 1;
  return (
    <div className="run-view" onKeyDown={onKeyDown}>
      <div className="run-main trace">
        <div className="run-tools">
          <h2>Turn {turn}</h2>
          <ButtonToTurn turn={turn} />
          <span className="grow" />
          {zoomed && <span className="chip">zoomed {Math.round(1 / (window.to - window.from))}×</span>}
          <button type="button" className="ghost icon sm" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(0.5)}>
            <ZoomIn className="i" aria-hidden />
          </button>
          <button
            type="button"
            className="ghost icon sm"
            aria-label="Zoom out"
            title="Zoom out (-)"
            disabled={!zoomed}
            onClick={() => zoom(2)}
          >
            <ZoomOut className="i" aria-hidden />
          </button>
          <button
            type="button"
            className="ghost icon sm"
            aria-label="Whole run"
            title="Whole run (0)"
            disabled={!zoomed}
            onClick={() => setWindow(WHOLE)}
          >
            <Maximize2 className="i" aria-hidden />
          </button>
        </div>
        <Waterfall wide timeline={throughWindow(whole, window)} selectedSpanId={selectedSpanId} />
        <SpanLegend />
      </div>
      <aside className="run-side" aria-label="Span">
        {selected === undefined ? (
          <PanelEmpty
            title="No span selected"
            text="Click a row, or use ↑ and ↓ in the list: request, response, times and errors appear here."
          />
        ) : (
          <SpanDetailView key={selected.id} span={selected} now={now} />
        )}
      </aside>
    </div>
  );
}

function ButtonToTurn({ turn }: { turn: number }) {
  const show = () => {
    selectTurn(turn);
    changePreferences({ area: 'conversations', inspectorTab: 'trace' });
  };
  return (
    <button type="button" className="ghost sm" onClick={show}>
      <MessageSquare className="i s" aria-hidden />
      Message
    </button>
  );
}

const LEGEND = [
  { look: 'k-model waiting', word: 'waiting for the first token' },
  { look: 'k-model', word: 'streaming' },
  { look: 'k-tool', word: 'tool' },
  { look: 'k-compaction', word: 'context' },
  { look: 'k-storage', word: 'storage' },
  { look: 'k-wait', word: 'retry wait' },
  { look: 'k-tool error', word: 'error' },
];

function SpanLegend() {
  return (
    <ul className="span-legend" aria-label="Kinds of spans">
      {LEGEND.map(({ look, word }) => (
        <li key={word}>
          <i className={`bar ${look}`} aria-hidden />
          {word}
        </li>
      ))}
    </ul>
  );
}
