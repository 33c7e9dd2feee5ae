// The Context tab: the next request, or a past one, as lines in wire order, and what was left out.
import { words } from '../language/language.ts';
import { useEffect, useState } from 'react';
import type { ContextPlan, RequestForecast } from '../../shared/compaction.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { scrollToTurn } from '../chat/transcript.tsx';
import { changeStrategy, engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { newestTurn, useConsole, useConversation } from '../state/store.ts';
import { planInWords } from '../turns/turn-parts.ts';
import { DispositionGlyph } from '../ui/disposition.tsx';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { formatCount, formatEstimate } from '../ui/format.ts';
import { leftOut, type RequestLine, requestLines } from './request-lines.ts';

export function ContextPanel() {
  const data = useConversation();
  const [view, setView] = useState<'next' | 'sent'>('next');
  const selectedTurn = useConsole((state) => state.selectedTurn);
  if (data === undefined) return <PanelEmpty title={words().context.noneOpen} text={words().context.noneOpenPanel} />;
  const turn = selectedTurn ?? newestTurn(data);
  return (
    <div className="context">
      <div className="context-head">
        <div className="segments" role="radiogroup" aria-label={words().context.which}>
          <button type="button" role="radio" aria-checked={view === 'next'} onClick={() => setView('next')}>
            {words().context.next}
          </button>
          <button type="button" role="radio" aria-checked={view === 'sent'} disabled={turn === 0} onClick={() => setView('sent')}>
            {turn === 0 ? words().context.sent : words().context.sentTurn(turn)}
          </button>
        </div>
        <span className="grow" />
        <StrategySelect data={data} />
      </div>
      {view === 'next' ? <NextRequest data={data} /> : <PastRequest data={data} turn={turn} />}
    </div>
  );
}

function StrategySelect({ data }: { data: ConversationData }) {
  const standard = useConsole((state) => state.data.settings?.['memory.strategy'] ?? 'stable');
  return (
    <label className="strategy">
      <span className="dim wide">{words().context.strategy}</span>
      <select
        aria-label={words().context.strategyOf}
        value={data.summary.strategy ?? ''}
        onChange={(event) => {
          const value = event.target.value;
          void changeStrategy(data.summary.id, value === 'recent-turns' || value === 'summary' || value === 'stable' ? value : null);
        }}
      >
        <option value="">{words().context.standard(standard)}</option>
        <option value="recent-turns">recent-turns</option>
        <option value="summary">summary</option>
        <option value="stable">stable</option>
      </select>
    </label>
  );
}

function NextRequest({ data }: { data: ConversationData }) {
  const entry = useConsole((state) => state.forecasts[data.summary.id]);
  const draft = useConsole((state) => state.drafts[data.summary.id] ?? '').trim();
  const forecast = entry?.forecast ?? null;
  if (forecast === null) {
    return (
      <PanelEmpty
        title={entry?.error ? words().context.cannotPlan : words().context.counting}
        text={entry?.error?.message ?? words().context.moment}
      />
    );
  }
  const nothing = forecast.plan.entries.length === 0 && draft === '';
  return (
    <>
      {nothing && <p className="panel-hint">{words().context.nothing}</p>}
      <RequestList plan={forecast.plan} forecast={forecast} question={draft} />
    </>
  );
}

function PastRequest({ data, turn }: { data: ConversationData; turn: number }) {
  const live = data.plans[turn];
  const [loaded, setLoaded] = useState<{ turn: number; plan: ContextPlan | null } | ErrorInfo | null>(null);
  useEffect(() => {
    let current = true;
    engine()
      .call('getTurnPlan', { conversationId: data.summary.id, turn })
      .then(
        ({ plan }) => current && setLoaded({ turn, plan }),
        (error: unknown) => current && setLoaded(toErrorInfo(error)),
      );
    return () => {
      current = false;
    };
  }, [data.summary.id, turn, data.revision]);
  if (loaded !== null && 'code' in loaded) return <PanelEmpty title={words().context.cannotLoad} text={loaded.message} />;
  const plan = loaded?.turn === turn ? (loaded.plan ?? live ?? null) : (live ?? null);
  if (plan === null) {
    return loaded === null ? (
      <PanelEmpty title={words().context.loading} text={words().context.moment} />
    ) : (
      <PanelEmpty title={words().context.noRequest} text={words().context.noRequestOf(turn)} />
    );
  }
  return <RequestList plan={plan} forecast={null} question="" />;
}

interface RequestListProps {
  plan: ContextPlan;
  forecast: RequestForecast | null;
  question: string;
}

function RequestList({ plan, forecast, question }: RequestListProps) {
  const around = forecast === null ? null : { parts: forecast.parts, promptVersion: forecast.promptVersion, question };
  const lines = requestLines(plan, around);
  const missing = leftOut(plan);
  const total = forecast === null ? plan.tokens : forecast.totalTokens;
  return (
    <div className="request scroll">
      <p className="request-sum">
        <b className="num">{words().context.tokens(formatEstimate(total))}</b>
        <span>{forecast === null ? words().context.ofHistory : words().context.history(formatCount(plan.tokens))}</span>
        <span className="trunc">{planInWords(plan)}</span>
      </p>
      {plan.notices.map((notice) => (
        <p key={notice} className="panel-warning">
          {notice}
        </p>
      ))}
      <h2 className="request-title">{words().context.inOrder}</h2>
      {lines.length === 0 ? (
        <p className="panel-hint">{words().context.alone}</p>
      ) : (
        <ol className="request-lines">
          {lines.map((line) => (
            <Line key={line.number} line={line} />
          ))}
        </ol>
      )}
      {missing.length > 0 && (
        <>
          <h2 className="request-title">{words().context.leftOut}</h2>
          <ul className="request-lines">
            {missing.map((row) => (
              <li key={row.from} className="request-line left-out">
                <span className={`disp ${row.disposition}`}>
                  <DispositionGlyph disposition={row.disposition} />
                  {words().context.turns(row.from, row.to)}
                </span>
                <span className="request-text">
                  <span>
                    {words().turnlook.short[row.disposition]}: {row.reason}
                  </span>
                  {row.setting !== null && <code>{row.setting}</code>}
                </span>
                <span className="num">0</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Line({ line }: { line: RequestLine }) {
  const isTurn = line.look !== 'fixed' && line.look !== 'note' && line.look !== 'current';
  const body = (
    <>
      <span className="line-number num">{line.number}</span>
      <span className={`disp ${line.look}`}>
        {isTurn && line.look !== 'fixed' && line.look !== 'note' && line.look !== 'current' && (
          <DispositionGlyph disposition={line.look} pinned={line.pinned} />
        )}
        {line.label}
      </span>
      <span className="request-text">
        <span className="trunc" dir="auto">
          {line.text}
        </span>
        {line.reason !== '' && <span className="dim">{line.reason}</span>}
      </span>
      <span className="num">{line.tokens === null ? '' : formatEstimate(line.tokens)}</span>
    </>
  );
  const turn = line.turn;
  return (
    <li className="request-line">
      {turn === null ? (
        <div className="line-body">{body}</div>
      ) : (
        <button type="button" className="line-body" title={`Show turn ${turn}`} onClick={() => scrollToTurn(turn)}>
          {body}
        </button>
      )}
    </li>
  );
}
