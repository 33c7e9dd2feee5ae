// The Trace tab: the run of the selected turn as a waterfall, totals above, the selected span's detail below.
import { ChevronLeft, ChevronRight, Info } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { RunSummary, Span } from '../../shared/trace.ts';
import { useConsole, useConversation } from '../state/store.ts';
import { newestTurn } from '../state/store.ts';
import type { ConversationData } from '../state/console-data.ts';
import { loadTrace, selectTurn } from '../state/inspect-actions.ts';
import { formatCost, formatDuration, formatPercent, formatReported } from '../ui/format.ts';
import { useNow } from '../ui/hooks.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { Fact } from './fact.tsx';
import { type RunRemarks, runRemarks } from './run-remarks.ts';
import { SpanDetailView } from './span-detail.tsx';
import { type RunTotals, runTotals, timelineOf } from './timeline.ts';
import { Waterfall } from './waterfall.tsx';

/** Running bars grow this often. */
const LIVE_MS = 200;

export function TracePanel() {
  const data = useConversation();
  if (data === undefined) return <PanelEmpty title="No conversation open" text="Pick one at the left: its runs appear here." />;
  const newest = newestTurn(data);
  if (newest === 0) return <PanelEmpty title="No run yet" text="Send a message: every step Nimbus takes is drawn here, with its time." />;
  return <TurnTrace data={data} newest={newest} />;
}

function TurnTrace({ data, newest }: { data: ConversationData; newest: number }) {
  const id = data.summary.id;
  const turn = useConsole((state) => state.selectedTurn) ?? newest;
  const chosenRun = useConsole((state) => state.selectedRunId);
  const error = useConsole((state) => state.traceError);
  const record = data.records[turn];
  const runId = chosenRun ?? record?.runId ?? null;
  const connected = useConsole((state) => state.connection === 'open');
  const live = data.live !== null && data.live.runId === runId;
  const running = live && connected;
  useEffect(() => {
    void loadTrace(id, turn, chosenRun ?? undefined);
    // A run that ends has its totals only then: loaded once more.
  }, [id, turn, chosenRun, running, record?.runId]);
  const spans = runId === null ? undefined : data.spans[runId];
  const run = runId === null ? undefined : data.runs[runId];
  const runIds = data.runIdsOfTurn[turn] ?? [];
  const events = runId === null ? undefined : data.events?.[runId];
  const remarks = useMemo(() => runRemarks(events ?? []), [events]);
  return (
    <div className="trace">
      <RunHeader
        turn={turn}
        newest={newest}
        run={run}
        runIds={runIds}
        runId={runId}
        spans={spans ?? []}
        running={running}
        lost={live && !connected}
        data={data}
        remarks={remarks}
      />
      <RunNotices notices={remarks.notices} />
      {error !== null && (
        <p className="panel-error" role="alert">
          The trace cannot be loaded: {error.message}{' '}
          <button type="button" className="sm" onClick={() => void loadTrace(id, turn, chosenRun ?? undefined)}>
            Try again
          </button>
        </p>
      )}
      {spans !== undefined && spans.length > 0 ? (
        <Spans spans={spans} running={running} />
      ) : (
        error === null && (
          <PanelEmpty
            title={runId === null ? 'No run for this turn' : 'Loading the trace'}
            text={runId === null ? 'It was imported, so Nimbus never worked on it here.' : 'One moment.'}
          />
        )
      )}
    </div>
  );
}

function RunNotices({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <ul className="run-notices" aria-label="Notices of this run">
      {notices.map((notice) => (
        <li key={notice}>
          <Info className="i s" aria-hidden />
          <span>{notice}</span>
        </li>
      ))}
    </ul>
  );
}

function Spans({ spans, running }: { spans: Span[]; running: boolean }) {
  const now = useNow(running, LIVE_MS);
  const selectedSpanId = useConsole((state) => state.selectedSpanId);
  const timeline = timelineOf(spans, now);
  const selected = spans.find((span) => span.id === selectedSpanId);
  return (
    <>
      <Waterfall timeline={timeline} selectedSpanId={selectedSpanId} />
      {selected === undefined ? (
        <p className="panel-hint">Select a span to see what was sent and what came back.</p>
      ) : (
        <SpanDetailView key={selected.id} span={selected} now={now} />
      )}
    </>
  );
}

interface RunHeaderProps {
  turn: number;
  newest: number;
  run: RunSummary | undefined;
  runIds: readonly string[];
  runId: string | null;
  spans: readonly Span[];
  running: boolean;
  /** It ran when the engine was last heard of. */
  lost: boolean;
  data: ConversationData;
  remarks: RunRemarks;
}

function RunHeader({ turn, newest, run, runIds, runId, spans, running, lost, data, remarks }: RunHeaderProps) {
  const record = data.records[turn];
  const totals = runTotals(spans);
  const now = useNow(running, LIVE_MS);
  const startedAt = run?.startedAt ?? record?.startedAt ?? now;
  const endedAt = running ? now : (run?.endedAt ?? record?.endedAt ?? startedAt);
  const attempt = runId === null ? -1 : runIds.indexOf(runId);
  return (
    <header className="run-head">
      <div className="run-line">
        <h2>Turn {turn}</h2>
        {running ? (
          <span className="chip accent">
            <span className="pulse" aria-hidden />
            running {formatDuration(endedAt - startedAt)}
          </span>
        ) : lost ? (
          <span className="chip warn">connection lost, state unknown</span>
        ) : (
          <OutcomeChip state={record?.state ?? null} outcome={record?.outcome ?? null} duration={endedAt - startedAt} />
        )}
        {runIds.length > 1 && attempt >= 0 && (
          <label className="run-pick">
            <span className="vh">Run</span>
            <select
              value={runId ?? ''}
              onChange={(event) => useConsole.setState({ selectedRunId: event.target.value, selectedSpanId: null })}
            >
              {runIds.map((id, index) => (
                <option key={id} value={id}>
                  Run {index + 1} of {runIds.length}
                </option>
              ))}
            </select>
          </label>
        )}
        <span className="grow" />
        <button
          type="button"
          className="ghost icon sm"
          aria-label="Previous turn"
          title="Previous turn ([)"
          disabled={turn <= 1}
          onClick={() => selectTurn(turn - 1)}
        >
          <ChevronLeft className="i" aria-hidden />
        </button>
        <button
          type="button"
          className="ghost icon sm"
          aria-label="Next turn"
          title="Next turn (])"
          disabled={turn >= newest}
          onClick={() => selectTurn(turn + 1)}
        >
          <ChevronRight className="i" aria-hidden />
        </button>
      </div>
      {runId !== null && <RunFacts run={run} totals={totals} forecast={remarks.forecastMicroUsd} />}
    </header>
  );
}

function RunFacts({ run, totals, forecast }: { run: RunSummary | undefined; totals: RunTotals; forecast: number | null }) {
  return (
    <dl className="facts">
      <Fact name="Steps" value={String(totals.steps)} />
      <Fact name="Tools" value={String(totals.toolCalls)} />
      <Fact name="Input" value={formatReported(totals.inputTokens)} />
      <Fact
        name="of it cached"
        value={
          totals.cacheReadTokens === null || totals.inputTokens === null || totals.inputTokens === 0
            ? '–'
            : `${formatReported(totals.cacheReadTokens)}, ${formatPercent(totals.cacheReadTokens / totals.inputTokens)}`
        }
      />
      <Fact name="Output" value={formatReported(totals.outputTokens)} />
      <Fact name="Cost" value={formatCost(run?.costMicroUsd ?? totals.costMicroUsd)} />
      {forecast !== null && <Fact name="Forecast" value={`~${formatCost(forecast)}`} />}
    </dl>
  );
}

function OutcomeChip({ state, outcome, duration }: { state: string | null; outcome: string | null; duration: number }) {
  const bad = state === 'failed';
  const warn =
    state === 'interrupted' || state === 'handed-off' || outcome === 'step-limit' || outcome === 'time-limit' || outcome === 'empty-answer';
  const word = duration === 0 && outcome === null ? 'imported' : (outcome ?? state ?? 'imported').replaceAll('-', ' ');
  return (
    <span className={`chip ${bad ? 'bad' : warn ? 'warn' : state === 'answered' ? 'ok' : ''}`}>
      {word}
      {duration > 0 ? `, ${formatDuration(duration)}` : ''}
    </span>
  );
}
