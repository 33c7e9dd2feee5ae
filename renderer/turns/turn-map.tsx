// One line of cells: what the next request does with every turn. A cell jumps to its turn.
import type { PlanEntry } from '../../shared/compaction.ts';
import { DISPOSITION_WORDS } from './turn-parts.ts';

/** More cells than this do not fit a line; the oldest are counted instead. */
export const MOST_CELLS = 24;

interface TurnMapProps {
  turns: readonly number[];
  entries: ReadonlyMap<number, PlanEntry>;
  selected: number;
  onPick: (turn: number) => void;
}

export function TurnMap({ turns, entries, selected, onPick }: TurnMapProps) {
  const shown = turns.slice(-MOST_CELLS);
  const hidden = turns.length - shown.length;
  return (
    <span className="cells">
      {hidden > 0 && <span className="num">+{hidden}</span>}
      {shown.map((turn) => {
        const entry = entries.get(turn);
        const words = entry === undefined ? 'not planned yet' : `${DISPOSITION_WORDS[entry.disposition]}, ${entry.reason}`;
        return (
          <button
            key={turn}
            type="button"
            className={`cell ${entry?.disposition ?? 'full'}${turn === selected ? ' current' : ''}`}
            aria-label={`Turn ${turn}: ${words}`}
            aria-current={turn === selected}
            title={`Turn ${turn}: ${words}`}
            onClick={() => onPick(turn)}
          >
            {turn}
          </button>
        );
      })}
    </span>
  );
}
