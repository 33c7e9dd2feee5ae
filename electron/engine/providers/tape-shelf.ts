/** The tapes of this console: those that ship, and those a person imported. I/O through the preferences port only. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { TapeView } from '../../../shared/models.ts';
import type { IdSource, Logger, PreferenceStore, TapeDeck } from '../ports.ts';

const KEY_PREFIX = 'tape:';
/** Longest tape file, in UTF-16 units. */
const LONGEST_TAPE = 1_000_000;
/** Most tapes kept. */
const MOST_TAPES = 50;
const ID_LENGTH = 8;

export interface TapeShelf {
  list(): Promise<TapeView[]>;
  /** The text of an imported tape; null: none has this id. */
  text(id: string): Promise<string | null>;
  /** Rejects with `invalid-input` for what is no tape, or when the shelf is full. */
  add(text: string): Promise<TapeView>;
}

export function createTapeShelf(deps: { deck: TapeDeck; preferences: PreferenceStore; ids: IdSource; logger: Logger }): TapeShelf {
  const { deck, preferences, ids, logger } = deps;
  const text = async (id: string): Promise<string | null> => {
    const json = await preferences.read(`${KEY_PREFIX}${id}`);
    if (json === null) return null;
    try {
      const value: unknown = JSON.parse(json);
      return typeof value === 'string' ? value : null;
    } catch {
      return null;
    }
  };
  const imported = async (): Promise<TapeView[]> => {
    const views: TapeView[] = [];
    for (const key of Object.keys(await preferences.all())) {
      if (!key.startsWith(KEY_PREFIX)) continue;
      const id = key.slice(KEY_PREFIX.length);
      try {
        views.push({ id, ...deck.read((await text(id)) ?? ''), builtIn: false });
      } catch (error) {
        logger.warn('an imported tape is unreadable and is not listed', { tape: id, error: String(error) });
      }
    }
    return views;
  };
  return {
    async list() {
      return [...deck.shipped().map((tape) => ({ ...tape, builtIn: true })), ...(await imported())];
    },
    text,
    async add(source) {
      if (source.length > LONGEST_TAPE) throw new ConsoleError('invalid-input', 'This tape is larger than a million characters.');
      const facts = deck.read(source);
      const known = await imported();
      for (const tape of known) if ((await text(tape.id)) === source) return tape;
      if (known.length >= MOST_TAPES) throw new ConsoleError('invalid-input', `There are ${MOST_TAPES} imported tapes already.`);
      const id = `${slugOf(facts.title)}-${ids.conversationId().slice(0, ID_LENGTH)}`;
      await preferences.write(`${KEY_PREFIX}${id}`, JSON.stringify(source));
      return { id, ...facts, builtIn: false };
    },
  };
}

const SLUG_LENGTH = 40;

/** A name that can stand in `tape/ID`. */
function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'tape' : slug;
}
