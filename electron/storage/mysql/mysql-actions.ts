/** Does I/O: the ledger of side effects in MySQL, so that an effect happens at most once and an unknown outcome is known to be unknown. */
import type { ActionLedger, KnownAction } from '../../engine/ports.ts';
import { sha256 } from '../rows.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { sqlTime } from './mysql-session.ts';
import type { MysqlSession } from './mysql-session.ts';

interface ActionRow {
  state: KnownAction['state'];
  result: string | null;
}

/** Hex SHA-256 of what was agreed to. */
export function actionKey(intent: string): string {
  return sha256(intent.toWellFormed());
}

export function mysqlActions(database: MysqlDatabase): ActionLedger {
  return {
    begin: (action) =>
      database.write(async (session) => {
        const key = actionKey(action.intent);
        const known = await session.one<ActionRow>('SELECT state, result FROM tool_runs WHERE idem_key = ? FOR UPDATE', key);
        // A failure had no effect, so the same may be tried again.
        if (known !== null && known.state !== 'failed') return { kind: 'known', key, ...known };
        if (known !== null) await session.run('DELETE FROM tool_runs WHERE idem_key = ?', key);
        const row = {
          conversation_id: action.conversationId,
          tool_call_id: action.toolCallId,
          idem_key: key,
          args_sha: sha256(action.argumentsText.toWellFormed()),
          turn: action.turn,
          tool_name: action.toolName,
          state: 'started',
          result: null,
          started_at: action.at,
          ended_at: null,
        };
        // A turn that runs again makes a new call under an old id; only its key says whether it is the same intent.
        await session.run('DELETE FROM tool_runs WHERE conversation_id = ? AND tool_call_id = ?', action.conversationId, action.toolCallId);
        await session.insert('tool_runs', [row]);
        return { kind: 'new', key };
      }),
    finish: (key, state, result, at) => database.write((session) => finishAction(session, { key, state, result, at })),
    find: async (conversationId, toolCallId) => {
      const sql = 'SELECT state, result FROM tool_runs WHERE conversation_id = ? AND tool_call_id = ?';
      return database.read((session) => session.one<ActionRow>(sql, conversationId, toolCallId));
    },
  };
}

/** In the transaction of the effect where that is in this database: both happen or none. */
export async function finishAction(
  session: MysqlSession,
  end: { key: string; state: 'done' | 'failed'; result: string; at: number },
): Promise<void> {
  const sql = "UPDATE tool_runs SET state = ?, result = ?, ended_at = ? WHERE idem_key = ? AND state <> 'done'";
  await session.run(sql, end.state, end.result.toWellFormed(), sqlTime(end.at), end.key);
}
