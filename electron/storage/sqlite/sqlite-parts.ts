/** Does I/O: every part of the store on one SQLite connection. Worker only. */
import type { Connection } from './connection.ts';
import { sqliteArchive } from './sqlite-archive.ts';
import { sqliteBranches } from './sqlite-branches.ts';
import { sqliteConversations } from './sqlite-conversations.ts';
import { sqliteErasure } from './sqlite-erasure.ts';
import { sqliteList } from './sqlite-list.ts';
import { sqliteMemories } from './sqlite-memories.ts';
import { sqlitePrompts } from './sqlite-prompts.ts';
import { sqlitePreferences, sqliteShop, sqliteTickets, sqliteUsage } from './sqlite-shop.ts';
import { sqliteTraces } from './sqlite-traces.ts';
import { sqliteTurns } from './sqlite-turns.ts';
import { sqliteUpkeep } from './sqlite-upkeep.ts';
import type { PartName } from './worker-protocol.ts';

export function sqliteParts(connection: Connection): Record<PartName, object> {
  return {
    conversations: {
      ...sqliteConversations(connection),
      ...sqliteList(connection),
      ...sqliteTurns(connection),
      ...sqliteUpkeep(connection),
    },
    traces: sqliteTraces(connection),
    shop: sqliteShop(connection),
    tickets: sqliteTickets(connection),
    usage: sqliteUsage(connection),
    preferences: sqlitePreferences(connection),
    archive: sqliteArchive(connection),
    memories: sqliteMemories(connection),
    erasure: sqliteErasure(connection),
    prompts: sqlitePrompts(connection),
    branches: sqliteBranches(connection),
  };
}
