/** Does I/O: records the tapes that ship with the demo, from the demo model and the demo shop. Run with `node tests/models/record-shipped-tapes.ts`. */
import { writeFile } from 'node:fs/promises';
import { SYSTEM_PROMPT } from '../../electron/engine/system-prompt.ts';
import { DEMO_CUSTOMER_ID, shopData } from '../../electron/engine/shop/shop-data.ts';
import { createToolRegistry } from '../../electron/engine/tools/registry.ts';
import { createDemoModel } from '../../electron/models/demo/demo-model.ts';
import { formatTape } from '../../electron/models/tape.ts';
import { recordTape } from '../../electron/models/tape-recorder.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { collect, storedStep, testClock, user } from './support.ts';

const DAY = Date.UTC(2026, 10, 30, 12);
const TAPES = [
  {
    name: 'refund-refused',
    about: 'A refund that came too late becomes a ticket',
    questions: ['I want a refund for order 1043', 'What about my other order?', 'Yes please'],
  },
  {
    name: 'delivery-question',
    about: 'Where a parcel is, and when it should be there',
    questions: ['Where is my order 1042?', 'How long does shipping take?'],
  },
];
const MOST_STEPS = 8;

for (const tape of TAPES) {
  const store = createInMemoryStore();
  await store.shop.seed(shopData(DAY));
  const clock = { ...testClock(), now: () => DAY };
  let number = 0;
  const ids = { uuid: () => `0000-${(number += 1)}`, conversationId: () => '0'.repeat(32) };
  const tools = createToolRegistry({ store, clock, ids });
  const recorder = recordTape(createDemoModel({ delayMs: 0, clock }));
  const conversationId = '0'.repeat(32);
  const messages: ContextMessage[] = [];
  const signal = new AbortController().signal;
  for (const [index, question] of tape.questions.entries()) {
    messages.push(user(question));
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const { end } = await collect(recorder.model, { system: SYSTEM_PROMPT.text, tools: tools.specs(), messages, conversationId });
      const results: Record<string, string> = {};
      for (const call of end.calls) {
        const run = await tools.run(
          { id: call.id, name: call.name, arguments: call.arguments ?? {} },
          { conversationId, customerId: DEMO_CUSTOMER_ID, turn: index + 1, signal },
        );
        results[call.name] = JSON.stringify(run.result);
      }
      messages.push(...storedStep(end, results));
      if (end.calls.length === 0) break;
    }
  }
  const recorded = recorder.tape(conversationId, tape.about);
  if (recorded === null) throw new Error(`nothing was recorded for ${tape.name}`);
  await writeFile(new URL(`../../electron/models/tapes/${tape.name}.json`, import.meta.url), formatTape(recorded));
  process.stdout.write(`${tape.name}: ${recorded.turns.map((turn) => turn.steps.length).join('+')} steps\n`);
}
