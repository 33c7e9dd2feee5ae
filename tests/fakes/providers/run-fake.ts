/**
 * Does I/O: a fake provider as a process of its own, for trying the console against it by hand or from e2e tests.
 * `node tests/fakes/providers/run-fake.ts responses|chat|gemini SCENARIO.json` prints one line: the settings to start the console with.
 */
import { readFile } from 'node:fs/promises';
import { GEMINI_TEST_KEY, startFakeGemini } from './fake-gemini.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from './fake-openai.ts';
import type { Scenario } from './script.ts';

const [api, file] = process.argv.slice(2);
if ((api !== 'responses' && api !== 'chat' && api !== 'gemini') || file === undefined) {
  process.stderr.write('usage: node tests/fakes/providers/run-fake.ts responses|chat|gemini SCENARIO.json\n');
  process.exit(2);
}
const scenario = JSON.parse(await readFile(file, 'utf8')) as Scenario;
const steps = scenario.turns.flatMap((turn) => turn.steps);
if (api === 'gemini') {
  const fake = await startFakeGemini();
  for (const step of steps) fake.script(() => fake.gemini(step));
  process.stdout.write(
    `NIMBUS_MODEL=gemini/gemini-3-pro-preview GEMINI_API_KEY=${GEMINI_TEST_KEY} GOOGLE_GEMINI_BASE_URL=${fake.baseUrl}\n`,
  );
} else {
  const fake = await startFakeOpenAi();
  for (const step of steps) fake.script(() => (api === 'chat' ? fake.chat(step) : fake.responses(step)));
  const model = api === 'chat' ? 'openai-chat/gpt-4o-mini' : 'openai/gpt-5';
  process.stdout.write(`NIMBUS_MODEL=${model} OPENAI_API_KEY=${OPENAI_TEST_KEY} OPENAI_BASE_URL=${fake.baseUrl}\n`);
}
