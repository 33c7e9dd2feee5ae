// The Context area: stored history beside what is sent, the strategies compared, and why words are not seen.
import { ArrowLeft, Cloud, UserRound, Wrench } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type { ContextMessage, ContextPlan, RequestForecast } from '../../shared/compaction.ts';
import type { StrategyName } from '../../shared/conversation.ts';
import { toErrorInfo } from '../../shared/errors.ts';
import { customerNameOf } from '../chat/customer-name.ts';
import { PromptPanel } from '../prompts/prompt-panel.tsx';
import { addNotice, changePreferences, changeStrategy, engine } from '../state/actions.ts';
import type { ConversationData } from '../state/console-data.ts';
import { newestTurn, useConsole, useConversation } from '../state/store.ts';
import { DISPOSITION_SHORT, planInWords, sentByTurn } from '../turns/turn-parts.ts';
import { DispositionGlyph } from '../ui/disposition.tsx';
import { formatCount, formatEstimate, formatTurnTime, plural } from '../ui/format.ts';
import { useToday } from '../ui/hooks.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { type AlignedTurn, alignTurns, type HistoryLine } from './aligned-turns.ts';
import { StrategyComparison, WhyPanel } from './context-side.tsx';
import { RequestTools } from './request-tools.tsx';
import { useStrategyForecasts } from './strategy-forecasts.ts';
import { BeforeAfter, TrialControls, type TriedSettings } from './trial-controls.tsx';

export function ContextPage() {
  const data = useConversation();
  return (
    <section className="page" aria-label="Context">
      {data === undefined ? (
        <PanelEmpty
          title="No conversation open"
          text="Open one in Conversations: what Nimbus is sent of it appears here, beside what is stored."
        />
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
  const rows = useMemo(() => alignTurns(data.messages, plan), [data.messages, plan]);
  return (
    <>
      <header className="page-head">
        <h1 className="trunc" dir="auto">
          {customerNameOf(data)}
        </h1>
        <span className="chip">{strategy}</span>
        <span className="dim trunc">{draft === '' ? 'next request, nothing typed yet' : `next request: “${draft}”`}</span>
        <span className="grow" />
        <button type="button" className="ghost" onClick={() => changePreferences({ area: 'conversations' })}>
          <ArrowLeft className="i m" aria-hidden />
          Chat
        </button>
      </header>
      <div className="context-view">
        <Columns rows={rows} plan={plan} forecast={forecast} newest={newestTurn(data)} />
        <aside className="context-side scroll" aria-label="Why and what if">
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

interface ColumnsProps {
  rows: readonly AlignedTurn[];
  plan: ContextPlan | null;
  forecast: RequestForecast | null;
  newest: number;
}

function Columns({ rows, plan, forecast, newest }: ColumnsProps) {
  const today = useToday();
  const notes = sentByTurn(plan).notes;
  return (
    <div className="columns scroll" tabIndex={0} role="group" aria-label="Stored and sent, turn by turn">
      <div className="columns-head">
        <span>
          <b>Stored</b> {plural(rows.length, 'turn')}
        </span>
        <span>What happens</span>
        <span className="trunc">
          <b>Sent</b> {plan === null ? '' : `${formatEstimate(plan.tokens)} tokens of history, ${planInWords(plan)}`}
          {forecast !== null && <span className="wide">, {formatEstimate(forecast.totalTokens)} in all</span>}
        </span>
      </div>
      {notes.length > 0 && <Notes notes={notes} />}
      {rows.length === 0 && <PanelEmpty title="Nothing stored yet" text="The first message starts the history." />}
      {rows.map((row) => (
        <AlignedRow key={row.turn} row={row} today={today} isNewest={row.turn === newest} />
      ))}
    </div>
  );
}

function Notes({ notes }: { notes: readonly ContextMessage[] }) {
  return (
    <>
      {notes.map((note, index) => (
        <div key={index} className="aligned note">
          <div className="stored-column dim">stands for older turns</div>
          <div className="fate">
            <span className="disp summarised">
              <DispositionGlyph disposition="summarised" />
              {note.kind ?? 'note'}
            </span>
          </div>
          <div className="sent-column summarised" dir="auto">
            {note.content}
          </div>
        </div>
      ))}
    </>
  );
}

const AlignedRow = memo(function AlignedRow({ row, today, isNewest }: { row: AlignedTurn; today: number; isNewest: boolean }) {
  const { entry } = row;
  const disposition = entry?.disposition ?? null;
  return (
    <div className={`aligned${isNewest ? ' newest' : ''}`}>
      <div className="stored-column">
        <Lines lines={row.stored} chips={row.sent.length > 0} />
      </div>
      <div className="fate">
        <span className="fate-head">
          <b className="num">{row.turn}</b>
          <time>{row.at > 0 ? formatTurnTime(row.at, today) : ''}</time>
        </span>
        {entry !== null && disposition !== null ? (
          <>
            <span className="fate-head">
              <span className={`disp ${disposition}`}>
                <DispositionGlyph disposition={disposition} pinned={entry.pinned ?? false} />
                {DISPOSITION_SHORT[disposition]}
              </span>
              <span className="num">{entry.tokens === 0 ? '' : formatEstimate(entry.tokens)}</span>
            </span>
            <span className="dim">{entry.reason}</span>
            {row.storedCharacters !== row.sentCharacters && (
              <span className="dim num">
                {formatCount(row.storedCharacters)} → {formatCount(row.sentCharacters)} characters
              </span>
            )}
          </>
        ) : (
          <span className="dim">in no plan yet</span>
        )}
      </div>
      <div className={`sent-column ${disposition ?? ''}`}>
        {row.sent.length > 0 ? <Lines lines={row.sent} chips={false} /> : <span className="nothing">{nothingWords(row)}</span>}
      </div>
    </div>
  );
});

function nothingWords({ entry }: AlignedTurn): string {
  if (entry === null) return 'Not planned yet';
  return entry.disposition === 'dropped' ? 'Nothing sent' : 'Only inside the notes above';
}

const LINE_ICONS = { customer: UserRound, nimbus: Cloud, tool: Wrench };
const LINE_WORDS = { customer: 'Customer', nimbus: 'Nimbus', tool: 'Tool' };

function Lines({ lines, chips }: { lines: readonly HistoryLine[]; chips: boolean }) {
  return (
    <ul className="history-lines">
      {lines.map((line) => {
        const Icon = LINE_ICONS[line.who];
        return (
          <li key={line.key} className={`by-${line.who}${line.lost ? ' lost' : ''}`}>
            <Icon className="i m" aria-label={LINE_WORDS[line.who]} role="img" />
            <span dir="auto">{line.text}</span>
            {line.lost && chips && <span className="left-out-chip">left out</span>}
          </li>
        );
      })}
    </ul>
  );
}
