// A short tour: a card beside the part it speaks of. Nothing is blocked; Esc or "Skip" ends it.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { words } from '../language/language.ts';
import { useConsole } from '../state/store.ts';

const ANCHORS = ['.queue', '.middle', '.inspector', '.dock', '.palette-button'] as const;
const STEP_NAMES = ['list', 'chat', 'inspector', 'meter', 'palette'] as const;
const GAP = 12;

const show = (tourStep: number | null): void => useConsole.setState({ tourStep });

export function Tour() {
  const step = useConsole((state) => state.tourStep);
  if (step === null || step >= STEP_NAMES.length) return null;
  return <TourCard key={step} step={step} />;
}

function TourCard({ step }: { step: number }) {
  const card = useRef<HTMLElement>(null);
  const name = STEP_NAMES[step] ?? 'list';
  const text = words().tour;
  const last = step === STEP_NAMES.length - 1;
  useLayoutEffect(() => {
    const place = () => {
      if (card.current !== null) putBeside(card.current, document.querySelector(ANCHORS[step] ?? 'body'));
    };
    place();
    card.current?.querySelector<HTMLElement>('button.primary')?.focus();
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, [step]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') show(null);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <section ref={card} className="tour" aria-label={text.title(step + 1, STEP_NAMES.length)}>
      <p className="eyebrow">{text.title(step + 1, STEP_NAMES.length)}</p>
      <h2>{text.steps[name].title}</h2>
      <p>{text.steps[name].text}</p>
      <footer>
        <button type="button" className="ghost" onClick={() => show(null)}>
          {text.skip}
        </button>
        <span className="grow" />
        {step > 0 && (
          <button type="button" onClick={() => show(step - 1)}>
            {text.back}
          </button>
        )}
        <button type="button" className="primary" onClick={() => show(last ? null : step + 1)}>
          {last ? text.done : text.next}
        </button>
      </footer>
    </section>
  );
}

/** Right of the part where there is room, else left of it, else inside it; always on the screen. */
function putBeside(card: HTMLElement, part: Element | null): void {
  const box = (part ?? document.body).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const right = box.right + GAP;
  const left = box.left - GAP - width;
  const x = right + width <= innerWidth ? right : left >= 0 ? left : box.left + (box.width - width) / 2;
  const y = box.height > innerHeight / 2 ? box.top + GAP * 4 : box.top > innerHeight / 2 ? box.top - GAP - height : box.bottom + GAP;
  card.style.left = `${Math.round(Math.min(innerWidth - width - GAP, Math.max(GAP, x)))}px`;
  card.style.top = `${Math.round(Math.min(innerHeight - height - GAP, Math.max(GAP, y)))}px`;
}
