import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { GEMINI_TEST_KEY, startFakeGemini } from '../fakes/providers/fake-gemini.ts';
import type { FakeGemini } from '../fakes/providers/fake-gemini.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeServer } from '../fakes/providers/fake-server.ts';
import type { Scenario, ScriptedStep } from '../fakes/providers/script.ts';
import scenarioFile from '../fakes/providers/scenarios/refund-in-three-turns.json' with { type: 'json' };
import { run, temporaryFolder } from './program.ts';
import type { Finished } from './program.ts';

const SCENARIO: Scenario = scenarioFile as Scenario;
const KEYS = [OPENAI_TEST_KEY, GEMINI_TEST_KEY];
const LIMIT_MS = 120_000;

let openai: FakeOpenAi;
let gemini: FakeGemini;
let folder = temporaryFolder();
beforeAll(async () => {
  [openai, gemini] = await Promise.all([startFakeOpenAi(), startFakeGemini()]);
});
afterAll(() => Promise.all([openai.close(), gemini.close()]));
afterEach(() => {
  folder.remove();
  folder = temporaryFolder();
  for (const fake of [openai, gemini]) {
    while (fake.remaining() > 0) fake.skip();
    fake.requests.length = 0;
  }
});

const environment = (model: string): Record<string, string> => ({
  NIMBUS_MODEL: model,
  OPENAI_API_KEY: OPENAI_TEST_KEY,
  OPENAI_BASE_URL: openai.baseUrl,
  GEMINI_API_KEY: GEMINI_TEST_KEY,
  GOOGLE_GEMINI_BASE_URL: gemini.baseUrl,
});

/** X3 X4: no key in any file of the folder, nor in anything a program said. */
function expectNoKeys(finished: readonly Finished[]): void {
  const said = finished.flatMap(({ stdout, stderr }) => [stdout, stderr]);
  for (const key of KEYS) for (const text of said) expect(text).not.toContain(key);
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder.path, name));
  expect(files.some((file) => file.endsWith('.sqlite') || file.endsWith('.db'))).toBe(true);
  for (const file of files) {
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file, 'latin1');
    for (const key of KEYS) expect(bytes.includes(key), `a key in ${file}`).toBe(false);
  }
}

function expectAccepted(fake: FakeServer, requests: number): void {
  expect(fake.modelRequests().map((request) => request.refusal)).toEqual(Array.from({ length: requests }, () => null));
  expect(fake.remaining()).toBe(0);
}

const idOf = ({ stdout }: Finished): string => /conversation: ([0-9a-f]{32})/.exec(stdout)?.[1] ?? '';

describe('the three-turn conversation in the terminal', () => {
  const steps = SCENARIO.turns.flatMap((turn) => turn.steps);
  test.each<[string, () => FakeServer, (step: ScriptedStep) => () => void]>([
    ['openai/gpt-5', () => openai, (step) => () => openai.script(() => openai.responses(step))],
    ['openai-chat/gpt-4o-mini', () => openai, (step) => () => openai.script(() => openai.chat(step))],
    ['gemini/gemini-3-pro-preview', () => gemini, (step) => () => gemini.script(() => gemini.gemini(step))],
  ])(
    'through %s, against its strict fake',
    async (model, fakeOf, prepare) => {
      for (const step of steps) prepare(step)();
      const input = `${SCENARIO.turns.map((turn) => turn.question).join('\n')}\n`;
      const chat = await run(folder.path, ['chat'], { env: environment(model), input });
      expect(chat.stderr).not.toMatch(/error|Sorry/i);
      expect(chat.code).toBe(0);
      const spoken = [...chat.stdout.matchAll(/^Nimbus: (.*)$/gm)].map((match) => match[1]);
      expect(spoken).toEqual(SCENARIO.turns.map((turn) => turn.steps.at(-1)?.text));
      expectAccepted(fakeOf(), steps.length);
      const shown = await run(folder.path, ['show', idOf(chat), '--json'], { env: environment(model) });
      const { messages } = JSON.parse(shown.stdout) as { messages: { role: string }[] };
      expect(messages.filter((message) => message.role === 'user')).toHaveLength(SCENARIO.turns.length);
      expectNoKeys([chat, shown]);
    },
    LIMIT_MS,
  );

  test(
    'P19 one conversation goes from Gemini to OpenAI and back; both accept it, and what could not travel is told',
    async () => {
      const [first, second, third] = SCENARIO.turns;
      const withReasoning = (list: ScriptedStep[] = []) => list.map((step): ScriptedStep => ({ ...step, reasoning: true }));
      const ask = async (model: string, question: string, id?: string) =>
        run(folder.path, ['ask', question, ...(id === undefined ? [] : [`--conversation=${id}`])], { env: environment(model) });
      for (const step of withReasoning(first?.steps)) gemini.script(() => gemini.gemini(step));
      const one = await ask('gemini/gemini-3-pro-preview', first?.question ?? '');
      expect(one.code).toBe(0);
      const id = idOf(one);
      for (const step of withReasoning(second?.steps)) openai.script(() => openai.responses(step));
      const two = await ask('openai/gpt-5', second?.question ?? '', id);
      expect(two.stderr).toMatch(/\d+ thought signatures? could not travel to openai\/gpt-5/);
      for (const step of withReasoning(third?.steps)) gemini.script(() => gemini.gemini(step));
      const three = await ask('gemini/gemini-3-pro-preview', third?.question ?? '', id);
      expect(three.stderr).toMatch(/\d+ encrypted reasoning items? could not travel to gemini/);
      for (const [index, answered] of [one, two, three].entries()) {
        expect(answered.code).toBe(0);
        expect(answered.stdout).toContain(SCENARIO.turns[index]?.steps.at(-1)?.text);
      }
      expectAccepted(gemini, (first?.steps.length ?? 0) + (third?.steps.length ?? 0));
      expectAccepted(openai, second?.steps.length ?? 0);
      expectNoKeys([one, two, three]);
    },
    LIMIT_MS,
  );

  test(
    'P8 X4 a refused key is said in plain words, without the key that the provider repeats',
    async () => {
      const wrong = 'sk-wrong-canary-9876543210fedcba';
      const env = { ...environment('openai/gpt-5'), OPENAI_API_KEY: wrong };
      const asked = await run(folder.path, ['ask', 'Hello'], { env });
      expect(asked.code).toBe(1);
      expect(asked.stderr).toMatch(/key/i);
      expect(`${asked.stdout}${asked.stderr}`).not.toContain(wrong);
      for (const name of readdirSync(folder.path, { recursive: true, encoding: 'utf8' })) {
        const file = path.join(folder.path, name);
        if (statSync(file).isFile()) expect(readFileSync(file, 'latin1').includes(wrong), name).toBe(false);
      }
    },
    LIMIT_MS,
  );

  test('without a key the turn ends with what to do', async () => {
    const asked = await run(folder.path, ['ask', 'Hello'], { env: { NIMBUS_MODEL: 'openai/gpt-5' } });
    expect(asked.code).toBe(1);
    expect(asked.stderr).toMatch(/There is no key for OpenAI.*\(model-auth\)/);
    expect(asked.stdout).toMatch(/^Sorry, /);
  });

  test.each(['refund-refused', 'delivery-question'])(
    'the tape %s plays without network, the same every time',
    async (tape) => {
      const env = { NIMBUS_MODEL: `tape/${tape}` };
      const questions = tape === 'refund-refused' ? 'I want a refund for order 1043\n' : 'Where is my order 1042?\n';
      const [one, two] = [
        await run(folder.path, ['chat'], { env, input: questions }),
        await run(folder.path, ['chat'], { env, input: questions }),
      ];
      const spoken = ({ stdout }: Finished) => stdout.split('\n').filter((line) => line.startsWith('Nimbus: '));
      expect(spoken(one)).toHaveLength(1);
      expect(spoken(one)[0]).not.toMatch(/Sorry/);
      expect(spoken(two)).toEqual(spoken(one));
    },
    LIMIT_MS,
  );
});
