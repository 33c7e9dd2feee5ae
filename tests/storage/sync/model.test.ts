import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkHistory } from '../../../electron/models/history-rules.ts';
import type { SyncedStore } from '../../../electron/storage/sync/synced-store.ts';
import type { NewMessage, StoredMessage } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { startSyncSetup } from './sync-setup.ts';
import type { SyncSetup, TestDatabase } from './sync-setup.ts';

/** More by NIMBUS_MODEL_RUNS; one seed again by NIMBUS_MODEL_SEED. */
const RUNS = Number(process.env['NIMBUS_MODEL_RUNS'] ?? 300);
const FIRST_SEED = Number(process.env['NIMBUS_MODEL_SEED'] ?? 1);
const STEPS = 8;
/** In the other runs no cache has the conversation yet when the faults begin. */
const RUNS_PER_WARM_ONE = 3;
const CONSOLES = 3;
const HOUR_MS = 3_600_000;

vi.setConfig({ testTimeout: 3_600_000 });

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const clock = createVirtualClock();
let random = randomFrom(0);
let isFaulty = false;
/** Updates of tickets that were refused after all, over all runs so far. */
let refusedBefore = 0;
let setup: SyncSetup;
let database: TestDatabase;
const consoles: SyncedStore[] = [];

const lost = (): never => {
  throw new ConsoleError('storage', 'The connection was lost.', { retryable: true });
};

beforeAll(async () => {
  setup = await startSyncSetup();
  database = await setup.database();
  let id = 0;
  for (let index = 0; index < CONSOLES; index += 1) {
    const store = await setup.open(database.directUrl, {
      consoleName: `Desk ${index + 1}`,
      clock,
      newId: () => `op-${String((id += 1)).padStart(10, '0')}`,
      isManual: true,
      timings: { leaseMs: 600_000, compareMs: 10 * HOUR_MS },
      faults: {
        // A transaction that never commits, and one whose answer is lost.
        reach: (point) => {
          if (isFaulty && (point === 'before-commit' || point === 'committed') && random() < 0.12) lost();
        },
      },
    });
    consoles.push(store);
  }
}, 120_000);

afterAll(async () => {
  await setup?.stop();
});

interface Run {
  console: number;
  turn: number;
  runId: string;
}

class World {
  readonly id: string;
  readonly said = new Set<string>();
  readonly answered = new Set<string>();
  readonly log: string[] = [];
  readonly intents = new Map<string, number>();
  runs: Run[] = [];
  ticketUpdates = 0;
  private count = 0;
  private readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
    this.id = seed.toString(16).padStart(32, '0');
  }

  message(role: 'user' | 'assistant'): NewMessage {
    this.count += 1;
    const id = `m-${this.seed}-${this.count}`;
    const base = { id, content: `${role} ${this.count}`, trust: 'untrusted', at: clock.now() } as const;
    return role === 'user' ? { ...base, role, origin: 'customer' } : { ...base, role, origin: 'model' };
  }

  runId(): string {
    this.count += 1;
    return `run-${this.seed}-${this.count}`;
  }
}

function consoleAt(index: number): SyncedStore {
  const store = consoles[index];
  if (store === undefined) throw new Error(`no console ${index}`);
  return store;
}

/** One random step of one console. A refusal is an answer too; only what was accepted counts. */
async function step(world: World, ticketId: number): Promise<void> {
  const index = Math.floor(random() * CONSOLES);
  const store = consoleAt(index);
  const { conversations } = store;
  const choice = random();
  const own = world.runs.find((run) => run.console === index);
  const done = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      world.log.push(`${index} ${name}`);
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error;
      world.log.push(`${index} ${name}: ${error.code}`);
    }
    await store.settled();
  };
  if (choice < 0.3) {
    await done('accept', async () => {
      const message = world.message('user');
      const runId = world.runId();
      const accepted = await conversations.accept({ conversationId: world.id, message, runId, promptVersion: 'p' });
      world.said.add(message.id);
      if (accepted.kind === 'started') world.runs.push({ console: index, turn: accepted.record.turn, runId });
    });
  } else if (choice < 0.62 && own !== undefined) {
    const isLast = random() < 0.6;
    await done(isLast ? 'end' : 'append', async () => {
      const message = world.message('assistant');
      if (isLast) world.runs = world.runs.filter((run) => run !== own);
      if (isLast) {
        const end = { state: 'answered', outcome: 'answered', error: null, at: clock.now(), messages: [message] } as const;
        await conversations.endTurn(world.id, own.turn, own.runId, { ...end, messages: [message] });
      } else await conversations.append(world.id, own.turn, own.runId, [message]);
      world.answered.add(message.id);
    });
  } else if (choice < 0.7 && own === undefined) {
    await done('startQueued', async () => {
      const runId = world.runId();
      const started = await conversations.startQueued(world.id, { runId, promptVersion: 'p' });
      if (started !== null) world.runs.push({ console: index, turn: started.record.turn, runId });
    });
  } else if (choice < 0.76) {
    await done('title', () => conversations.update(world.id, { title: `title ${world.log.length}` }, clock.now()).then(() => undefined));
  } else if (choice < 0.84) {
    await done('ticket', async () => {
      const seen = await store.tickets.get(ticketId);
      if (seen === null) return;
      try {
        await store.tickets.update(ticketId, seen.version, { summary: `summary ${world.log.length} of ${index}` }, clock.now());
      } catch (error) {
        // Saved and not to be seen yet: it is on its way all the same.
        if (!(error instanceof ConsoleError) || error.code !== 'storage') throw error;
      }
      world.ticketUpdates += 1;
    });
  } else if (choice < 0.9) {
    await done('action', async () => {
      const intent = `${world.id} refund ${Math.floor(random() * 2)}`;
      const action = { conversationId: world.id, turn: 1, toolName: 'refund', argumentsText: '{}', at: clock.now() };
      const begun = await store.actions?.begin({ ...action, intent, toolCallId: `call ${world.log.length}` });
      if (begun?.kind === 'new') world.intents.set(intent, (world.intents.get(intent) ?? 0) + 1);
    });
  } else {
    await done('tick', async () => {
      await clock.advance(HOUR_MS);
      await store.tick();
    });
  }
}

/** All faults are over: everything goes through. */
async function heal(): Promise<void> {
  isFaulty = false;
  for (let round = 0; round < 6; round += 1) {
    await clock.advance(HOUR_MS);
    for (const store of consoles) {
      await store.tick();
      await store.settled();
    }
    if (consoles.every((store) => store.sync?.status().waiting === 0 && store.sync.status().state === 'online')) return;
  }
  throw new Error(`not everything was synced: ${JSON.stringify(consoles.map((store) => store.sync?.status()))}`);
}

async function rows(sql: string): Promise<string[]> {
  return (await database.sql(sql)).split('\n').filter((line) => line !== '');
}

async function check(world: World, ticketId: number): Promise<void> {
  const { id } = world;
  const main = await rows(`SELECT uid FROM messages WHERE conversation_id = '${id}' ORDER BY seq`);
  const queued = await rows(`SELECT uid FROM queued_messages WHERE conversation_id = '${id}'`);
  const drafts = (await rows(`SELECT messages_json FROM offline_branches WHERE conversation_id = '${id}'`)).join(' ');
  const places = new Set([...main, ...queued]);
  expect(
    [...world.said].filter((each) => !places.has(each)),
    '[SYN-1] messages of customers',
  ).toEqual([]);
  expect(
    [...world.answered].filter((each) => !places.has(each) && !drafts.includes(`"${each}"`)),
    '[SYN-1] answers',
  ).toEqual([]);
  expect(main.length + queued.length, '[SYN-2] each once').toBe(places.size);
  const views: StoredMessage[][] = [];
  for (const store of consoles) {
    const turns = await store.conversations.readTurns(id, { limit: 999 });
    views.push(turns.toReversed().flatMap((turn) => turn.messages));
  }
  for (const view of views)
    expect(
      view.map((message) => message.id),
      '[SYN-3] one order',
    ).toEqual(main);
  const ended = (await consoleAt(0).conversations.readTurns(id, { limit: 999 })).toReversed().filter((turn) => turn.endedAt !== null);
  expect(checkHistory(ended.flatMap((turn) => turn.messages)), '[SYN-5] history both providers take').toEqual([]);
  for (const [intent, times] of world.intents) expect([intent, times], '[SYN-4] at most once').toEqual([intent, 1]);
  const [version] = await rows(`SELECT version FROM tickets WHERE id = ${ticketId}`);
  const refused = await refusedTickets();
  expect(Number(version) - 1, '[SYN-6] no silent overwrite').toBe(world.ticketUpdates - (refused - refusedBefore));
  refusedBefore = refused;
}

async function refusedTickets(): Promise<number> {
  let count = 0;
  for (const store of consoles) count += ((await store.sync?.listParked()) ?? []).filter((op) => op.what.startsWith('ticket')).length;
  return count;
}

test(`[SYN-1…6] model: ${RUNS} seeded runs of three consoles with faults keep every promise`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
    random = randomFrom(seed);
    const world = new World(seed);
    try {
      const first = consoleAt(0);
      await first.conversations.create({
        id: world.id,
        tenant: 't',
        actor: null,
        subject: null,
        customerId: null,
        title: '',
        strategy: null,
        at: clock.now(),
      });
      const ticket = await first.tickets.create({
        customerId: null,
        conversationId: world.id,
        orderId: null,
        category: 'c',
        summary: 's',
        status: 'open',
        at: clock.now(),
      });
      for (const store of seed % RUNS_PER_WARM_ONE === 0 ? consoles : []) {
        await store.tick();
        await store.settled();
      }
      isFaulty = true;
      for (let count = 0; count < STEPS; count += 1) await step(world, ticket.id);
      await heal();
      await check(world, ticket.id);
    } catch (error) {
      throw new Error(`seed ${seed} (NIMBUS_MODEL_SEED=${seed} NIMBUS_MODEL_RUNS=1): ${String(error)}\n${world.log.join('\n')}`, {
        cause: error,
      });
    }
  }
});
