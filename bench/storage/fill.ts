/** Does I/O: fills databases through SQL, without the stores that are to be measured. */
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openFolder } from '../../electron/storage/sqlite/open-folder.ts';
import { sqlTime } from '../../electron/storage/mysql/mysql-session.ts';
import type { MariadbServer } from '../../tests/fakes/mariadb-server.ts';
import { idOf, LONG_ID, madeUp, SHORT_ID } from './made-up.ts';
import type { MadeUp } from './made-up.ts';

export interface Amount {
  conversations: number;
  /** Of each of them. */
  messagesEach: number;
  short: number;
  long: number;
}

const CONVERSATIONS_PER_TRANSACTION = 500;

/** The numbered conversations, then the short and the long one. */
function* all({ conversations, messagesEach, short, long }: Amount): Generator<MadeUp> {
  for (let index = 0; index < conversations; index += 1) yield madeUp(idOf(index), index, messagesEach);
  yield madeUp(SHORT_ID, conversations, short);
  yield madeUp(LONG_ID, conversations + 1, long);
}

/** Makes `nimbus.db` in the folder. */
export function fillSqlite(folder: string, amount: Amount): void {
  const opened = openFolder(folder);
  const { connection } = opened;
  try {
    connection.pragma('synchronous = OFF');
    let batch: MadeUp[] = [];
    const flush = (): void => {
      connection.write(() => {
        for (const made of batch) {
          const searchId = connection.insert('conversations', { ...made.conversation, last_text: made.lastText, last_role: 'assistant' });
          connection.run('INSERT INTO title_search (rowid, terms) VALUES (?, ?)', searchId, made.titleTerms.join(' '));
          for (const turn of made.turns) connection.insert('turns', turn);
          for (const message of made.messages) {
            const rowId = connection.insert('messages', message.row);
            connection.run('INSERT INTO message_search (rowid, terms) VALUES (?, ?)', rowId, message.terms.join(' '));
          }
        }
      });
      batch = [];
    };
    for (const made of all(amount)) {
      batch.push(made);
      if (batch.length >= CONVERSATIONS_PER_TRANSACTION) flush();
    }
    flush();
    connection.emptyLog();
  } finally {
    opened.close();
  }
}

type Value = string | number | null;

function cell(name: string, value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return name.endsWith('_at') ? sqlTime(value) : String(value);
  return value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** Rows of one table on their way into a file that the server reads. */
class TableFile {
  readonly file: string;
  private readonly table: string;
  private readonly stream: WriteStream;
  private columns: string[] = [];
  private text: string[] = [];

  constructor(folder: string, table: string) {
    this.table = table;
    this.file = path.join(folder, `${table}.tsv`);
    this.stream = createWriteStream(this.file);
  }

  add(row: object): void {
    const entries: [string, Value][] = Object.entries(row);
    if (this.columns.length === 0) this.columns = entries.map(([name]) => name);
    this.text.push(entries.map(([name, value]) => cell(name, value)).join('\t'));
  }

  async flush(): Promise<void> {
    if (this.text.length === 0) return;
    const isRoom = this.stream.write(`${this.text.join('\n')}\n`);
    this.text = [];
    if (!isRoom) await once(this.stream, 'drain');
  }

  async load(server: MariadbServer, database: string): Promise<void> {
    this.stream.end();
    await once(this.stream, 'close');
    await server.sql(
      `SET unique_checks = 0, foreign_key_checks = 0, time_zone = '+00:00';
       LOAD DATA INFILE '${this.file}' INTO TABLE ${this.table} CHARACTER SET utf8mb4 (${this.columns.join(', ')})`,
      database,
    );
    await rm(this.file);
  }
}

/** Into a database that has the schema. */
export async function fillMariadb(server: MariadbServer, database: string, amount: Amount): Promise<void> {
  const files = {
    conversations: new TableFile(server.folder, 'conversations'),
    turns: new TableFile(server.folder, 'turns'),
    messages: new TableFile(server.folder, 'messages'),
    terms: new TableFile(server.folder, 'search_terms'),
  };
  let count = 0;
  for (const made of all(amount)) {
    const { conversation, lastText, turns, messages, titleTerms } = made;
    files.conversations.add({
      ...conversation,
      last_text: lastText,
      last_role: 'assistant',
      last_seq: messages.length,
      version: 1,
      // Two days ago for the server, so that no look for changes finds them.
      updated_at: Date.now() - 2 * 86_400_000,
    });
    for (const turn of turns) files.turns.add(turn);
    for (const message of messages) files.messages.add(message.row);
    const terms = new Set([...titleTerms, ...messages.flatMap((message) => message.terms)]);
    for (const term of terms) files.terms.add({ term, conversation_id: conversation.id });
    count += 1;
    if (count % CONVERSATIONS_PER_TRANSACTION === 0) for (const file of Object.values(files)) await file.flush();
  }
  for (const file of Object.values(files)) {
    await file.flush();
    await file.load(server, database);
  }
  await server.sql('ANALYZE TABLE conversations, turns, messages, search_terms', database);
}
