/** Does I/O: makes a folder and those above it. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConsoleError } from '../../shared/errors.ts';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}

/** The folder itself first, then its parents; ends at the root, where `dirname` changes nothing. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let place = folder; !isFolder(place) && path.dirname(place) !== place; place = path.dirname(place)) missing.push(place);
  return missing.reverse();
}

/**
 * Makes `folder` for its owner only, level by level: `mkdirSync` with `recursive` never ends below folders of the system that answer
 * "no such file" to every attempt, such as /proc. Throws ConsoleError `invalid-input`.
 */
export function makeFolder(folder: string): void {
  for (const place of missingFolders(path.resolve(folder))) {
    try {
      mkdirSync(place, { mode: 0o700 });
    } catch (error) {
      // Someone else may have made it in between.
      if (codeOf(error) === 'EEXIST' && isFolder(place)) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConsoleError(
        'invalid-input',
        `The data folder ${folder} cannot be made (${reason}). Choose another with --data-dir=FOLDER.`,
        {
          cause: error,
        },
      );
    }
  }
}
