// The Traces area: all runs of the open conversation, the chosen one as a wide waterfall, its spans in detail beside it.
import { ArrowLeft, Maximize2, MessageSquare, Search, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import type { RunSummary, Span } from '../../shared/trace.ts';
import { customerNameOf } from '../chat/customer-name.ts';
import { words } from '../language/language.ts';
import { changePreferences, engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { loadTrace, selectTurn } from '../state/inspect-actions.ts';
import { newestTurn, useConsole, useConversation } from '../state/store.ts';
import { useNow } from '../ui/hooks.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { centsToMicroUsd, RUN_FILTERS, type RunFilter, runRows, runsInWords } from './run-rows.ts';
import { RunTable } from './run-table.tsx';
import { focusDetail, scrollSoon, SpanDetailView } from './span-detail.tsx';
import { spanNumbers } from './span-numbers.ts';
import { centerOf, throughWindow, timelineOf } from './timeline.ts';
import { useZoom, type Zoom } from './use-zoom.ts';
import { Waterfall } from './waterfall.tsx';

const RUNS_SHOWN = 200;
const LIVE_MS = 200;

export function TracesPage() {
  const data = useConversation();
  return (
    <section className="page traces" aria-label={words().trace.page.title}>
      {data === undefined ? (
        <PanelEmpty title={words().trace.panel.nothingOpen} text={words().trace.page.nothingOpenText} />
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

/** Which tools the turns used; nothing while it is not known. */
function useTools(data: ConversationData, wanted: boolean): readonly { turn: number; tools: readonly string[] }[] {
  const [found, setFound] = useState<readonly { turn: number; tools: readonly string[] }[]>([]);
  const id = data.summary.id;
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    engine()
      .call('listToolsOfTurns', { conversationId: id, limit: RUNS_SHOWN })
      .then(
        ({ turns }) => current && setFound(turns),
        () => current && setFound([]),
      );
    return () => {
      current = false;
    };
  }, [id, data.revision, wanted]);
  return found;
}

function ToolPick({
  tools,
  chosen,
  onChoose,
}: {
  tools: readonly string[];
  chosen: string | null;
  onChoose: (tool: string | null) => void;
}) {
  const text = words().trace.page;
  return (
    <select
      aria-label={text.tool}
      value={chosen ?? ''}
      onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">{text.anyTool}</option>
      {tools.map((tool) => (
        <option key={tool}>{tool}</option>
      ))}
    </select>
  );
}

function CostField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const said = words().trace.page;
  return (
    <label className="field run-cost">
      <span className="vh">{said.costOver}</span>
      <input
        type="text"
        inputMode="decimal"
        placeholder={`> ${said.costHint}, ¢`}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

function ConversationRuns({ data }: { data: ConversationData }) {
  const { runs, error } = useRuns(data);
  const [filter, setFilter] = useState<RunFilter>('all');
  const [search, setSearch] = useState('');
  const connected = useConsole((state) => state.connection === 'open');
  const now = useNow(data.live !== null && connected, LIVE_MS);
  const [costText, setCostText] = useState('');
  const [tool, setTool] = useState<string | null>(null);
  const toolsOfTurns = useTools(data, filter === 'tools');
  const toolNames = useMemo(() => [...new Set(toolsOfTurns.flatMap(({ tools }) => tools))].toSorted(), [toolsOfTurns]);
  const rows = useMemo(() => {
    const toolTurns = tool === null ? null : new Set(toolsOfTurns.filter(({ tools }) => tools.includes(tool)).map(({ turn }) => turn));
    return runRows(runs ?? [], filter, search, now, connected, { costAbove: centsToMicroUsd(costText), toolTurns });
  }, [runs, filter, search, now, connected, costText, tool, toolsOfTurns]);
  const text = words().trace.page;
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
            aria-label={text.find}
            placeholder={text.find}
            dir="auto"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <div className="segments" role="radiogroup" aria-label={text.which}>
          {RUN_FILTERS.map((id) => (
            <button key={id} type="button" role="radio" aria-checked={filter === id} onClick={() => setFilter(id)}>
              {text.filters[id]}
            </button>
          ))}
        </div>
        {filter === 'tools' && <ToolPick tools={toolNames} chosen={tool} onChoose={setTool} />}
        {filter === 'costly' && <CostField text={costText} onChange={setCostText} />}
        <span className="grow" />
        <span className="dim num">{runs === null ? '' : runsInWords(runs)}</span>
        <button type="button" className="ghost" onClick={() => changePreferences({ area: 'conversations' })}>
          <ArrowLeft className="i m" aria-hidden />
          {text.chat}
        </button>
      </header>
      {error !== null && (
        <p className="panel-error" role="alert">
          {text.cannotLoad(error.message)}
        </p>
      )}
      {runs !== null && rows.length === 0 ? (
        <PanelEmpty
          title={runs.length === 0 ? words().trace.panel.noRun : text.noneFits}
          text={runs.length === 0 ? text.noRunText : text.noneFitsText}
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
  useEffect(() => {
    void loadTrace(id, turn, runId);
  }, [id, turn, runId, running]);
  if (spans === undefined) return <PanelEmpty title={words().trace.panel.loading} text={words().trace.panel.moment} />;
  return <RunView spans={spans} turn={turn} running={running} />;
}

function RunView({ spans, turn, running }: { spans: Span[]; turn: number; running: boolean }) {
  const text = words().trace.page;
  const now = useNow(running, LIVE_MS);
  const zoom = useZoom();
  const selectedSpanId = useConsole((state) => state.selectedSpanId);
  const numbers = useMemo(() => spanNumbers(spans), [spans]);
  const whole = timelineOf(spans, now);
  const selected = spans.find((span) => span.id === selectedSpanId);
  const center = centerOf(whole, selectedSpanId);
  return (
    <div className="run-view">
      <div className="run-main trace" onKeyDown={(event) => zoom.onKeyDown(event, center)}>
        <div className="run-tools">
          <h2>{words().trace.panel.turn(turn)}</h2>
          <ButtonToTurn turn={turn} />
          <span className="grow" />
          <span className="dim zoom-hint">{text.zoomHint}</span>
          <ZoomButtons zoom={zoom} center={center} />
        </div>
        <Waterfall
          wide
          timeline={throughWindow(whole, zoom.window)}
          numbers={numbers}
          selectedSpanId={selectedSpanId}
          now={now}
          setTrack={zoom.setTrack}
          onOpen={focusDetail}
        />
        <SpanLegend />
      </div>
      <aside className="run-side" aria-label={text.span}>
        {selected === undefined ? (
          <PanelEmpty title={text.noSpan} text={text.noSpanText} />
        ) : (
          <SpanDetailView key={selected.id} span={selected} numbers={numbers.get(selected.id)} runStartedAt={whole.startedAt} now={now} />
        )}
      </aside>
    </div>
  );
}

function ZoomButtons({ zoom, center }: { zoom: Zoom; center: number | undefined }) {
  const text = words().trace.page;
  const buttons = [
    { name: text.zoomIn, key: '+', Icon: ZoomIn, disabled: false, act: () => zoom.by(0.5, center) },
    { name: text.zoomOut, key: '-', Icon: ZoomOut, disabled: !zoom.zoomed, act: () => zoom.by(2, center) },
    { name: text.whole, key: '0', Icon: Maximize2, disabled: !zoom.zoomed, act: zoom.fit },
  ];
  return (
    <>
      {zoom.zoomed && <span className="chip">{text.zoomed(String(Math.round(10 / (zoom.window.to - zoom.window.from)) / 10))}</span>}
      {buttons.map(({ name, key, Icon, disabled, act }) => (
        <button
          key={key}
          type="button"
          className="ghost icon sm"
          aria-label={name}
          title={`${name} (${key})`}
          disabled={disabled}
          onClick={act}
        >
          <Icon className="i" aria-hidden />
        </button>
      ))}
    </>
  );
}

function ButtonToTurn({ turn }: { turn: number }) {
  const show = () => {
    changePreferences({ area: 'conversations', inspectorTab: 'trace' });
    selectTurn(turn);
    scrollSoon(turn);
  };
  return (
    <button type="button" className="ghost sm" onClick={show}>
      <MessageSquare className="i s" aria-hidden />
      {words().trace.page.message}
    </button>
  );
}

const LEGEND = [
  ['k-model waiting', 'waiting'],
  ['k-model', 'streaming'],
  ['k-tool', 'tool'],
  ['k-approval', 'approval'],
  ['k-compaction', 'compaction'],
  ['k-storage', 'storage'],
  ['k-wait', 'retry'],
  ['k-tool error', 'error'],
] as const;

function SpanLegend() {
  return (
    <ul className="span-legend" aria-label={words().trace.page.legend}>
      {LEGEND.map(([look, word]) => (
        <li key={word}>
          <i className={`bar ${look}`} aria-hidden />
          {words().trace.legend[word]}
        </li>
      ))}
    </ul>
  );
}
