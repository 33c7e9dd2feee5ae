// Finding a text in the open conversation: asks the engine for all places, goes from one to the next, keeps them painted. I/O.
import { useEffect, useEffectEvent, useState } from 'react';
import { comparable } from '../../shared/find-text.ts';
import type { ConversationData } from '../state/console-data.ts';
import { type FindOutcome, findInConversation } from '../state/reading-actions.ts';
import { useSettled } from '../ui/hooks.ts';
import { paintPlaces, rangesIn, showRange, unfold } from './find-marks.ts';
import { firstPlaceFrom, nextPlace, placeAt } from './find-places.ts';
import type { VirtualLog } from './use-virtual-log.ts';

/** The engine is asked when typing rests this long. */
const PAUSE_MS = 200;
/** Frames in which a turn that was gone to must be drawn. */
const MOST_FRAMES = 40;

export interface Find {
  text: string;
  setText: (text: string) => void;
  /** null: not asked yet. */
  outcome: FindOutcome | null;
  searching: boolean;
  /** From 0; -1: none. */
  place: number;
  step: (by: 1 | -1) => void;
}

export function useFind(data: ConversationData, log: VirtualLog, isOpen: boolean): Find {
  const id = data.summary.id;
  const [text, setText] = useState('');
  const settled = useSettled(text, PAUSE_MS);
  const [answer, setAnswer] = useState<{ asked: string; outcome: FindOutcome } | null>(null);
  const [place, setPlace] = useState(-1);
  const outcome = answer?.asked === settled ? answer.outcome : null;
  const wanted = isOpen ? comparable(settled).text : '';
  const current = outcome === null ? null : placeAt(outcome.found, place);

  const show = (found: FindOutcome['found'], at: number): void => {
    const target = placeAt(found, at);
    if (target !== null) void bringIntoView(log, wanted, target);
  };
  const answered = useEffectEvent((asked: string, found: FindOutcome) => {
    const isSame = answer?.asked === asked;
    const at = isSame ? Math.min(place, found.total - 1) : firstPlaceFrom(found.found, log.firstTurn ?? 0);
    setAnswer({ asked, outcome: found });
    setPlace(at);
    if (!isSame) show(found.found, at);
  });
  useEffect(() => {
    if (!isOpen || settled === '') return undefined;
    let isNewest = true;
    void findInConversation(id, settled).then((found) => isNewest && answered(settled, found));
    return () => {
      isNewest = false;
    };
  }, [id, isOpen, settled, data.revision]);
  usePaint(log, wanted, current);
  const step = (by: 1 | -1) => {
    if (outcome === null) return;
    const next = nextPlace(place, by, outcome.total);
    setPlace(next);
    show(outcome.found, next);
  };
  return { text, setText, outcome, searching: text !== '' && (outcome === null || text !== settled), place, step };
}

/** Paints again whenever what is drawn changes. */
function usePaint(log: VirtualLog, wanted: string, current: { turn: number; inTurn: number } | null): void {
  const { frame } = log;
  const turn = current?.turn ?? -1;
  const inTurn = current?.inTurn ?? -1;
  useEffect(() => {
    const element = frame;
    if (element === null || wanted === '') return undefined;
    let waiting = 0;
    const paint = () => {
      waiting = 0;
      paintPlaces(element, wanted, turn === -1 ? null : { turn, inTurn });
    };
    const observer = new MutationObserver(() => {
      if (waiting === 0) waiting = requestAnimationFrame(paint);
    });
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    paint();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(waiting);
      paintPlaces(element, '', null);
    };
  }, [frame, wanted, turn, inTurn]);
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Goes to the turn, opens what hides the place, and puts the place into view. */
async function bringIntoView(log: VirtualLog, wanted: string, target: { turn: number; inTurn: number }): Promise<void> {
  const { frame } = log;
  const drawn = () => frame?.querySelector(`[data-turn="${target.turn}"]`) ?? null;
  if (drawn() === null) await log.goToTurn(target.turn);
  let unfolded = false;
  for (let left = MOST_FRAMES; left > 0; left -= 1) {
    await nextFrame();
    const [element, article] = [frame, drawn()];
    if (element === null) return;
    if (article === null) continue;
    const ranges = rangesIn(article, wanted);
    const range = ranges[target.inTurn] ?? (unfolded ? ranges.at(-1) : undefined);
    if (range !== undefined) {
      showRange(element, range);
      return;
    }
    if (unfolded) continue;
    unfolded = true;
    if (!unfold(article) && ranges.length === 0) continue;
  }
}
