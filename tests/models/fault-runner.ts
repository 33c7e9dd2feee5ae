/** I/O: runs one fault against the fakes through the real adapter and says what differs from what was expected. */
import type { LanguageModel } from '../../electron/engine/ports.ts';
import { createModel } from '../../electron/models/model-factory.ts';
import type { Timeouts } from '../../electron/models/model-stream.ts';
import { GEMINI_TEST_KEY, startFakeGemini } from '../fakes/providers/fake-gemini.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { Api, Fakes, Fault } from './fault-parts.ts';
import { collect, requestOf, testClock, user } from './support.ts';
import type { Collected } from './support.ts';

export const LONG: Timeouts = { idleMs: 20_000, totalMs: 30_000 };

export async function startFakes(): Promise<Fakes & { close(): Promise<void> }> {
  const [openai, gemini] = await Promise.all([startFakeOpenAi(), startFakeGemini()]);
  return {
    openai,
    gemini,
    close: async () => {
      await Promise.all([openai.close(), gemini.close()]);
    },
  };
}

const MODELS: Record<Api, string> = { responses: 'gpt-5', chat: 'gpt-4o-mini', gemini: 'gemini-2.5-flash' };
const PROVIDERS: Record<Api, string> = { responses: 'openai', chat: 'openai-chat', gemini: 'gemini' };

/** The real adapter of an API, pointed at its fake. */
export function modelFor(
  fakes: Fakes,
  api: Api,
  options: { clock?: ReturnType<typeof testClock>; timeouts?: Partial<Timeouts>; apiKey?: string; model?: string } = {},
): LanguageModel {
  return createModel({
    provider: PROVIDERS[api],
    model: options.model ?? MODELS[api],
    apiKey: options.apiKey ?? (api === 'gemini' ? GEMINI_TEST_KEY : OPENAI_TEST_KEY),
    baseUrl: api === 'gemini' ? fakes.gemini.baseUrl : fakes.openai.baseUrl,
    clock: options.clock ?? testClock(),
    timeouts: { ...LONG, ...options.timeouts },
  });
}

export interface FaultResult {
  got: Collected;
  requests: number;
  waits: number[];
  /** [] when all is as expected. */
  problems: string[];
}

export async function runFault(fault: Fault, fakes: Fakes): Promise<FaultResult> {
  const fake = fault.api === 'gemini' ? fakes.gemini : fakes.openai;
  const before = fake.modelRequests().length;
  fake.script(...fault.replies(fakes));
  const clock = testClock();
  const model = modelFor(fakes, fault.api, {
    clock,
    timeouts: fault.timeouts ?? {},
    ...(fault.apiKey === undefined ? {} : { apiKey: fault.apiKey }),
    ...(fault.model === undefined ? {} : { model: fault.model }),
  });
  const got = await collect(model, requestOf([user('How is my order?')]));
  const requests = fake.modelRequests().length - before;
  return { got, requests, waits: clock.slept, problems: problemsOf(fault, got, requests, clock.slept, fake.remaining()) };
}

function problemsOf(fault: Fault, got: Collected, requests: number, waits: number[], left: number): string[] {
  const { expect: wanted } = fault;
  const problems: string[] = [];
  const check = (what: string, actual: unknown, expected: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      problems.push(`${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
  };
  check('outcome', got.end.outcome, wanted.outcome);
  check('requests', requests, wanted.requests ?? 1);
  check(
    'calls',
    got.end.calls.map((call) => call.arguments),
    wanted.calls ?? [],
  );
  check('replies left', left, 0);
  if (wanted.code !== undefined) check('error code', got.end.error?.code, wanted.code);
  if (wanted.text !== undefined) check('text', got.end.text, wanted.text);
  check('streamed text', got.streamed, got.end.text);
  check('an error is present', got.end.error !== null, !['answered', 'tool-calls', 'refused'].includes(wanted.outcome));
  check(
    'retry events',
    got.retries.map((retry) => retry.delayMs),
    waits,
  );
  if (wanted.waits !== undefined) {
    check('waits', waits.length, wanted.waits.length);
    for (const [index, least] of wanted.waits.entries()) {
      if ((waits[index] ?? 0) < least) problems.push(`wait ${index + 1} is ${waits[index]} ms, asked were ${least} ms`);
    }
  }
  const said = JSON.stringify(got.events);
  for (const secret of [fault.apiKey, OPENAI_TEST_KEY, GEMINI_TEST_KEY]) {
    if (secret !== undefined && said.includes(secret)) problems.push('a key appears in an event');
  }
  return problems;
}
