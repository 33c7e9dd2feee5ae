import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../../electron/engine/ports.ts';
import { openMysqlStore } from '../../../electron/storage/mysql/mysql-store.ts';
import type { MysqlStoreOptions } from '../../../electron/storage/mysql/mysql-store.ts';
import { answer, conversation, conversationWith, incoming, nextConversationId, question, START } from '../../contract/store-builders.ts';
import type { FaultProxy } from '../../fakes/fault-proxy.ts';
import { startFaultProxy } from '../../fakes/fault-proxy.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { freePort, startMariadb } from '../../fakes/mariadb-server.ts';

vi.setConfig({ testTimeout: 60_000 });

const TICKET = { customerId: null, conversationId: null, orderId: null, category: 'c', summary: 's', status: 'open', at: START } as const;

let server: MariadbServer;
let proxy: FaultProxy;
const stores: Store[] = [];

beforeAll(async () => {
  const schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  server = await startMariadb();
  await server.sql('CREATE DATABASE console');
  await server.sql(schema, 'console');
  proxy = await startFaultProxy(server.port);
}, 120_000);

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

afterAll(async () => {
  await proxy?.close();
  await server?.stop();
});

async function opened(options: Partial<MysqlStoreOptions> = {}): Promise<Store> {
  const store = await openMysqlStore({ url: server.url('console'), ...options });
  stores.push(store);
  return store;
}

/** Through the proxy. */
function proxied(timings: MysqlStoreOptions['timings'] = {}): Promise<Store> {
  return opened({ url: server.url('console').replace(String(server.port), String(proxy.port)), timings });
}

async function number(sql: string): Promise<number> {
  return Number((await server.sql(sql, 'console')).trim());
}

describe('rows of other programs', () => {
  const insert = (id: string, role: string, data: unknown): string =>
    `INSERT INTO messages (conversation_id, role, data) VALUES ('${id}', '${role}', '${JSON.stringify(data).replaceAll('\\', '\\\\').replaceAll("'", "''")}');`;

  test('[SYN-3] a conversation written with the tutorial’s statements opens in the console, turn by turn', async () => {
    const store = await opened();
    const id = nextConversationId();
    const calls = [{ id: 'c1', name: 'get_order', arguments: { order_id: 1043 } }];
    await server.sql(
      `INSERT INTO conversations (id) VALUES ('${id}');
      ${insert(id, 'user', { role: 'user', content: "Where's my pangolin? 🍣" })}
      ${insert(id, 'assistant', { role: 'assistant', content: null, tool_calls: calls })}
      ${insert(id, 'tool', { role: 'tool', tool_call_id: 'c1', name: 'get_order', content: '{"status":"shipped"}' })}
      ${insert(id, 'assistant', { role: 'assistant', content: 'On its way.' })}
      ${insert(id, 'user', { role: 'user', content: 'Thanks' })}`,
      'console',
    );
    const listed = (await store.conversations.list({ limit: 5, search: 'pangolin' })).items;
    expect(listed).toMatchObject([
      { id, tenant: 'nimbus', title: "Where's my pangolin? 🍣", lastText: 'Thanks', turnCount: 2, messageCount: 5 },
    ]);
    const [second, first] = await store.conversations.readTurns(id, { limit: 9 });
    expect(first?.messages.map((message) => [message.seq, message.role, message.content, message.toolCalls?.[0]?.arguments])).toEqual([
      [1, 'user', "Where's my pangolin? 🍣", undefined],
      [2, 'assistant', '', { order_id: 1043 }],
      [3, 'tool', '{"status":"shipped"}', undefined],
      [4, 'assistant', 'On its way.', undefined],
    ]);
    expect([first?.state, second?.state, second?.messages[0]?.content]).toEqual(['answered', 'interrupted', 'Thanks']);
    await server.sql(insert(id, 'assistant', { role: 'assistant', content: 'You are welcome.' }), 'console');
    expect(await store.conversations.readTurn(id, 2)).toMatchObject({ state: 'answered', messages: [{ seq: 5 }, { seq: 6 }] });
    expect(await store.conversations.accept(incoming(id, question('More')))).toMatchObject({ kind: 'started', record: { turn: 3 } });
  });

  test('rows that arrive during a run come after it', async () => {
    const store = await opened();
    const { id } = await store.conversations.create(conversation());
    await store.conversations.accept(incoming(id, question('ours'), 'run'));
    await server.sql(insert(id, 'user', { role: 'user', content: 'theirs' }), 'console');
    expect((await store.conversations.readTurns(id, { limit: 9 })).length).toBe(1);
    const end = { state: 'answered', outcome: 'answered', error: null, at: START + 9 } as const;
    await store.conversations.endTurn(id, 1, 'run', { ...end, messages: [answer('our answer')] });
    const turns = await store.conversations.readTurns(id, { limit: 9 });
    expect(turns.map((turn) => turn.messages.map((message) => [message.seq, message.content]))).toEqual([
      [[3, 'theirs']],
      [
        [1, 'ours'],
        [2, 'our answer'],
      ],
    ]);
  });

  test('whatever JSON they hold, each becomes a message, and data stays as it was', async () => {
    const store = await opened();
    const id = nextConversationId();
    const odd = [
      ['a', 1],
      'text',
      5,
      null,
      {},
      { content: 7 },
      { content: [{ type: 'text' }] },
      { tool_calls: [null, { arguments: [] }], content: 'x' },
    ];
    const statements = odd.map((data, index) => insert(id, index === 0 ? 'user' : index === 3 ? 'system' : 'assistant', data));
    await server.sql(`INSERT INTO conversations (id) VALUES ('${id}'); ${statements.join('\n')}`, 'console');
    const turn = await store.conversations.readTurn(id, 1);
    expect(turn?.messages.map((message) => message.content)).toEqual(['', 'text', '5', '', '', '7', '[{"type":"text"}]', 'x']);
    expect(turn?.messages.at(-1)?.toolCalls).toEqual([
      { id: '', name: '', arguments: {} },
      { id: '', name: '', arguments: {} },
    ]);
    const kept = (await server.sql(`SELECT data FROM messages WHERE conversation_id = '${id}' ORDER BY id`, 'console')).trim().split('\n');
    expect(kept.map((text) => JSON.parse(text) as unknown)).toEqual(odd);
  });

  test('our rows read with the tutorial’s statement have exactly its keys', async () => {
    const store = await opened();
    const { id } = await store.conversations.create(conversation());
    await store.conversations.accept(incoming(id, question('Hello'), 'run'));
    const toolCalls = [{ id: 'c1', name: 'get_order', arguments: { order_id: 1 } }];
    const raw = { provider: 'p', model: 'm', body: '{"n":9007199254740993}' };
    await store.conversations.append(id, 1, 'run', [
      answer('', { toolCalls, providerRaw: raw }),
      { ...answer('{}'), role: 'tool', toolCallId: 'c1', toolName: 'get_order' },
    ]);
    const data = (await server.sql(`SELECT data FROM messages WHERE conversation_id = '${id}' ORDER BY id`, 'console')).trim().split('\n');
    expect(data.map((text) => JSON.parse(text) as unknown)).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: null, tool_calls: toolCalls },
      { role: 'tool', tool_call_id: 'c1', name: 'get_order', content: '{}' },
    ]);
    expect(
      await number(
        `SELECT CONVERT(SHA2(provider_body, 256) USING ascii) = provider_sha256 FROM messages WHERE conversation_id = '${id}' AND provider IS NOT NULL`,
      ),
    ).toBe(1);
  });
});

describe('lost connections', () => {
  test('[SYN-2] a COMMIT cut before it arrives is done again, once', async () => {
    const store = await proxied();
    const before = await number('SELECT COUNT(*) FROM tickets');
    proxy.cutBefore(/^COMMIT/);
    const ticket = await store.tickets.create(TICKET);
    expect(await number('SELECT COUNT(*) FROM tickets')).toBe(before + 1);
    expect(await store.tickets.get(ticket.id)).toEqual(ticket);
  });

  test('[SYN-2] a COMMIT whose answer is cut is found to be done, with the same result', async () => {
    const store = await proxied();
    const before = await number('SELECT COUNT(*) FROM tickets');
    proxy.cutAfter(/^COMMIT/);
    const ticket = await store.tickets.create(TICKET);
    expect(await number('SELECT COUNT(*) FROM tickets')).toBe(before + 1);
    expect(await store.tickets.get(ticket.id)).toEqual(ticket);
    const { id } = await store.conversations.create(conversation());
    proxy.cutAfter(/^COMMIT/);
    expect(await store.conversations.accept(incoming(id, question('once'), 'run'))).toMatchObject({ kind: 'started' });
    proxy.cutAfter(/^COMMIT/);
    const end = { state: 'answered', outcome: 'answered', error: null, at: START, messages: [answer('done')] } as const;
    expect((await store.conversations.endTurn(id, 1, 'run', { ...end, messages: [...end.messages] })).messages.length).toBe(1);
    expect((await store.conversations.readTurn(id, 1))?.messages.map((message) => message.content)).toEqual(['once', 'done']);
  });

  test('a cut in the middle of a transaction or a read is repeated', async () => {
    const store = await proxied();
    const id = await conversationWith(store, [['one', '1']]);
    proxy.cutBefore(/^INSERT INTO queued_messages|^INSERT INTO messages/);
    expect(await store.conversations.accept(incoming(id, question('two')))).toMatchObject({ kind: 'started', message: { seq: 3 } });
    proxy.cutAfter(/^SELECT .* FROM messages/);
    expect((await store.conversations.readTurns(id, { limit: 9 })).length).toBe(2);
  });

  test('a half-open socket is noticed within the time a statement may take', async () => {
    const store = await proxied({ statementMs: 500 });
    const id = await conversationWith(store, [['one', '1']]);
    proxy.freezeAt(/FROM turns/);
    const start = Date.now();
    expect((await store.conversations.readTurns(id, { limit: 9 })).length).toBe(1);
    expect(Date.now() - start).toBeGreaterThanOrEqual(400);
  });

  test('[SYN-1] a server that is away: a clear error in time, nothing half done; when it is back, the store goes on', async () => {
    const store = await proxied({ acquireMs: 600, connectMs: 300 });
    const id = await conversationWith(store, [['one', '1']]);
    const message = question('two');
    await proxy.setDown(true);
    const down = { name: 'ConsoleError', retryable: true, message: expect.stringContaining('cannot be reached') };
    await expect(store.conversations.accept(incoming(id, message))).rejects.toMatchObject({
      ...down,
      code: expect.stringMatching(/storage|not-saved/),
    });
    await expect(store.conversations.create(conversation())).rejects.toMatchObject({ ...down, code: 'not-saved' });
    await expect(store.conversations.get(id)).rejects.toMatchObject({ ...down, code: 'storage' });
    await expect(proxied()).rejects.toMatchObject({ ...down, code: 'storage' });
    await proxy.setDown(false);
    expect(await store.conversations.accept(incoming(id, message))).toMatchObject({ kind: 'started' });
  });

  test('[SYN-1] kill -9 of the server between two writes: what was saved is there after its restart', async () => {
    const store = await opened({ timings: { acquireMs: 30_000 } });
    const id = await conversationWith(store, [['before the crash', 'answer']]);
    await server.kill();
    const waiting = store.conversations.accept(incoming(id, question('during the crash')));
    await server.start();
    expect(await waiting).toMatchObject({ kind: 'started', record: { turn: 2 } });
    expect((await store.conversations.readTurns(id, { limit: 9 })).map((turn) => turn.messages[0]?.content)).toEqual([
      'during the crash',
      'before the crash',
    ]);
  });

  test('several hosts: the first that answers is used, and the next when it goes', async () => {
    const [dead, second] = [await freePort(), await startFaultProxy(server.port)];
    try {
      const url = server
        .url('console')
        .replace(`127.0.0.1:${server.port}`, `127.0.0.1:${dead},127.0.0.1:${proxy.port},127.0.0.1:${second.port}`);
      const before = proxy.connections;
      const store = await opened({ url });
      const id = await conversationWith(store, [['one', '1']]);
      expect([proxy.connections > before, second.connections]).toEqual([true, 0]);
      await proxy.setDown(true);
      expect(await store.conversations.accept(incoming(id, question('two')))).toMatchObject({ kind: 'started', record: { turn: 2 } });
      expect(second.connections).toBeGreaterThan(0);
    } finally {
      await proxy.setDown(false);
      await second.close();
    }
  });
});

describe('many at once', () => {
  test('[SYN-3] two consoles write to one conversation: one order, no place twice, none left out', async () => {
    const [one, two] = [await opened(), await opened()];
    const { id } = await one.conversations.create(conversation());
    const messages = Array.from({ length: 40 }, (_, index) => question(`message ${index}`));
    const kinds = await Promise.all(
      messages.map((message, index) => (index % 2 === 0 ? one : two).conversations.accept(incoming(id, message, 'run'))),
    );
    expect(kinds.filter((result) => result.kind === 'started').length).toBe(1);
    // The console that began the turn holds its lease; the other one's answers are refused, whole.
    const [holder, other] = kinds.findIndex((result) => result.kind === 'started') % 2 === 0 ? [one, two] : [two, one];
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? holder : other).conversations.append(id, 1, 'run', [answer(`answer ${index}`)]),
      ),
    );
    const refused = answers.flatMap((result) => (result.status === 'rejected' ? [result.reason as { code?: string }] : []));
    expect(refused.map((error) => error.code)).toEqual(Array.from({ length: 15 }, () => 'conflict'));
    const places = answers.flatMap((result) => (result.status === 'fulfilled' ? result.value.map((message) => message.seq) : []));
    expect(places.sort((left, right) => left - right)).toEqual(Array.from({ length: 15 }, (_, index) => index + 2));
    expect((await two.conversations.listQueued(id)).length).toBe(39);
  });

  test('a deadlock is done again as a whole', async () => {
    const store = await opened();
    const ticket = await store.tickets.create(TICKET);
    // Both rows in opposite orders, again and again: the server breaks the knots by rolling one side back.
    const rival = server.sql(
      Array.from(
        { length: 40 },
        () => `START TRANSACTION; UPDATE counters SET value = value WHERE name = 'articles_revision'; DO SLEEP(0.01);
          UPDATE counters SET value = value WHERE name = 'last_ticket_id'; COMMIT;`,
      ).join('\n'),
      'console',
    );
    const article = (index: number) => ({ id: `a-${index}`, title: 't', body: 'b', source: 's' });
    const before = Number(await store.shop.articlesVersion());
    const results = await Promise.allSettled([
      ...Array.from({ length: 15 }, () => store.tickets.create(TICKET)),
      ...Array.from({ length: 15 }, (_, index) => store.shop.changeArticles({ put: [article(index)], remove: [] })),
    ]);
    // The rival itself may be the one that is rolled back.
    await rival.catch(() => undefined);
    expect(results.filter((result) => result.status === 'rejected')).toEqual([]);
    expect(Number(await store.shop.articlesVersion())).toBe(before + 15);
    expect((await store.tickets.create(TICKET)).id).toBe(ticket.id + 16);
  });

  test('more callers than connections wait for their turn', async () => {
    const store = await opened();
    const id = await conversationWith(store, [['one', '1']]);
    const results = await Promise.all(Array.from({ length: 200 }, () => store.conversations.get(id)));
    expect(new Set(results.map((each) => each?.id))).toEqual(new Set([id]));
  });
});

describe('limits', () => {
  test('a message larger than the server takes is refused in words, and later ones are saved', async () => {
    await server.sql('SET GLOBAL max_allowed_packet = 2097152');
    try {
      const store = await opened();
      const { id } = await store.conversations.create(conversation());
      await store.conversations.accept(incoming(id, question('hello'), 'run'));
      const large = answer('x'.repeat(3 * 1024 * 1024));
      await expect(store.conversations.append(id, 1, 'run', [large])).rejects.toMatchObject({
        code: 'not-saved',
        message: expect.stringContaining('max_allowed_packet is 2 MB'),
      });
      expect((await store.conversations.append(id, 1, 'run', [answer('small')]))[0]?.seq).toBe(2);
    } finally {
      await server.sql('SET GLOBAL max_allowed_packet = 16777216');
    }
  });

  test('slow statements are told without their values', async () => {
    const slow: string[] = [];
    const store = await opened({ slowMs: 0, onSlowStatement: (sql) => slow.push(sql) });
    await store.preferences.write('name', '"a secret value"');
    expect(slow.some((sql) => sql.startsWith('INSERT INTO preferences'))).toBe(true);
    expect(slow.join('\n')).not.toContain('secret');
  });

  test('a server that takes no changes: reading goes on, writing is refused as read-only', async () => {
    const store = await opened();
    const id = await conversationWith(store, [['one', '1']]);
    await server.sql(
      "CREATE USER 'reader'@'127.0.0.1' IDENTIFIED BY 'reader'; GRANT SELECT, INSERT, UPDATE, DELETE ON console.* TO 'reader'@'127.0.0.1'",
    );
    await server.sql('SET GLOBAL read_only = 1');
    try {
      const reader = await opened({ url: server.url('console').replace('console:console', 'reader:reader') });
      expect((await reader.conversations.get(id))?.id).toBe(id);
      await expect(reader.conversations.saveDraft(id, 'x', START)).rejects.toMatchObject({ code: 'read-only' });
    } finally {
      await server.sql('SET GLOBAL read_only = 0');
    }
  });

  test('a wrong password or database is told as such, without the password', async () => {
    const bad = { name: 'ConsoleError', code: 'storage', retryable: false, message: expect.not.stringContaining('wrong-word') };
    await expect(opened({ url: server.url('console').replace(':console@', ':wrong-word@') })).rejects.toMatchObject(bad);
    await expect(opened({ url: server.url('absent') })).rejects.toMatchObject({
      ...bad,
      message: expect.stringContaining('refused the login'),
    });
  });
});
