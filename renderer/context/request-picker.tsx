// Which request the columns show: the next one, or any call of any turn.
import { words } from '../language/language.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useRequests } from './past-request.ts';

interface RequestPickerProps {
  data: ConversationData;
  draft: string;
  /** The span of a past call; null: the next request. */
  value: string | null;
  onPick: (spanId: string | null) => void;
}

export function RequestPicker({ data, draft, value, onPick }: RequestPickerProps) {
  const texts = words().inspector;
  const requests = useRequests(data);
  const turn = requests.find(({ spanId }) => spanId === value)?.turn;
  const turns = [...new Set(requests.map((request) => request.turn))];
  const calls = requests.filter((request) => request.turn === turn);
  return (
    <>
      <select
        aria-label={texts.pickTurn}
        value={turn ?? ''}
        onChange={(event) => onPick(requests.find((request) => String(request.turn) === event.target.value)?.spanId ?? null)}
      >
        <option value="">{texts.nextQuestion}</option>
        {turns.map((each) => (
          <option key={each} value={each}>
            {texts.turnName(each)}
          </option>
        ))}
      </select>
      {calls.length > 0 && (
        <select aria-label={texts.pickCall} value={value ?? ''} onChange={(event) => onPick(event.target.value)}>
          {calls.map(({ spanId }, index) => (
            <option key={spanId} value={spanId}>
              {texts.callName(index + 1, calls.length)}
            </option>
          ))}
        </select>
      )}
      {value === null && <span className="dim trunc">{draft === '' ? texts.nothingTyped : draft}</span>}
    </>
  );
}
