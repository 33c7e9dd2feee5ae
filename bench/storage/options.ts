/** Pure: the options of `npm run bench:storage`. */
import { parseArgs } from 'node:util';

export type BenchStore = 'sqlite' | 'mariadb';

export interface StorageBenchOptions {
  conversations: number;
  /** Over all conversations; each gets the same number, at least two. */
  messages: number;
  /** The smaller database that growth is counted from. */
  baseConversations: number;
  /** Messages of the short and of the long conversation whose windows are compared. */
  short: number;
  long: number;
  /** Changes made without MySQL; 0: none. */
  waiting: number;
  stores: BenchStore[];
  json: boolean;
  help: boolean;
}

export const USAGE = `npm run -s bench:storage -- [options]
  --conversations=N   (default 100000)
  --messages=M        over all conversations (default 2000000)
  --long=N            messages of the longest conversation (default 100000)
  --waiting=N         changes that wait for MySQL (default 10000; MariaDB only; 0 leaves it out)
  --stores=LIST       sqlite,mariadb (default both)
  --short             2,000 conversations, 20,000 messages, a long conversation of 10,000, 500 waiting changes
  --json              one JSON object instead of Markdown`;

const FULL = { conversations: 100_000, messages: 2_000_000, baseConversations: 1_000, short: 100, long: 100_000, waiting: 10_000 };
const SHORT = { conversations: 2_000, messages: 20_000, baseConversations: 200, short: 100, long: 10_000, waiting: 500 };

function whole(name: string, text: string | undefined, fallback: number, least: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`--${name} needs a whole number from ${least}, not "${text}"`);
  return value;
}

function isStore(name: string): name is BenchStore {
  return name === 'sqlite' || name === 'mariadb';
}

/** Throws an Error that says what to change. */
export function parseStorageArguments(argv: readonly string[]): StorageBenchOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: { conversations: text, messages: text, long: text, waiting: text, stores: text, short: flag, json: flag, help: flag },
  });
  const base = values.short === true ? SHORT : FULL;
  const names = (values.stores ?? 'sqlite,mariadb').split(',');
  const stores = names.filter(isStore);
  const unknown = names.find((name) => !isStore(name));
  if (unknown !== undefined) throw new Error(`--stores knows sqlite and mariadb, not "${unknown}"`);
  const conversations = whole('conversations', values.conversations, base.conversations, 100);
  return {
    ...base,
    conversations,
    messages: whole('messages', values.messages, base.messages, conversations * 2),
    baseConversations: Math.min(base.baseConversations, conversations),
    long: whole('long', values.long, base.long, base.short),
    waiting: whole('waiting', values.waiting, base.waiting, 0),
    stores,
    json: values.json ?? false,
    help: values.help ?? false,
  };
}
