import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { run, start, temporaryFolder } from './program.ts';

const STORY = ['Can I get a refund for order #1043?', 'OK. What about my other order, 1042?', 'Yes please.'].join('\n');

// Programs of their own, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let folder: { path: string; remove(): void };
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const terminal = (argv: string[], options: Parameters<typeof run>[2] = {}) => run(folder.path, argv, options);
const idOf = (stdout: string): string => /conversation: ([0-9a-f]{32})/.exec(stdout)?.[1] ?? '';

describe('chat', () => {
  test('three piped turns, the last line without a line break: answers on stdout, steps on stderr', async () => {
    const chat = await terminal(['chat', '--strategy=recent-turns'], { input: STORY });
    expect(chat.code).toBe(0);
    const lines = chat.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^conversation: [0-9a-f]{32}$/);
    expect(lines[1]).toMatch(/^Nimbus: .*1043.*20 days.*14 days/);
    expect(lines[2]).toMatch(/^Nimbus: .*1042.*11 days left.*\?$/);
    expect(lines[3]).toMatch(/^Nimbus: .*5001.*1042/);

    expect(chat.stderr.split('\n')).toContain('model: demo model (scripted, not an AI)');
    const memory = chat.stderr.split('\n').filter((line) => line.startsWith('[step 0] memory:'));
    expect(memory.map((line) => /memory: (\d+) earlier/.exec(line)?.[1])).toEqual(['0', '4', '8']);
    expect(memory[0]).toBe('[step 0] memory: 0 earlier messages loaded (2 chars)');
    expect(chat.stderr).toMatch(/^\[step 1\] check_refund_eligibility\(\{"order_id":1043\}\) \d+ ms$/m);
    expect(chat.stderr).toMatch(/^\[step 1\] result: \{"order_id":1043,.*\}$/m);
    expect(chat.stderr).toMatch(/^\[step 2\] model answered \(\d+ ms\)$/m);
    expect(chat.stderr.trimEnd().split('\n').at(-1)).toContain(`npm run -s chat -- --resume=${idOf(chat.stdout)}`);

    const id = idOf(chat.stdout);
    const context = JSON.parse((await terminal(['show', id, '--context', '--strategy=recent-turns', '--json'])).stdout) as {
      strategy: string;
      messages: { role: string }[];
      turns: { turn: number; disposition: string }[];
    };
    expect(context.strategy).toBe('recent-turns');
    expect(context.turns.map((turn) => turn.disposition)).toEqual(['compacted', 'full', 'full']);
    expect(context.messages.slice(0, 3).map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(context.messages).toHaveLength(10);

    const transcript = JSON.parse((await terminal(['show', id, '--json'])).stdout) as {
      conversation: string;
      messages: { turn: number; role: string; at: string; toolCalls?: { arguments: unknown }[] }[];
    };
    expect(transcript.conversation).toBe(id);
    expect(transcript.messages).toHaveLength(12);
    expect(transcript.messages[1]?.toolCalls?.[0]?.arguments).toEqual({ order_id: 1043 });

    const list = await terminal(['conversations']);
    expect(list.stdout).toMatch(new RegExp(`^${id}\\t\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\t[^\\t]+\\tCan I get a refund`));

    const resumed = await terminal(['chat', `--resume=${id}`], { input: '\n  \nthanks\nexit\nnever asked' });
    expect(resumed.code).toBe(0);
    expect(resumed.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(resumed.stdout).toContain(`conversation: ${id}\nNimbus: `);

    const why = JSON.parse((await terminal(['why', id, '1043', '--strategy=recent-turns', '--json'])).stdout) as {
      turn: number;
      disposition: string;
    }[];
    expect(why[0]).toMatchObject({ where: 'history', turn: 1, disposition: 'compacted' });
  });

  test('no input ends at once; a line that is too long is told and the chat goes on', async () => {
    const nothing = await terminal(['chat']);
    expect(nothing.code).toBe(0);
    expect(nothing.stderr).toContain('Nothing was said, so nothing was kept.');
    const emptyId = /conversation: ([0-9a-f]{32})/u.exec(nothing.stdout)?.[1] ?? '';
    expect((await terminal(['show', emptyId])).code).toBe(2);
    const chat = await terminal(['chat'], { input: `${'x'.repeat(100_001)}\nHello` });
    expect(chat.code).toBe(2);
    expect(chat.stderr).toContain('not sent:');
    expect(chat.stdout).toContain('Nimbus: ');
  });

  test('ends on "exit" although stdin stays open', async () => {
    const chat = start(folder.path, ['chat'], { input: null });
    chat.child.stdin?.write('quit\n');
    expect((await chat.finished).code).toBe(0);
  });
});

describe('a run that is cut off', () => {
  const SLOW = { env: { NIMBUS_DEMO_DELAY_MS: '400' } };

  test('kill -9 in the middle of an answer: question kept, turn interrupted, the next question works', async () => {
    const chat = start(folder.path, ['chat'], { ...SLOW, input: `${STORY.split('\n')[0]}\n` });
    await expect.poll(() => chat.stderr, { timeout: 20_000 }).toContain('[step 1] result:');
    // Two words are out by then, the answer is far from its end.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    chat.child.kill('SIGKILL');
    expect((await chat.finished).signal).toBe('SIGKILL');
    const id = idOf(chat.stdout);
    const next = await terminal(['chat', `--resume=${id}`], { input: 'Can I get a refund for order #1042?' });
    expect(next.code).toBe(0);
    expect(next.stderr).toContain('turn 1 was interrupted');
    expect(next.stdout).toContain('1042');
    const shown = JSON.parse((await terminal(['show', id, '--json'])).stdout) as {
      messages: { turn: number; role: string; content: string; state?: string }[];
    };
    expect(shown.messages[0]).toMatchObject({ role: 'user', content: STORY.split('\n')[0] });
    expect(shown.messages.filter((message) => message.turn === 1).at(-1)).toMatchObject({ role: 'assistant', state: 'interrupted' });
    expect(shown.messages.at(-1)).toMatchObject({ turn: 2, role: 'assistant' });
    expect(shown.messages.at(-1)?.state).toBeUndefined();
  });

  test('Ctrl-C stops the run and keeps what was said; the second one quits', async () => {
    const ask = start(folder.path, ['ask', 'How long does shipping take?'], SLOW);
    await expect.poll(() => ask.stderr, { timeout: 20_000 }).toContain('[step 1] result:');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    ask.child.kill('SIGINT');
    const stopped = await ask.finished;
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('stopping');
    const shown = JSON.parse((await terminal(['show', idOf(stopped.stdout), '--json'])).stdout) as { messages: { state?: string }[] };
    expect(shown.messages.at(-1)?.state).toBe('stopped');

    const chat = start(folder.path, ['chat'], { input: null });
    await expect.poll(() => chat.stdout, { timeout: 20_000 }).toContain('conversation:');
    chat.child.kill('SIGINT');
    expect((await chat.finished).signal).toBeNull();
  });

  test('a second engine exits 3 before it touches anything; reading works beside it', async () => {
    const chat = start(folder.path, ['chat'], { input: null });
    await expect.poll(() => chat.stdout, { timeout: 20_000 }).toContain('conversation:');
    const second = await terminal(['ask', 'hello']);
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`Nimbus is already running on ${folder.path} (pid ${chat.child.pid})`);
    expect(second.stdout).toBe('');
    expect((await terminal(['conversations'])).stdout).toContain(idOf(chat.stdout));
    chat.child.kill('SIGKILL');
    await chat.finished;
    expect((await terminal(['ask', 'hello'])).code).toBe(0);
  });
});

describe('ask and failures', () => {
  test('the answer, then the conversation; goes on in the same one', async () => {
    const first = await terminal(['ask', 'Can I get a refund for order #1042?']);
    expect(first.stdout).toMatch(/1042[\s\S]*\nconversation: [0-9a-f]{32}\n$/);
    const second = await terminal(['ask', 'yes please', `--conversation=${idOf(first.stdout)}`]);
    expect(second.stdout).toContain('5001');
    expect(idOf(second.stdout)).toBe(idOf(first.stdout));
  });

  const REFUSED: readonly (readonly [string[], string])[] = [
    [['ask'], 'usage:'],
    [['ask', 'a', 'b'], 'usage:'],
    [['ask', ' '], 'write a message first'],
    [['ask', 'hi', '--nope'], '--nope'],
    [['ask', 'hi', '--set=memory.recentTurns=0'], 'memory.recentTurns'],
    [['ask', 'hi', '--conversation=xyz'], '32 hexadecimal'],
    [['ask', 'hi', '--conversation=0123456789abcdef0123456789abcdef'], 'conversation'],
    [['ask', 'hi', '--customer=nobody'], 'nobody'],
    [['show', 'xyz'], '32 hexadecimal'],
    [['show', '0123456789abcdef0123456789abcdef', '--next=x'], '--context'],
    [['export', '0123456789abcdef0123456789abcdef', '--format=pdf'], 'openai, markdown or json'],
    [['import', 'missing.jsonl'], 'no such file'],
    [['ingest', 'missing'], 'no such file'],
    [['dance'], 'there is no command "dance"'],
    [[], 'usage:'],
  ];

  test('bad input: exit 2, one clear sentence, nothing on stdout', async () => {
    for (const [argv, part] of REFUSED) {
      const result = await terminal(argv);
      expect(result.stderr, argv.join(' ')).toContain(part);
      expect(result.code, argv.join(' ')).toBe(2);
      expect(result.stdout).toBe('');
      expect(result.stderr).not.toMatch(/^\s+at /m);
    }
    const unknownModel = await terminal(['ask', 'hi'], { env: { NIMBUS_MODEL: 'none/such' } });
    expect(unknownModel).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no model provider "none"') });
  });

  test('a model that does not answer: the apology, exit 1, why on stderr, no key', async () => {
    const env = { NIMBUS_MODEL: 'gemini/none', GEMINI_API_KEY: 'AIzaCanary0123456789', GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' };
    const result = await terminal(['ask', 'hi', '--set=agent.maxSeconds=60'], { env });
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^Sorry, .+\nconversation: [0-9a-f]{32}\n$/);
    expect(result.stderr).toMatch(/^\[step 1\] error: /m);
    expect(result.stdout + result.stderr).not.toContain('Canary');
  });

  test('a reader that goes away is no error', async () => {
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const program = start(folder.path, ['ask', 'Can I get a refund for order #1042?']);
      program.child.stdout?.destroy();
      void program.finished.then(resolve);
    });
    expect(stderr).not.toContain('EPIPE');
    expect(code).toBe(0);
  });

  test('stored text cannot reach the terminal as control characters (X6)', async () => {
    const hostile = '\u001b]8;;https://evil.test\u001b\\click\u001b]8;;\u001b\\ \u001b[2J\u001b]0;pwned\u0007\u009b31m \u202egnp.exe\u0000';
    const asked = await terminal(['chat'], { input: hostile.replace('\u0000', '') });
    const id = idOf(asked.stdout);
    for (const argv of [
      ['show', id],
      ['show', id, '--json'],
      ['conversations'],
      ['conversations', '--json'],
      ['export', id],
      ['export', id, '--format=markdown'],
    ]) {
      const { stdout } = await terminal(argv);
      expect(stdout.replaceAll('\n', '').replaceAll('\t', ''), argv.join(' ')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }
    const { messages } = JSON.parse((await terminal(['show', id, '--json'])).stdout) as { messages: { content: string }[] };
    expect(messages[0]?.content).toBe(hostile.replace('\u0000', ''));
  });
});

describe('files', () => {
  const line = (messages: unknown[]) => JSON.stringify({ messages });
  const call = { id: 'call-1', type: 'function', function: { name: 'get_order', arguments: '{"order_id":1042}' } };
  const GOOD = line([
    { role: 'user', content: 'Where is order 1042?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call-1', content: '{"status":"shipped"}' },
    { role: 'assistant', content: 'It is on its way.' },
  ]);

  test('import stores one conversation per line; export gives the line back', async () => {
    writeFileSync(path.join(folder.path, 'in.jsonl'), `${GOOD}\n${GOOD}\n`);
    const imported = await terminal(['import', 'in.jsonl']);
    expect(imported.code).toBe(0);
    const ids = imported.stdout.trim().split('\n');
    expect(ids).toHaveLength(2);
    const exported = await terminal(['export', ids[0] ?? '']);
    writeFileSync(path.join(folder.path, 'again.jsonl'), exported.stdout);
    const again = await terminal(['import', 'again.jsonl']);
    expect((await terminal(['export', again.stdout.trim()])).stdout).toBe(exported.stdout);
    expect(JSON.parse(exported.stdout)).toEqual(JSON.parse(GOOD));
    const asked = await terminal(['ask', 'Can I get a refund for it?', `--conversation=${ids[1]}`]);
    expect(asked.code).toBe(0);
    expect(asked.stderr).toContain('memory: 4 earlier messages loaded');
  });

  test('one bad line: exit 2, its number and reason, nothing stored', async () => {
    const noResult = line([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ]);
    for (const bad of ['not json', noResult, '{}', line([])]) {
      writeFileSync(path.join(folder.path, 'bad.jsonl'), `${GOOD}\n${bad}\n${GOOD}\n`);
      const result = await terminal(['import', 'bad.jsonl']);
      expect(result.code, bad).toBe(2);
      expect(result.stderr, bad).toMatch(/^line 2: .+/m);
      expect(result.stdout).toBe('');
    }
    writeFileSync(path.join(folder.path, 'bytes.jsonl'), Buffer.from([0xff, 0xfe, 0x00]));
    expect((await terminal(['import', 'bytes.jsonl'])).stderr).toMatch(/^line \d+: .*not UTF-8/m);
    expect((await terminal(['conversations'])).stdout).toBe('');
  });

  test('ingest puts articles in, again updates them, removed files leave', async () => {
    const help = path.join(folder.path, 'help');
    mkdirSync(path.join(help, 'deep'), { recursive: true });
    writeFileSync(path.join(help, 'zeppelin.md'), '# Zeppelin rides\n\nA zeppelin ride takes ninety minutes.\n');
    writeFileSync(path.join(help, 'deep', 'balloon.md'), '# Balloon rides\n\nBalloons leave at dawn.\n');
    writeFileSync(path.join(help, 'ignored.txt'), 'no article');
    expect(await terminal(['ingest', 'help'])).toMatchObject({ code: 0, stdout: 'articles: 2 stored, 0 removed\n' });
    expect((await terminal(['ask', 'How long does a zeppelin ride take?'])).stderr).toContain('eppelin');
    rmSync(path.join(help, 'deep'), { recursive: true });
    expect(await terminal(['ingest', 'help'])).toMatchObject({ code: 0, stdout: 'articles: 1 stored, 1 removed\n' });
    expect(readdirSync(help)).toEqual(['ignored.txt', 'zeppelin.md']);
  });
});

describe('browser host as a program', () => {
  test('prints one line, a fresh link on Enter, ends cleanly on SIGTERM', async () => {
    const host = start(folder.path, ['--browser', '--port=0', '--no-open'], { host: 'loopback', input: null });
    await expect.poll(() => host.stdout, { timeout: 20_000 }).toMatch(/^Nimbus Console: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
    host.child.stdin?.write('\n');
    await expect.poll(() => host.stderr).toMatch(/^Nimbus Console: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/m);
    expect(host.stderr).not.toContain(host.stdout.trim());
    host.child.stdin?.end();
    const second = await run(folder.path, ['--no-open'], { host: 'loopback' });
    expect(second.code).toBe(3);
    expect(host.child.exitCode).toBeNull();
    host.child.kill('SIGTERM');
    const ended = await host.finished;
    expect(ended.code).toBe(0);
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each([
    [['--port=70000'], '--port'],
    [['--nope'], '--nope'],
    [['words'], 'usage'],
  ])('%o: exit 2', async (argv, part) => {
    const result = await run(folder.path, argv, { host: 'loopback' });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(part);
    expect(result.stdout).toBe('');
  });
});
