/** Stories of the terminal host: piped, with results alone on stdout. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { importLine, toolConversation } from './harness/imports.ts';
import { terminal } from './harness/programs.ts';
import { expectStory, QUESTIONS } from './harness/story.ts';
import { expect, test } from './harness/test.ts';

interface ContextJson {
  messages: { role: string; toolCalls?: unknown[] }[];
  turns: { turn: number; disposition: string; reason: string; characters: number; tokens: number }[];
}
interface ShowJson {
  conversation: string;
  messages: { turn: number; role: string; content: string; state?: string }[];
}

/** The strategy whose numbers are known for this story. */
const TUTORIAL = '--strategy=recent-turns';

/** `conversation: ID` and the answers of a piped chat. */
function readChat(stdout: string): { id: string; answers: string[] } {
  const id = /^conversation: ([0-9a-f]{32})\n/.exec(stdout)?.[1] ?? '';
  return { id, answers: stdout.split(/^Nimbus: /m).slice(1) };
}

test('the three-turn conversation, piped: same answers, memory 0, 4 and 8, results alone on stdout', async ({ dataFolder }) => {
  const chat = await terminal({ dataFolder, args: ['chat', TUTORIAL] }, `${QUESTIONS.join('\n')}\nexit\n`);
  expect(chat.code, chat.stderr).toBe(0);
  const { id, answers } = readChat(chat.stdout);
  expect(id).not.toBe('');
  expect(answers).toHaveLength(3);
  expectStory(answers);
  const loaded = [...chat.stderr.matchAll(/^\[step 0\] memory: (\d+) earlier messages loaded \((\d+) chars\)$/gm)];
  expect(loaded.map((match) => match[1])).toEqual(['0', '4', '8']);
  expect(loaded[0]?.[2]).toBe('2');
  expect(chat.stderr).toMatch(/^\[step \d+\] check_refund_eligibility\(\{"order_id":1043\}\) \d+ ms$/m);
  expect(chat.stderr).toContain(`--resume=${id}`);

  const context = await terminal({ dataFolder, args: ['show', id, '--context', TUTORIAL, '--json'] });
  expect(context.code, context.stderr).toBe(0);
  const plan = JSON.parse(context.stdout) as ContextJson;
  const whole = ['user', 'assistant', 'tool', 'assistant'];
  expect(plan.messages.map((message) => message.role)).toEqual(['user', 'assistant', ...whole, ...whole]);
  expect(plan.turns.map((turn) => turn.disposition)).toEqual(['compacted', 'full', 'full']);
  for (const turn of plan.turns) expect(turn.reason).not.toBe('');

  const show = await terminal({ dataFolder, args: ['show', id, '--json'] });
  const stored = JSON.parse(show.stdout) as ShowJson;
  expect(stored.conversation).toBe(id);
  expect(stored.messages).toHaveLength(12);
});

test('a chat goes on where it ended', async ({ dataFolder }) => {
  const first = readChat((await terminal({ dataFolder, args: ['chat'] }, `${QUESTIONS[0]}\n${QUESTIONS[1]}\n`)).stdout);
  const rest = await terminal({ dataFolder, args: ['chat', `--resume=${first.id}`] }, `${QUESTIONS[2]}\n`);
  const resumed = readChat(rest.stdout);
  expect(resumed.id).toBe(first.id);
  expectStory([...first.answers, ...resumed.answers]);
});

test('import of a 60-message tool-calling conversation, then a question in it', async ({ dataFolder }) => {
  const file = path.join(dataFolder, 'sixty.jsonl');
  writeFileSync(file, importLine(toolConversation(15)));
  const imported = await terminal({ dataFolder, args: ['import', file] });
  expect(imported.code, imported.stderr).toBe(0);
  const id = /[0-9a-f]{32}/.exec(imported.stdout)?.[0] ?? '';
  const asked = await terminal({ dataFolder, args: ['ask', 'Can I get a refund for order #1042?', `--conversation=${id}`] });
  expect(asked.code, asked.stderr).toBe(0);
  expect(asked.stdout).toMatch(/11 (more )?days|11 days left/);
  expect(asked.stdout).toContain(`conversation: ${id}`);
  const show = JSON.parse((await terminal({ dataFolder, args: ['show', id, '--json'] })).stdout) as ShowJson;
  expect(show.messages.slice(0, 60).map((message) => message.role)).toEqual(toolConversation(15).map((message) => message.role));
  expect(show.messages.at(60)?.content).toBe('Can I get a refund for order #1042?');
  expect(show.messages.at(60)?.turn).toBe(16);
});

test('a broken import names its lines, ends with 2 and changes nothing', async ({ dataFolder }) => {
  await terminal({ dataFolder, args: ['ask', 'Hello'] });
  const before = (await terminal({ dataFolder, args: ['conversations'] })).stdout;
  const file = path.join(dataFolder, 'broken.jsonl');
  const withoutResult = toolConversation(2).filter((message) => message.role !== 'tool');
  writeFileSync(file, `${importLine(toolConversation(3))}{ not json\n${importLine(withoutResult)}`);
  const imported = await terminal({ dataFolder, args: ['import', file] });
  expect(imported.code).toBe(2);
  expect(imported.stdout).toBe('');
  expect(imported.stderr).toMatch(/^line 2: /m);
  expect(imported.stderr).toMatch(/^line 3: /m);
  expect((await terminal({ dataFolder, args: ['conversations'] })).stdout).toBe(before);
});

test('an export is one import line and comes back the same', async ({ dataFolder }) => {
  const chat = readChat((await terminal({ dataFolder, args: ['chat'] }, `${QUESTIONS[0]}\n`)).stdout);
  const exported = await terminal({ dataFolder, args: ['export', chat.id, '--format=openai'] });
  expect(exported.stdout.trimEnd().split('\n')).toHaveLength(1);
  const file = path.join(dataFolder, 'again.jsonl');
  writeFileSync(file, exported.stdout);
  const imported = await terminal({ dataFolder, args: ['import', file] });
  const id = /[0-9a-f]{32}/.exec(imported.stdout)?.[0] ?? '';
  expect(id).not.toBe(chat.id);
  expect((await terminal({ dataFolder, args: ['export', id, '--format=openai'] })).stdout).toBe(exported.stdout);
});

test('[X1] a second engine on the folder is refused with 3; reading beside it works', async ({ dataFolder, startHost }) => {
  const host = await startHost();
  const second = await terminal({ dataFolder, args: ['ask', 'Hello'] });
  expect(second.code).toBe(3);
  expect(second.stdout).toBe('');
  expect(second.stderr).toContain(`Nimbus is already running on ${dataFolder} (pid ${host.child.pid})`);
  const list = await terminal({ dataFolder, args: ['conversations'] });
  expect(list.code, list.stderr).toBe(0);
  await host.stop('SIGKILL');
  const after = await terminal({ dataFolder, args: ['ask', 'Hello'] });
  expect(after.code, after.stderr).toBe(0);
});

test('bad input ends with 2 and says what to do', async ({ dataFolder }) => {
  for (const args of [
    ['ask'],
    ['show', 'nonsense'],
    ['ask', 'Hello', '--set=agent.maxSteps=none'],
    ['chat', '--resume=0123456789abcdef0123456789abcdef'],
  ]) {
    const ended = await terminal({ dataFolder, args });
    expect(ended.code, args.join(' ')).toBe(2);
    expect(ended.stdout).toBe('');
    expect(ended.stderr.trim()).not.toBe('');
    expect(ended.stderr).not.toMatch(/ at .*:\d+:\d+/);
  }
});
