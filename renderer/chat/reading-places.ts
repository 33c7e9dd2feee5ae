// Remembers where a person stood in each conversation, for as long as the page's session lasts. I/O: session storage; works without it.
import { parsePlaces, placesText, type ReadingPlace } from './log-rows.ts';

const KEY = 'nimbus-console.reading-places';
/** Scrolling is kept when it rests this long. */
const REST_MS = 300;

let places: Map<string, ReadingPlace> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function known(): Map<string, ReadingPlace> {
  if (places !== null) return places;
  try {
    places = parsePlaces(sessionStorage.getItem(KEY));
  } catch {
    places = new Map();
  }
  return places;
}

export function readingPlace(conversationId: string): ReadingPlace | null {
  return known().get(conversationId) ?? null;
}

/** null: at the newest. */
export function keepReadingPlace(conversationId: string, place: ReadingPlace | null): void {
  const all = known();
  all.delete(conversationId);
  if (place !== null) all.set(conversationId, place);
  clearTimeout(timer);
  timer = setTimeout(() => {
    try {
      sessionStorage.setItem(KEY, placesText(all));
    } catch {
      // Without a place the conversation opens at its newest turn.
    }
  }, REST_MS);
}
