// The Context area: stored history beside what is sent, the strategies compared, and why words are not seen.
import { ArrowLeft } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ContextPlan, RequestForecast } from '../../shared/compaction.ts';
import type { StrategyName } from '../../shared/conversation.ts';
import { toErrorInfo } from '../../shared/errors.ts';
import { customerNameOf } from '../chat/customer-name.ts';
import { words } from '../language/language.ts';
import { PromptPanel } from '../prompts/prompt-panel.tsx';
import { addNotice, changePreferences, changeStrategy, engine } from '../state/actions.ts';
import { compactNow } from '../state/conversation-actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { newestTurn, useConsole, useConversation } from '../state/store.ts';
import { planInWords } from '../turns/turn-parts.ts';
import { formatEstimate } from '../ui/format.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { alignTurns, sentIn } from './aligned-turns.ts';
import { Columns } from './columns.tsx';
import { StrategyComparison, WhyPanel } from './context-side.tsx';
import { type PastRequest, usePastRequest } from './past-request.ts';
import { RequestPicker } from './request-picker.tsx';
import { RequestTools } from './request-tools.tsx';
import { useStrategyForecasts } from './strategy-forecasts.ts';
import { BeforeAfter, TrialControls, type TriedSettings } from './trial-controls.tsx';

export function ContextPage() {
  const data = useConversation();
  return (
    <section className="page" aria-label={words().context.area}>
      {data === undefined ? (
        <PanelEmpty title={words().context.noneOpen} text={words().context.noneOpenPage} />
      ) : (
        <OpenContext key={data.summary.id} data={data} />
      )}
    </section>
  );
}

const NOTHING_TRIED: TriedSettings = {};

function OpenContext({ data }: { data: ConversationData }) {
  const draft = useConsole((state) => state.drafts[data.summary.id] ?? '').trim();
  const standard = useConsole((state) => state.data.settings?.['memory.strategy'] ?? 'stable');
  const active = data.summary.strategy ?? standard;
  const [shown, setShown] = useState<StrategyName | null>(null);
  const [tried, setTried] = useState<TriedSettings>({});
  const forecasts = useStrategyForecasts(data, draft, tried);
  const standing = useStrategyForecasts(data, draft, NOTHING_TRIED)[active];
  const shared = useConsole((state) => state.data.settings);
  const strategy = shown ?? active;
  const found = forecasts[strategy];
  const forecast = found !== undefined && 'plan' in found ? found : null;
  const plan = forecast?.plan ?? null;
  const [spanId, setSpanId] = useState<string | null>(null);
  const past = usePastRequest(data.summary.id, spanId);
  return (
    <>
      <header className="page-head">
        <h1 className="trunc" dir="auto">
          {customerNameOf(data)}
        </h1>
        <span className="chip">{strategy}</span>
        <RequestPicker data={data} draft={draft} value={spanId} onPick={setSpanId} />
        <span className="grow" />
        <button type="button" className="ghost" onClick={() => void compactNow(data.summary.id)}>
          {words().inspector.compactNow}
        </button>
        <button type="button" className="ghost" onClick={() => changePreferences({ area: 'conversations' })}>
          <ArrowLeft className="i m" aria-hidden />
          {words().context.chat}
        </button>
      </header>
      <div className="context-view">
        {spanId === null ? <NextColumns data={data} plan={plan} forecast={forecast} /> : <PastColumns data={data} past={past} />}
        <aside className="context-side scroll" aria-label={words().context.side}>
          <WhyPanel conversationId={data.summary.id} />
          <StrategyComparison
            forecasts={forecasts}
            active={active}
            shown={strategy}
            onShow={(name) => setShown(name === active ? null : name)}
            onApply={(name) => {
              void changeStrategy(data.summary.id, name);
              setShown(null);
            }}
          />
          {shared !== null && (
            <TrialControls strategy={strategy} settings={{ ...shared, ...data.summary.settings }} tried={tried} onTry={setTried} />
          )}
          {Object.keys(tried).length > 0 && (
            <BeforeAfter
              before={standing !== undefined && 'plan' in standing ? standing : null}
              after={forecast}
              onReset={() => setTried({})}
              onApply={() => {
                if (strategy !== active) void changeStrategy(data.summary.id, strategy);
                engine()
                  .call('changeConversationSettings', { conversationId: data.summary.id, values: tried })
                  .then(
                    () => setTried({}),
                    (error: unknown) => addNotice('error', toErrorInfo(error).message),
                  );
              }}
            />
          )}
          <RequestTools data={data} draft={draft} />
          <PromptPanel data={data} />
          {found !== undefined && 'code' in found && (
            <p className="panel-error" role="alert">
              {found.message}
            </p>
          )}
        </aside>
      </div>
    </>
  );
}

interface NextColumnsProps {
  data: ConversationData;
  plan: ContextPlan | null;
  forecast: RequestForecast | null;
}

function NextColumns({ data, plan, forecast }: NextColumnsProps) {
  const texts = words().inspector;
  const rows = useMemo(() => alignTurns(data.messages, plan), [data.messages, plan]);
  const summary =
    plan === null
      ? ''
      : texts.sentSummary(formatEstimate(plan.tokens), planInWords(plan), forecast === null ? '' : formatEstimate(forecast.totalTokens));
  return <Columns conversationId={data.summary.id} rows={rows} sent={plan} summary={summary} newest={newestTurn(data)} />;
}

function PastColumns({ data, past }: { data: ConversationData; past: PastRequest }) {
  const texts = words().inspector;
  const found = past.state === 'found' ? past : null;
  const sent = useMemo(() => (found === null ? null : sentIn(found.request, found.plan)), [found]);
  const turn = found?.request.mark?.turn ?? 0;
  const rows = useMemo(() => alignTurns(data.messages, sent).filter((row) => row.turn <= turn), [data.messages, sent, turn]);
  if (past.state === 'loading') return <PanelEmpty title={texts.loading} text={texts.oneMoment} />;
  if (past.state === 'failed') return <PanelEmpty title={texts.cannotShow} text={past.message} />;
  if (past.request.erased) return <PanelEmpty title={texts.erasedTitle} text={texts.erased(past.request.mark?.sha256 ?? '')} />;
  const summary = texts.pastSummary(formatEstimate(past.request.tokens), past.plan === null ? '' : planInWords(past.plan));
  return <Columns conversationId={data.summary.id} rows={rows} sent={sent} summary={summary} newest={turn} />;
}
