/** The person at this console, for read marks: one random id per data folder. */
import type { Clock, IdSource, Logger, PreferenceStore, Reader } from '../ports.ts';

const KEY = 'reader';

function parsed(json: string | null): Reader | null {
  try {
    const value: unknown = json === null ? null : JSON.parse(json);
    if (typeof value !== 'object' || value === null || !('id' in value) || !('since' in value)) return null;
    return typeof value.id === 'string' && typeof value.since === 'number' ? { id: value.id, since: value.since } : null;
  } catch {
    return null;
  }
}

/** The same answer for the life of the process. Where it cannot be kept, e.g. on a store open for reading only, it holds for this start. */
export function createReader(deps: { preferences: PreferenceStore; ids: IdSource; clock: Clock; logger: Logger }): () => Promise<Reader> {
  let reader: Promise<Reader> | null = null;
  const make = async (): Promise<Reader> => {
    const { preferences, ids, clock, logger } = deps;
    try {
      const known = parsed(await preferences.read(KEY));
      if (known !== null) return known;
    } catch (error) {
      logger.warn('the reader of this console could not be read', { error: String(error) });
    }
    // What happened before the first start is no news.
    const fresh = { id: ids.uuid(), since: clock.now() };
    await preferences.write(KEY, JSON.stringify(fresh)).catch((error: unknown) => {
      logger.warn('the reader of this console could not be kept', { error: String(error) });
    });
    return fresh;
  };
  return () => (reader ??= make());
}
