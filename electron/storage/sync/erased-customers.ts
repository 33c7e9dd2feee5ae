/** Does I/O: takes a forgotten customer out of the files of a console, also when another console has forgotten them. */
import { CUSTOMER_MARKS, customerMark } from '../erasure-texts.ts';
import { cleanInWorker } from '../data-folder.ts';
import type { LocalSide } from './local-side.ts';
import type { SharedSide } from './shared-side.ts';
import type { WaitingChanges } from './waiting-changes.ts';

/** Value of the outbox: marks that were followed already. They name nobody. */
const FOLLOWED = 'erased customers';

export interface ErasureSides {
  local: LocalSide;
  shared: SharedSide;
  waiting: WaitingChanges;
  folder: string;
}

/** The copy, the outbox and drafts. Returns how many changes are gone. */
export async function forgetHere(
  { local, waiting }: Omit<ErasureSides, 'folder'>,
  customerId: string,
  conversationIds: string[],
): Promise<number> {
  const cached = await local.erasure.conversationsOf(customerId);
  const all = [...new Set([...conversationIds, ...cached])];
  await local.erasure.forget(customerId, 0);
  await local.replica.remove(all);
  const gone = await local.outbox.erase({ customerId, conversationIds: all, turns: [] });
  for (const id of gone) {
    const lane = waiting.laneOf(id);
    if (lane === null) continue;
    waiting.settle(lane, id);
    waiting.done(id);
    waiting.clear(lane);
  }
  return gone.length;
}

/** Before anything is sent: customers that were forgotten elsewhere leave this console too. Rejects as reads of MySQL do. */
export async function followErasures(sides: ErasureSides): Promise<void> {
  const { local, shared, folder } = sides;
  const sql = 'SELECT conversation_id AS mark, deleted_at AS at FROM tombstones WHERE conversation_id LIKE ?';
  const rows = await shared.read((session) => session.all<{ mark: string; at: number | string }>(sql, CUSTOMER_MARKS));
  const keys = new Map(rows.map((row) => [`${row.mark}@${row.at}`, row.mark]));
  const followed = new Set(JSON.parse((await local.outbox.readValue(FOLLOWED)) ?? '[]') as string[]);
  const fresh = new Set([...keys].filter(([key]) => !followed.has(key)).map(([, mark]) => mark));
  if (fresh.size === 0) return;
  const known = new Set([...(await local.replica.customerIds()), ...(await local.outbox.customers())]);
  for (const customerId of known) {
    if (!fresh.has(customerMark(customerId))) continue;
    await cleanInWorker(folder, { customerId, conversationIds: [], turns: [] });
    await forgetHere(sides, customerId, []);
  }
  await local.outbox.writeValue(FOLLOWED, JSON.stringify([...keys.keys()]));
}
