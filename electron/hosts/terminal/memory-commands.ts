/** Does I/O: `pin`, `forget` and `compact` steer the memory of a conversation; `memories` and `usage` read across conversations. */
import { ConsoleError } from '../../../shared/errors.ts';
import { COMMON_FLAGS, DONE, readConversationId } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { cleanLine, toJson } from './text-cleaning.ts';

/** Most memories that are printed. */
const MOST_MEMORIES = 500;
const MICRO_PER_USD = 1_000_000;

function readTurn(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) throw new ConsoleError('invalid-input', 'say which turn: its number, from 1');
  return Number(text);
}

async function runPin(context: CommandContext): Promise<number> {
  const { flags, words } = context.config;
  const [conversationId, turn] = [readConversationId(words[0]), readTurn(words[1])];
  await context.api.call('pinTurn', { conversationId, turn, pinned: !flags.has('off') });
  context.output.result(flags.has('off') ? `turn ${turn} is no longer pinned` : `turn ${turn} is pinned: it is sent in full while it fits`);
  return DONE;
}

async function runForget(context: CommandContext): Promise<number> {
  const { words } = context.config;
  const [conversationId, turn] = [readConversationId(words[0]), readTurn(words[1])];
  await context.api.call('forgetTurn', { conversationId, turn });
  context.output.result(`turn ${turn} is forgotten: its text is gone from history, search, traces, requests, summaries and memories`);
  return DONE;
}

async function runCompact(context: CommandContext): Promise<number> {
  const { flags, words } = context.config;
  const conversationId = readConversationId(words[0]);
  const report = await context.api.call('compactNow', { conversationId, focus: flags.value('focus') ?? '' });
  if (flags.has('json')) context.output.raw(toJson(report));
  else if (report.compacted)
    context.output.result(`turns up to ${report.throughTurn} are shortened: ~${report.tokensBefore} tokens became ~${report.tokensAfter}`);
  else context.output.result(cleanLine(`nothing changed: ${report.reason}`));
  return DONE;
}

async function runMemories(context: CommandContext): Promise<number> {
  const { flags } = context.config;
  const { tenant, customerId } = context.config.axes;
  const { memories } = await context.api.call('listMemories', {
    limit: MOST_MEMORIES,
    ...(tenant !== undefined && { tenant }),
    ...(customerId !== undefined && { customerId }),
  });
  if (flags.has('json')) context.output.raw(toJson(memories));
  else
    for (const memory of memories)
      context.output.raw([memory.id, memory.customerId ?? `all of ${memory.tenant}`, memory.text].map(cleanLine).join('\t'));
  return DONE;
}

async function runUsage(context: CommandContext): Promise<number> {
  const { tenant } = context.config.axes;
  const { tenants } = await context.api.call('getTenantUsage', tenant === undefined ? {} : { tenant });
  if (context.config.flags.has('json')) context.output.raw(toJson(tenants));
  else
    for (const { tenant: name, totals } of tenants) {
      const cost = (totals.costMicroUsd / MICRO_PER_USD).toFixed(6);
      const open = totals.unpricedCalls === 0 ? '' : `, ${totals.unpricedCalls} without a price`;
      context.output.result(
        cleanLine(`${name}: ${totals.calls} calls, ${totals.inputTokens} tokens in, ${totals.outputTokens} out, $${cost}${open}`),
      );
    }
  return DONE;
}

export const pin: Command = {
  usage: 'pin ID TURN [--off]',
  form: { flags: [...COMMON_FLAGS, 'off'] },
  words: 2,
  readOnly: false,
  run: runPin,
};

export const forget: Command = { usage: 'forget ID TURN', form: { flags: COMMON_FLAGS }, words: 2, readOnly: false, run: runForget };

export const compact: Command = {
  usage: 'compact ID [--focus="text"] [--json]',
  form: { flags: [...COMMON_FLAGS, 'focus', 'json'] },
  words: 1,
  readOnly: false,
  run: runCompact,
};

export const memories: Command = {
  usage: 'memories [--customer=ID] [--tenant=NAME] [--json]',
  form: { flags: [...COMMON_FLAGS, 'customer', 'tenant', 'json'] },
  words: 0,
  readOnly: true,
  run: runMemories,
};

export const usage: Command = {
  usage: 'usage [--tenant=NAME] [--json]',
  form: { flags: [...COMMON_FLAGS, 'tenant', 'json'] },
  words: 0,
  readOnly: true,
  run: runUsage,
};
