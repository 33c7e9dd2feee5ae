// The older turns that the archive gave to an answer's requests; each leads to its turn.
import { History } from 'lucide-react';
import { scrollToTurn } from '../chat/use-virtual-log.ts';
import { words } from '../language/language.ts';

export function UsedTurns({ turns }: { turns: readonly number[] }) {
  const { recall } = words();
  const [only] = turns;
  if (only === undefined) return null;
  return (
    <div className="used-turns">
      <History className="i s" aria-hidden />
      {turns.length > 1 && <span>{recall.usedTurns}</span>}
      {turns.map((turn) => (
        <button key={turn} type="button" className="ghost sm num" aria-label={recall.goTo(turn)} onClick={() => scrollToTurn(turn)}>
          {turns.length === 1 ? recall.usedTurn(turn) : turn}
        </button>
      ))}
    </div>
  );
}
