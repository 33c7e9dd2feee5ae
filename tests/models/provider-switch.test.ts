/** The three-turn conversation through every adapter, and switches of the provider in its middle, accepted by both strict fakes. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { shopData, DEMO_CUSTOMER_ID } from '../../electron/engine/shop/shop-data.ts';
import { createToolRegistry } from '../../electron/engine/tools/registry.ts';
import { checkHistory } from '../../electron/models/history-rules.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import type { Scenario, ScriptedStep } from '../fakes/providers/script.ts';
import type { Api } from './fault-parts.ts';
import { modelFor, startFakes } from './fault-runner.ts';
import { collect, storedStep, testClock, user } from './support.ts';

const SCENARIO = JSON.parse(
  readFileSync(new URL('../fakes/providers/scenarios/refund-in-three-turns.json', import.meta.url), 'utf8'),
) as Scenario;
const CONVERSATION = 'd'.repeat(32);
const GEMINI_3 = 'gemini-3-pro-preview';

let fakes: Awaited<ReturnType<typeof startFakes>>;
beforeEach(async () => {
  fakes = await startFakes();
});
afterEach(() => fakes.close());

function script(api: Api, step: ScriptedStep): void {
  if (api === 'gemini') fakes.gemini.script(fakes.gemini.gemini(step));
  else fakes.openai.script(api === 'chat' ? fakes.openai.chat(step) : fakes.openai.responses(step));
}

/** Plays the scenario with one API per turn, with the shop's real tools. */
async function play(apis: readonly Api[]): Promise<{ messages: ContextMessage[]; notices: string[]; answers: string[] }> {
  const store = createInMemoryStore();
  await store.shop.seed(shopData(Date.UTC(2026, 10, 30)));
  let number = 0;
  const clock = testClock();
  const tools = createToolRegistry({ store, clock, ids: { uuid: () => `id-${(number += 1)}`, conversationId: () => CONVERSATION } });
  const played = { messages: [] as ContextMessage[], notices: [] as string[], answers: [] as string[] };
  for (const [index, turn] of SCENARIO.turns.entries()) {
    const api = apis[index] ?? 'responses';
    const model = modelFor(fakes, api, api === 'gemini' ? { model: GEMINI_3 } : {});
    played.messages.push(user(turn.question));
    for (const step of turn.steps) {
      script(api, step);
      const { end, notices } = await collect(model, {
        system: 'You are Nimbus.',
        tools: tools.specs(),
        messages: played.messages,
        conversationId: CONVERSATION,
      });
      expect(end.error).toBeNull();
      expect(end.outcome).toBe(step.calls === undefined ? 'answered' : 'tool-calls');
      played.notices.push(...notices);
      const results: Record<string, string> = {};
      for (const call of end.calls) {
        const run = await tools.run(
          { id: call.id, name: call.name, arguments: call.arguments ?? {} },
          { conversationId: CONVERSATION, customerId: DEMO_CUSTOMER_ID, turn: index + 1, signal: new AbortController().signal },
        );
        results[call.name] = JSON.stringify(run.result);
      }
      played.messages.push(...storedStep(end, results));
      if (end.outcome === 'answered') played.answers.push(end.text);
    }
  }
  const refused = [...fakes.openai.requests, ...fakes.gemini.requests].filter((request) => request.refusal !== null);
  expect(refused.map((request) => request.refusal)).toEqual([]);
  expect(checkHistory(played.messages)).toEqual([]);
  return played;
}

const ANSWERS = SCENARIO.turns.map((turn) => turn.steps.at(-1)?.text);

describe('the three-turn conversation', () => {
  it.each(['responses', 'chat', 'gemini'] as const)('P24 runs through %s without a notice', async (api) => {
    const played = await play([api, api, api]);
    expect(played.answers).toEqual(ANSWERS);
    expect(played.notices).toEqual([]);
  });
});

describe('P19 a switch in mid-conversation', () => {
  it.each<[string, Api[], RegExp | null]>([
    ['Gemini → OpenAI → Gemini', ['gemini', 'responses', 'gemini'], /2 thought signatures could not travel to openai\/gpt-5/],
    ['OpenAI → Gemini → OpenAI', ['responses', 'gemini', 'responses'], /2 encrypted reasoning items could not travel to gemini/],
    ['OpenAI → compatible server → Gemini', ['responses', 'chat', 'gemini'], /2 encrypted reasoning items could not travel to openai-chat/],
    ['compatible server → Gemini → compatible server', ['chat', 'gemini', 'chat'], /2 thought signatures could not travel to openai-chat/],
  ])('P19 %s is accepted by both fakes and reported', async (_name, apis, report) => {
    const played = await play(apis);
    expect(played.answers).toEqual(ANSWERS);
    if (report !== null) expect(played.notices.join('\n')).toMatch(report);
  });

  it('P19 the report names both kinds', async () => {
    const played = await play(['gemini', 'responses', 'chat']);
    expect(played.notices.at(-1)).toBe('2 thought signatures and 2 encrypted reasoning items could not travel to openai-chat/gpt-4o-mini.');
  });
});
