/** Does I/O: takes changes about erased records out of an outbox. Worker only. */
import type { CleaningOrder } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';

/** Waiting ones too when the customer is forgotten; else only those that MySQL has. Returns the ids of the changes that are gone. */
export function eraseFromOutbox(connection: Connection, order: CleaningOrder): string[] {
  const conversations = JSON.stringify([...order.conversationIds, ...order.turns.map((turn) => turn.conversationId)]);
  const named = order.customerId === null ? null : JSON.stringify(order.customerId);
  const where = `conversation_id IN (SELECT value FROM json_each(?)) ${named === null ? "AND state = 'acked'" : ''}
    OR (? IS NOT NULL AND (INSTR(payload, ?) > 0 OR INSTR(COALESCE(result, ''), ?) > 0))`;
  return connection.write(() => {
    const gone = connection.all<{ op_id: string }>(`SELECT op_id FROM outbox WHERE ${where}`, conversations, named, named, named);
    connection.run(`DELETE FROM outbox WHERE ${where}`, conversations, named, named, named);
    if (named !== null) connection.run("DELETE FROM own_values WHERE name IN (SELECT 'draft ' || value FROM json_each(?))", conversations);
    return gone.map((row) => row.op_id);
  });
}

/** Customers that changes of this outbox name. */
export function customersInOutbox(connection: Connection): string[] {
  const found = new Set<string>();
  for (const { payload } of connection.all<{ payload: string }>('SELECT payload FROM outbox')) {
    for (const [, id] of payload.matchAll(/"(?:customerId|customer_id|id)":("(?:[^"\\]|\\.){1,190}")/g))
      if (id !== undefined) found.add(JSON.parse(id) as string);
  }
  return [...found];
}
