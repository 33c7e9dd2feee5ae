// The Trace tab: the run of the selected turn as a waterfall, totals above, the selected span's detail below.
import { ChevronLeft, ChevronRight, Info } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { RunSummary, Span } from '../../shared/trace.ts';
import { words } from '../language/language.ts';
import { useConsole, useConversation } from '../state/store.ts';
import { newestTurn } from '../state/store.ts';
import type { ConversationData } from '../state/console-data.ts';
import { loadTrace, selectTurn } from '../state/inspect-actions.ts';
import { formatCost, formatDuration, formatPercent, formatReported } from '../ui/format.ts';
import { useNow } from '../ui/hooks.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { Fact } from './fact.tsx';
import { type RunRemarks, runRemarks } from './run-remarks.ts';
import { focusDetail, SpanDetailView } from './span-detail.tsx';
import { spanNumbers } from './span-numbers.ts';
import { centerOf, type RunTotals, runTotals, throughWindow, timelineOf } from './timeline.ts';
import { useZoom } from './use-zoom.ts';
import { Waterfall } from './waterfall.tsx';

/** Running bars grow this often. */
const LIVE_MS = 200;

export function TracePanel() {
  const text = words().trace.panel;
  const data = useConversation();
  if (data === undefined) return <PanelEmpty title={text.nothingOpen} text={text.nothingOpenText} />;
  const newest = newestTurn(data);
  if (newest === 0) return <PanelEmpty title={text.noRun} text={text.noRunText} />;
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
          {words().trace.panel.cannotLoad(error.message)}{' '}
          <button type="button" className="sm" onClick={() => void loadTrace(id, turn, chosenRun ?? undefined)}>
            {words().trace.panel.tryAgain}
          </button>
        </p>
      )}
      {spans !== undefined && spans.length > 0 ? (
        <Spans spans={spans} running={running} />
      ) : (
        error === null && (
          <PanelEmpty
            title={runId === null ? words().trace.panel.noRunOfTurn : words().trace.panel.loading}
            text={runId === null ? words().trace.panel.imported : words().trace.panel.moment}
          />
        )
      )}
    </div>
  );
}

function RunNotices({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <ul className="run-notices" aria-label={words().trace.panel.notices}>
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
  const numbers = useMemo(() => spanNumbers(spans), [spans]);
  const zoom = useZoom();
  const timeline = timelineOf(spans, now);
  const selected = spans.find((span) => span.id === selectedSpanId);
  return (
    <>
      <div className="panel-waterfall" onKeyDown={(event) => zoom.onKeyDown(event, centerOf(timeline, selectedSpanId))}>
        <Waterfall
          timeline={throughWindow(timeline, zoom.window)}
          numbers={numbers}
          selectedSpanId={selectedSpanId}
          now={now}
          setTrack={zoom.setTrack}
          onOpen={focusDetail}
        />
      </div>
      {selected === undefined ? (
        <p className="panel-hint">{words().trace.panel.select}</p>
      ) : (
        <SpanDetailView key={selected.id} span={selected} numbers={numbers.get(selected.id)} runStartedAt={timeline.startedAt} now={now} />
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
  const text = words().trace.panel;
  const record = data.records[turn];
  const totals = runTotals(spans);
  const now = useNow(running, LIVE_MS);
  const startedAt = run?.startedAt ?? record?.startedAt ?? now;
  const endedAt = running ? now : (run?.endedAt ?? record?.endedAt ?? startedAt);
  const attempt = runId === null ? -1 : runIds.indexOf(runId);
  return (
    <header className="run-head">
      <div className="run-line">
        <h2>{text.turn(turn)}</h2>
        {running ? (
          <span className="chip accent">
            <span className="pulse" aria-hidden />
            {text.running(formatDuration(endedAt - startedAt))}
          </span>
        ) : lost ? (
          <span className="chip warn">{text.lost}</span>
        ) : (
          <OutcomeChip state={record?.state ?? null} outcome={record?.outcome ?? null} duration={endedAt - startedAt} />
        )}
        {runIds.length > 1 && attempt >= 0 && (
          <label className="run-pick">
            <span className="vh">{text.run}</span>
            <select
              value={runId ?? ''}
              onChange={(event) => useConsole.setState({ selectedRunId: event.target.value, selectedSpanId: null })}
            >
              {runIds.map((id, index) => (
                <option key={id} value={id}>
                  {text.runOf(index + 1, runIds.length)}
                </option>
              ))}
            </select>
          </label>
        )}
        <span className="grow" />
        <button
          type="button"
          className="ghost icon sm"
          aria-label={text.previous}
          title={`${text.previous} ([)`}
          disabled={turn <= 1}
          onClick={() => selectTurn(turn - 1)}
        >
          <ChevronLeft className="i" aria-hidden />
        </button>
        <button
          type="button"
          className="ghost icon sm"
          aria-label={text.next}
          title={`${text.next} (])`}
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
  const text = words().trace.facts;
  return (
    <dl className="facts">
      <Fact name={text.steps} value={String(totals.steps)} />
      <Fact name={text.tools} value={String(totals.toolCalls)} />
      <Fact name={text.input} value={formatReported(totals.inputTokens)} />
      <Fact
        name={text.cached}
        value={
          totals.cacheReadTokens === null || totals.inputTokens === null || totals.inputTokens === 0
            ? '–'
            : `${formatReported(totals.cacheReadTokens)}, ${formatPercent(totals.cacheReadTokens / totals.inputTokens)}`
        }
      />
      <Fact name={text.output} value={formatReported(totals.outputTokens)} />
      {(totals.reasoningTokens ?? 0) > 0 && <Fact name={text.reasoning} value={formatReported(totals.reasoningTokens)} />}
      <Fact name={text.cost} value={formatCost(run?.costMicroUsd ?? totals.costMicroUsd)} />
      {forecast !== null && <Fact name={text.forecast} value={`~${formatCost(forecast)}`} />}
    </dl>
  );
}

function OutcomeChip({ state, outcome, duration }: { state: string | null; outcome: string | null; duration: number }) {
  const imported = words().trace.panel.importedChip;
  const bad = state === 'failed';
  const warn =
    state === 'interrupted' || state === 'handed-off' || outcome === 'step-limit' || outcome === 'time-limit' || outcome === 'empty-answer';
  const word = duration === 0 && outcome === null ? imported : (outcome ?? state ?? imported).replaceAll('-', ' ');
  return (
    <span className={`chip ${bad ? 'bad' : warn ? 'warn' : state === 'answered' ? 'ok' : ''}`}>
      {word}
      {duration > 0 ? `, ${formatDuration(duration)}` : ''}
    </span>
  );
}
