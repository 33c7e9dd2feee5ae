/** Does I/O: versions of the system prompt in SQLite. Worker only. */
import type { PromptStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { promptExists, promptMissing } from '../failures.ts';
import { PROMPT_COLUMNS, PROMPT_ORDER, promptOf, promptRow } from '../prompt-rows.ts';
import type { PromptRow } from '../prompt-rows.ts';
import type { Connection } from './connection.ts';
import type { SyncPart } from './sync-part.ts';

export function sqlitePrompts(connection: Connection): SyncPart<PromptStore> {
  return {
    list: () => connection.all<PromptRow>(`SELECT ${PROMPT_COLUMNS} FROM prompt_versions ORDER BY ${PROMPT_ORDER}`).map(promptOf),
    add: (prompt) =>
      connection.write(() => {
        const row = promptRow(cleaned(prompt));
        if (connection.one('SELECT version FROM prompt_versions WHERE version = ?', row.version) !== null) throw promptExists(row.version);
        connection.insert('prompt_versions', row);
      }),
    activate: (version, at) =>
      connection.write(() => {
        if (connection.run('UPDATE prompt_versions SET activated_at = ? WHERE version = ?', at, version) === 0)
          throw promptMissing(version);
      }),
  };
}
