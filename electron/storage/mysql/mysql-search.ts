/** Does I/O: the words of conversations, and conditions that find conversations by them. */
import { documentTerms, questionTerms } from '../search-terms.ts';
import type { MysqlSession, SqlValue } from './mysql-session.ts';

export async function addToSearch(session: MysqlSession, conversationId: string, texts: string[]): Promise<void> {
  const terms = new Set(texts.flatMap(documentTerms));
  const rows = [...terms].map((term) => ({ term, conversation_id: conversationId }));
  await session.insert('search_terms', rows, 'keep');
}

/** After a text left the conversation: a word may still be in another one, so all are read again. */
export async function refillSearch(session: MysqlSession, conversationId: string): Promise<void> {
  await session.run('DELETE FROM search_terms WHERE conversation_id = ?', conversationId);
  const titles = await session.all<{ text: string | null }>('SELECT title AS text FROM conversations WHERE id = ?', conversationId);
  const messages = await session.all<{ text: string | null }>(
    "SELECT content AS text FROM messages WHERE conversation_id = ? AND role <> 'tool'",
    conversationId,
  );
  await addToSearch(
    session,
    conversationId,
    [...titles, ...messages].map((row) => row.text ?? ''),
  );
}

/** Joins to `conversations c`, one for each term; null when nothing can be found. */
export async function searchJoins(session: MysqlSession, search: string): Promise<{ sql: string; parameters: SqlValue[] } | null> {
  if (search.trim() === '') return { sql: '', parameters: [] };
  const terms = questionTerms(search);
  if (terms.length === 0) return null;
  const names = (await session.all<{ id: string; name: string }>('SELECT id, name FROM customers')).map((row) => ({
    id: row.id,
    terms: documentTerms(row.name),
  }));
  const parameters: SqlValue[] = [];
  const joins = terms.map((term, index) => {
    const customers = names.filter((row) => row.terms.some((known) => known.startsWith(term))).map((row) => row.id);
    // Terms hold letters, digits and non-ASCII characters only, so no wildcard needs escaping.
    const pattern = `${term}%`;
    const parts = ['SELECT DISTINCT conversation_id AS id FROM search_terms WHERE term LIKE ?'];
    parameters.push(pattern);
    if (/^[0-9a-f]+$/.test(term)) {
      parts.push('SELECT id FROM conversations WHERE id LIKE ?');
      parameters.push(pattern);
    }
    if (customers.length > 0) {
      parts.push(`SELECT id FROM conversations WHERE customer_id IN (${customers.map(() => '?').join(', ')})`);
      parameters.push(...customers);
    }
    return `JOIN (${parts.join(' UNION ')}) AS found${index} ON found${index}.id = c.id`;
  });
  return { sql: joins.join(' '), parameters };
}
