/** Does I/O: versions of the system prompt in MySQL. */
import type { PromptStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { promptExists, promptMissing } from '../failures.ts';
import { PROMPT_COLUMNS, PROMPT_ORDER, promptOf, promptRow } from '../prompt-rows.ts';
import type { PromptRow } from '../prompt-rows.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { sqlTime } from './mysql-session.ts';

export function mysqlPrompts(database: MysqlDatabase): PromptStore {
  return {
    list: async () => {
      const sql = `SELECT ${PROMPT_COLUMNS} FROM prompt_versions ORDER BY ${PROMPT_ORDER}`;
      return (await database.read((session) => session.all<PromptRow>(sql))).map(promptOf);
    },
    add: (prompt) =>
      database.write(async (session) => {
        const row = promptRow(cleaned(prompt));
        const known = await session.one('SELECT version FROM prompt_versions WHERE version = ? FOR UPDATE', row.version);
        if (known !== null) throw promptExists(row.version);
        await session.insert('prompt_versions', [row]);
      }),
    activate: (version, at) =>
      database.write(async (session) => {
        const known = await session.one('SELECT version FROM prompt_versions WHERE version = ? FOR UPDATE', version);
        if (known === null) throw promptMissing(version);
        await session.run('UPDATE prompt_versions SET activated_at = ? WHERE version = ?', sqlTime(at), version);
      }),
  };
}
