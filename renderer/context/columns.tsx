// Stored history beside what a request holds, turn by turn; notes and the turns they stand for lead to each other.
import { Cloud, UserRound, Wrench } from 'lucide-react';
import { memo, useCallback, useRef, useState } from 'react';
import type { ContextMessage } from '../../shared/compaction.ts';
import { words } from '../language/language.ts';
import { setTurnPinned } from '../state/turn-actions.ts';
import { ForgetDialog } from '../turns/turn-menu.tsx';
import { sentByTurn } from '../turns/turn-parts.ts';
import { DispositionGlyph } from '../ui/disposition.tsx';
import { formatCount, formatEstimate, formatTurnTime } from '../ui/format.ts';
import { useToday } from '../ui/hooks.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { type AlignedTurn, type HistoryLine, type SentHistory, sourceTurns } from './aligned-turns.ts';
import { differingPieces } from './request-formats.ts';
import { Pieces } from './request-tools.tsx';

interface ColumnsProps {
  conversationId: string;
  rows: readonly AlignedTurn[];
  sent: SentHistory | null;
  /** What the right column holds, in words. */
  summary: string;
  newest: number;
}

const NO_TURNS: ReadonlySet<number> = new Set();

export function Columns({ conversationId, rows, sent, summary, newest }: ColumnsProps) {
  const texts = words().inspector;
  const today = useToday();
  const scroller = useRef<HTMLDivElement>(null);
  const [linked, setLinked] = useState(NO_TURNS);
  const notes = sentByTurn(sent).notes;
  const jump = useCallback((selector: string) => scroller.current?.querySelector(selector)?.scrollIntoView({ block: 'center' }), []);
  const link = useCallback((turns: readonly number[]) => setLinked(turns.length === 0 ? NO_TURNS : new Set(turns)), []);
  return (
    <div ref={scroller} className="columns scroll" tabIndex={0} role="group" aria-label={texts.columns}>
      <div className="columns-head">
        <span>
          <b>{texts.stored}</b> {texts.turnCount(rows.length)}
        </span>
        <span>{texts.fate}</span>
        <span className="trunc">
          <b>{texts.sent}</b> {summary}
        </span>
      </div>
      {notes.map((note, index) => (
        <Note key={index} note={note} sources={sourceTurns(note, sent?.entries ?? [])} linked={linked} onLink={link} onJump={jump} />
      ))}
      {rows.length === 0 && <PanelEmpty title={texts.nothingStored} text={texts.firstStarts} />}
      {rows.map((row) => (
        <AlignedRow
          key={row.turn}
          row={row}
          conversationId={conversationId}
          today={today}
          isNewest={row.turn === newest}
          isLinked={linked.has(row.turn)}
          onLink={link}
          onJump={jump}
        />
      ))}
    </div>
  );
}

interface LinkProps {
  onLink: (turns: readonly number[]) => void;
  onJump: (selector: string) => void;
}

interface NoteProps extends LinkProps {
  note: ContextMessage;
  sources: readonly number[];
  linked: ReadonlySet<number>;
}

/** A note that stands for turns leads to the first of them. */
function Note({ note, sources, linked, onLink, onJump }: NoteProps) {
  const texts = words().inspector;
  const first = sources[0];
  return (
    <div className={`aligned note${sources.some((turn) => linked.has(turn)) ? ' linked' : ''}`} data-note={note.kind ?? 'note'}>
      <div className="stored-column dim">
        {first === undefined ? (
          texts.standsForNone
        ) : (
          <button
            type="button"
            className="ghost source-link"
            onMouseEnter={() => onLink(sources)}
            onMouseLeave={() => onLink([])}
            onFocus={() => onLink(sources)}
            onBlur={() => onLink([])}
            onClick={() => onJump(`[data-turn="${first}"]`)}
          >
            {texts.standsFor(first, sources.at(-1) ?? first, sources.length)}
          </button>
        )}
      </div>
      <div className="fate">
        <span className="disp summarised">
          <DispositionGlyph disposition={note.kind === 'recalled' ? 'recalled' : 'summarised'} />
          {note.kind === undefined ? texts.noteKinds.note : texts.noteKinds[note.kind]}
        </span>
      </div>
      <div className="sent-column summarised" dir="auto">
        {note.content}
      </div>
    </div>
  );
}

interface RowProps extends LinkProps {
  conversationId: string;
  row: AlignedTurn;
  today: number;
  isNewest: boolean;
  isLinked: boolean;
}

const AlignedRow = memo(function AlignedRow({ row, conversationId, today, isNewest, isLinked, onLink, onJump }: RowProps) {
  const texts = words().inspector;
  const { entry } = row;
  const disposition = entry?.disposition ?? null;
  return (
    <div className={`aligned${isNewest ? ' newest' : ''}${isLinked ? ' linked' : ''}`} data-turn={row.turn} tabIndex={-1}>
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
                {words().turnlook.short[disposition]}
              </span>
              <span className="num">{entry.tokens === 0 ? '' : formatEstimate(entry.tokens)}</span>
            </span>
            <span className="dim">{entry.reason}</span>
            {row.storedCharacters !== row.sentCharacters && (
              <span className="dim num">{texts.characters(formatCount(row.storedCharacters), formatCount(row.sentCharacters))}</span>
            )}
          </>
        ) : (
          <span className="dim">{row.sent.length > 0 ? texts.askedHere : texts.noPlan}</span>
        )}
        <RowActions conversationId={conversationId} turn={row.turn} pinned={entry?.pinned ?? false} />
      </div>
      <div className={`sent-column ${disposition ?? ''}`}>
        {row.sent.length > 0 ? <Lines lines={row.sent} chips={false} /> : <Nothing row={row} onLink={onLink} onJump={onJump} />}
      </div>
    </div>
  );
});

/** Forgetting cannot be undone, so it asks first. */
function RowActions({ conversationId, turn, pinned }: { conversationId: string; turn: number; pinned: boolean }) {
  const texts = words().inspector;
  const [asking, setAsking] = useState(false);
  if (turn < 1) return null;
  return (
    <span className="row-actions">
      <button
        type="button"
        className="ghost"
        aria-label={pinned ? texts.unpinTurn(turn) : texts.pinTurn(turn)}
        onClick={() => void setTurnPinned(conversationId, turn, !pinned)}
      >
        {pinned ? texts.unpin : texts.pin}
      </button>
      <button type="button" className="ghost" aria-label={texts.forgetTurn(turn)} onClick={() => setAsking(true)}>
        {texts.forget}
      </button>
      {asking && <ForgetDialog conversationId={conversationId} turn={turn} onClose={() => setAsking(false)} />}
    </span>
  );
}

/** A turn inside a summary leads to it. */
function Nothing({ row, onLink, onJump }: LinkProps & { row: AlignedTurn }) {
  const texts = words().inspector;
  if (row.entry === null) return <span className="nothing">{texts.notPlanned}</span>;
  if (row.entry.disposition !== 'summarised') return <span className="nothing">{texts.nothingSent}</span>;
  return (
    <button
      type="button"
      className="ghost source-link"
      onMouseEnter={() => onLink([row.turn])}
      onMouseLeave={() => onLink([])}
      onFocus={() => onLink([row.turn])}
      onBlur={() => onLink([])}
      onClick={() => onJump('[data-note="summary"], [data-note="digest"], [data-note]')}
    >
      {texts.insideNotes}
    </button>
  );
}

const LINE_ICONS = { customer: UserRound, nimbus: Cloud, tool: Wrench };

function Lines({ lines, chips }: { lines: readonly HistoryLine[]; chips: boolean }) {
  const texts = words().inspector;
  return (
    <ul className="history-lines">
      {lines.map((line) => {
        const Icon = LINE_ICONS[line.who];
        return (
          <li key={line.key} className={`by-${line.who}${line.lost ? ' lost' : ''}`}>
            <Icon className="i m" aria-label={texts.speakers[line.who]} role="img" />
            <span dir="auto">
              {line.sentAs === undefined ? line.text : <Pieces pieces={differingPieces(line.text, line.sentAs).before} />}
            </span>
            {line.lost && chips && <span className="left-out-chip">{line.sentAs === undefined ? texts.leftOut : texts.shortened}</span>}
          </li>
        );
      })}
    </ul>
  );
}
