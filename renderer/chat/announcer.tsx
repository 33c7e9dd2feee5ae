// Tells screen readers of a new answer, once, when it is whole: the log itself is silent, because rows come and go while it scrolls.
import { useState } from 'react';
import { words } from '../language/language.ts';
import type { ConversationData } from '../state/console-data.ts';
import { useConsole } from '../state/store.ts';
import { answerText, turnMark, turnParts } from '../turns/turn-parts.ts';

/** Longer answers are read in the log. */
const LONGEST_SPOKEN = 600;

interface Heard {
  /** Turn of the run that was at work; null: none. */
  turn: number | null;
  said: string;
}

function endOf(data: ConversationData, turn: number): string {
  const parts = turnParts(data.messages[turn] ?? []);
  const mark = turnMark(data.records[turn], parts);
  const text = answerText(parts);
  const short = text.length > LONGEST_SPOKEN ? `${text.slice(0, LONGEST_SPOKEN).toWellFormed()}…` : text;
  return words().chat.spokenAnswer(mark === null ? '' : mark.word, short);
}

export function Announcer({ data }: { data: ConversationData }) {
  const [heard, setHeard] = useState<Heard>({ turn: data.live?.turn ?? null, said: '' });
  const turn = data.live?.turn ?? null;
  const connected = useConsole((state) => state.connection === 'open');
  if (turn !== heard.turn) setHeard({ turn, said: turn === null ? endOf(data, heard.turn ?? 0) : words().chat.spokenStart });
  return (
    <div className="vh" role="status" aria-live="polite">
      {/* Without a line nobody knows what the answer does; the banner says so. */}
      {turn === null || connected ? heard.said : ''}
    </div>
  );
}
