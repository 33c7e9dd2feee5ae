// One line of cells: what the next request does with every turn. A cell jumps to its turn.
import { words } from '../language/language.ts';
import type { PlanEntry } from '../../shared/compaction.ts';
import { cellsThatFit } from './turn-map-fit.ts';

interface TurnMapProps {
  turns: readonly number[];
  entries: ReadonlyMap<number, PlanEntry>;
  selected: number;
  /** Room for cells, in pixels; the oldest turns that do not fit are counted instead. */
  room: number;
  onPick: (turn: number) => void;
}

export function TurnMap({ turns, entries, selected, room, onPick }: TurnMapProps) {
  const shown = cellsThatFit(turns, room);
  const hidden = turns.length - shown.length;
  return (
    <span className="cells">
      {hidden > 0 && <span className="num">+{hidden}</span>}
      {shown.map((turn) => {
        const entry = entries.get(turn);
        const said = words().turnlook;
        const what = entry === undefined ? said.notPlanned : `${said.dispositions[entry.disposition]}, ${entry.reason}`;
        return (
          <button
            key={turn}
            type="button"
            className={`cell ${entry?.disposition ?? 'full'}${turn === selected ? ' current' : ''}`}
            aria-label={said.turnIs(turn, what)}
            aria-current={turn === selected}
            title={said.turnIs(turn, what)}
            onClick={() => onPick(turn)}
          >
            {turn}
          </button>
        );
      })}
    </span>
  );
}
