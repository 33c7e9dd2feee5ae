// The bar above the messages: find a text in all stored turns, or go to a turn by its number.
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { words } from '../language/language.ts';
import { selectTurn } from '../state/inspect-actions.ts';
import { useConsole } from '../state/store.ts';
import { formatCount } from '../ui/format.ts';
import type { Find } from './use-find.ts';

/** Same number as MAX_FIND_LENGTH of the contract (a test compares them). */
export const FIND_LIMIT = 200;

/** Opens the bar, or brings the focus back into one of its fields. */
export function openFind(field: 'text' | 'turn'): void {
  useConsole.setState({ finding: field });
  const input = document.querySelector<HTMLInputElement>(field === 'turn' ? '.find-turn input' : '.find-bar [role="searchbox"]');
  input?.focus();
  input?.select();
}

function closeFind(): void {
  useConsole.setState({ finding: null });
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

interface FindBarProps {
  find: Find;
  turns: readonly number[];
  goToTurn: (turn: number) => Promise<void>;
}

export function FindBar({ find, turns, goToTurn }: FindBarProps) {
  const focused = useConsole((state) => state.finding);
  const text = useRef<HTMLInputElement>(null);
  const number = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = focused === 'turn' ? number.current : text.current;
    field?.focus();
    field?.select();
  }, [focused]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    // Escape closes this bar; it must not also stop an answer.
    event.stopPropagation();
    closeFind();
  };
  const said = words().chat;
  return (
    <div className="find-bar" role="search" aria-label={said.find} onKeyDown={onKeyDown}>
      <label className="field">
        <Search className="i m" aria-hidden />
        <input
          ref={text}
          type="text"
          role="searchbox"
          dir="auto"
          aria-label={said.findText}
          placeholder={said.find}
          maxLength={FIND_LIMIT}
          value={find.text}
          onChange={(event) => find.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            find.step(event.shiftKey ? -1 : 1);
          }}
        />
      </label>
      <span className="find-count num" role="status">
        {countWords(find)}
      </span>
      <button
        type="button"
        className="ghost icon"
        aria-label={said.findPrevious}
        title={`${said.findPrevious} (Shift Enter)`}
        disabled={(find.outcome?.total ?? 0) === 0}
        onClick={() => find.step(-1)}
      >
        <ChevronUp className="i" aria-hidden />
      </button>
      <button
        type="button"
        className="ghost icon"
        aria-label={said.findNext}
        title={`${said.findNext} (Enter)`}
        disabled={(find.outcome?.total ?? 0) === 0}
        onClick={() => find.step(1)}
      >
        <ChevronDown className="i" aria-hidden />
      </button>
      <span className="find-line" aria-hidden />
      <TurnField input={number} turns={turns} goToTurn={goToTurn} />
      <button type="button" className="ghost icon" aria-label={said.findClose} title={`${said.findClose} (Esc)`} onClick={closeFind}>
        <X className="i" aria-hidden />
      </button>
    </div>
  );
}

function countWords({ text, outcome, searching, place }: Find): string {
  const said = words().chat;
  if (text === '') return '';
  if (searching || outcome === null) return said.findSearching;
  if (outcome.error !== null) return outcome.error.message;
  return outcome.total === 0 ? said.findNothing : said.findPlace(formatCount(place + 1), formatCount(outcome.total));
}

interface TurnFieldProps {
  input: React.RefObject<HTMLInputElement | null>;
  turns: readonly number[];
  goToTurn: (turn: number) => Promise<void>;
}

function TurnField({ input, turns, goToTurn }: TurnFieldProps) {
  const [value, setValue] = useState('');
  const [first, last] = [turns[0] ?? 0, turns.at(-1) ?? 0];
  const turn = Number(value);
  const isWrong = value !== '' && !turns.includes(turn);
  const said = words().chat;
  return (
    <label className="find-turn">
      <span>{said.turn}</span>
      <input
        ref={input}
        type="text"
        inputMode="numeric"
        className="num"
        aria-label={said.goToTurn}
        aria-invalid={isWrong}
        title={said.turnRange(formatCount(first), formatCount(last))}
        placeholder={String(last)}
        maxLength={9}
        value={value}
        onChange={(event) => setValue(event.target.value.replaceAll(/\D/gu, ''))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || value === '') return;
          event.preventDefault();
          const target = Math.min(last, Math.max(first, turn));
          setValue(String(target));
          selectTurn(target);
          void goToTurn(target);
        }}
      />
      <span className="dim num">{said.ofTurns(formatCount(last))}</span>
    </label>
  );
}
