/** A console with an offline cache that ends itself with SIGKILL at the place it was told. Its one parameter is JSON; see ChildPlan. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createConsoleService } from '../../../../electron/engine/console-service.ts';
import { scriptEstimator } from '../../../../electron/engine/memory/estimate.ts';
import { createToolRegistry } from '../../../../electron/engine/tools/registry.ts';
import type { ToolRegistry } from '../../../../electron/engine/tools/registry.ts';
import { openSyncedStore } from '../../../../electron/storage/sync/synced-store.ts';
import { answer, call, calls, createScriptedModel, delta, end, forever } from '../../../fakes/scripted-model.ts';
import type { ScriptEntry } from '../../../fakes/scripted-model.ts';
import type { ChildPlan } from '../child-plan.ts';
import { quietLogger, realClock } from '../sync-setup.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as ChildPlan;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is handled by the system before the next statement.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

const dieIf = (place: string): void => {
  if (plan.dieAt === place) die();
};

const TICKET = { category: 'refund', summary: 'wants a refund', order_id: 1043 };
const SCRIPTS: Record<ChildPlan['story'], ScriptEntry[]> = {
  answer: [answer('Hello there.')],
  'long-answer': [
    [delta('Let me '), delta('look.'), () => new Promise((resolve) => setTimeout(resolve, 1_500)), () => die(), end('answered')],
  ],
  ticket: [calls(call('create_support_ticket', TICKET, 'call-1')), answer('Done.')],
  'two-calls': [calls(call('get_order', { order_id: 1043 }, 'call-1'), call('list_orders', {}, 'call-2')), answer('Done.')],
  thinking: [[() => forever()]],
};

const store = await openSyncedStore({
  folder: plan.folder,
  url: plan.url,
  consoleName: 'Child desk',
  clock: realClock,
  newId: randomUUID,
  logger: quietLogger,
  timings: { pollMs: 200, reconnectMs: 200, answerMs: 2_000, leaseMs: plan.leaseMs },
  faults: { reach: (point, kind) => dieIf(`${point} ${kind}`) },
});

const ids = { uuid: randomUUID, conversationId: () => randomBytes(16).toString('hex') };
const shopTools = createToolRegistry({ store, clock: realClock, ids });
const tools: ToolRegistry = {
  specs: () => shopTools.specs(),
  run: async (toolCall, scope) => {
    dieIf(`before tool ${toolCall.name}`);
    // The second of two parallel calls takes for ever.
    if (plan.story === 'two-calls' && toolCall.id === 'call-2') return forever();
    const result = await shopTools.run(toolCall, scope);
    dieIf(`after tool ${toolCall.name}`);
    return result;
  },
};
const ledger = store.actions;
const service = createConsoleService({
  store: {
    ...store,
    ...(ledger && {
      actions: {
        ...ledger,
        find: (id: string, callId: string) => ledger.find(id, callId),
        finish: (key: string, state: 'done' | 'failed', result: string, at: number) => ledger.finish(key, state, result, at),
        begin: (action: Parameters<typeof ledger.begin>[0]) => {
          dieIf('before ledger');
          return ledger.begin(action);
        },
      },
    }),
  },
  clock: realClock,
  models: { answering: () => createScriptedModel(...SCRIPTS[plan.story]) },
  ids,
  estimator: scriptEstimator,
  logger: quietLogger,
  tools,
  appInfo: { version: '0.0.0', storage: store.kind, dataFolder: 'x', host: 'terminal', platform: 'test' },
  settingOverrides: {},
});
service.subscribe((event) => {
  if (event.type === 'message-add' && event.message.role === 'tool') dieIf('after first result');
  if (event.type === 'turn-end') process.stdout.write('ended\n');
});
await service.start();
const { conversation } = await service.call('createConversation', { customerId: 'C-1001' });
process.stdout.write(`conversation ${conversation.id}\n`);
await service.call('saveDraft', { conversationId: conversation.id, text: plan.text });
await store.settled();
await service.call('sendMessage', { conversationId: conversation.id, messageId: 'message-0001', text: plan.text });
process.stdout.write('sent\n');
setInterval(() => undefined, 1_000);
