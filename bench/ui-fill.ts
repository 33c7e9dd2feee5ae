/** Does I/O: fills a store with conversations and runs of given lengths for `bench:ui`. Times are fixed, so that two fills are the same. */
import type { Store } from '../electron/engine/ports.ts';
import type { RunSummary, Span } from '../shared/trace.ts';

/** 100 messages. */
export const BASE_TURNS = 50;
export const BASE_STEPS = 10;
const AT = Date.UTC(2026, 0, 5, 9);
const STEP_MS = 1000;

/** 32 hex digits. */
export function idOf(turns: number): string {
  return turns.toString(16).padStart(32, '0');
}

/** One conversation for each number of turns; the runs stand in that of `BASE_TURNS`. */
export async function fillConversations(store: Store, turnCounts: readonly number[], stepCounts: readonly number[]): Promise<void> {
  for (const turns of turnCounts) {
    const conversation = { id: idOf(turns), tenant: 'shop', actor: null, subject: null, customerId: null, strategy: null, at: AT };
    await store.conversations.insertWhole(
      { ...conversation, title: `A conversation of ${turns} turns` },
      Array.from({ length: turns }, (_, index) => ({ state: 'answered' as const, messages: turnMessages(turns, index + 1) })),
    );
  }
  for (const [index, steps] of stepCounts.entries()) {
    const run = runOf(steps, BASE_TURNS - index);
    await store.traces.saveRun(run);
    await store.traces.save({ spans: spansOf(run), events: [], details: [] });
  }
}

function turnMessages(turns: number, turn: number) {
  const id = (role: string) => `${role}-${turns}-${turn}`.padEnd(8, '-');
  const answer = `Your **order ${1000 + turn}** is on its way.\n\n- packed on day ${turn % 28}\n- with the courier since \`${turn}\`\n`;
  return [
    {
      id: id('question'),
      role: 'user' as const,
      origin: 'customer' as const,
      trust: 'untrusted' as const,
      content: `This is question ${turn}, about order ${1000 + turn}.`,
      at: AT + turn,
    },
    { id: id('answer'), role: 'assistant' as const, origin: 'model' as const, trust: 'trusted' as const, content: answer, at: AT + turn },
  ];
}

function runOf(steps: number, turn: number): RunSummary {
  return {
    id: `bench-run-${steps}`,
    conversationId: idOf(BASE_TURNS),
    turn,
    question: `A run of ${steps} steps`,
    model: 'bench/model',
    startedAt: AT,
    endedAt: AT + steps * STEP_MS,
    state: 'answered',
    outcome: 'answered',
    steps,
    toolCalls: steps,
    usage: null,
    costMicroUsd: null,
    error: null,
  };
}

/** The run, and a step with a model call and a tool call for each of its steps. */
function spansOf(run: RunSummary): Span[] {
  const make = (id: string, change: Partial<Span>): Span => ({
    id: `${run.id}-${id}`,
    runId: run.id,
    parentId: `${run.id}-root`,
    kind: 'step',
    name: id,
    step: null,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    status: 'ok',
    firstTokenAt: null,
    usage: null,
    costMicroUsd: null,
    note: '',
    error: null,
    toolCallId: null,
    detailBytes: 0,
    ...change,
  });
  const usage = { inputTokens: 900, cacheReadTokens: 600, cacheWriteTokens: 0, outputTokens: 40, reasoningTokens: 8 };
  const steps = Array.from({ length: run.steps }, (_, index) => {
    const step = index + 1;
    const startedAt = run.startedAt + index * STEP_MS;
    const parentId = `${run.id}-step ${step}`;
    return [
      make(`step ${step}`, { step, startedAt, endedAt: startedAt + STEP_MS }),
      make(`model ${step}`, {
        parentId,
        kind: 'model-call',
        step,
        startedAt,
        firstTokenAt: startedAt + 200,
        endedAt: startedAt + 700,
        usage,
      }),
      make(`tool ${step}`, {
        parentId,
        kind: 'tool-call',
        step,
        startedAt: startedAt + 700,
        endedAt: startedAt + 990,
        note: '{"ok":true}',
      }),
    ];
  });
  return [make('root', { kind: 'run', parentId: null, name: `turn ${run.turn}` }), ...steps.flat()];
}
