/** Does I/O: `show`, `conversations`, `export` and `why`. They read only and work beside a running console. */
import { z } from 'zod';
import type { ContextPlan } from '../../../shared/compaction.ts';
import type { StoredMessage, TurnRecord } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { MAX_PAGE } from '../../../shared/api/schema.ts';
import { COMMON_FLAGS, DONE, readConversationId } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { cleanLine, escapeJson, toJson } from './text-cleaning.ts';
import { contextJson, contextText, transcriptJson, transcriptText } from './transcript-text.ts';
import type { Transcript } from './transcript-text.ts';

/** All turns, page by page, oldest first. */
async function readTranscript(context: CommandContext, conversationId: string): Promise<Transcript> {
  let view = await context.api.call('openConversation', { conversationId, turns: MAX_PAGE });
  const { conversation } = view;
  let turns: TurnRecord[] = view.turns;
  let messages: StoredMessage[] = view.messages;
  while (!view.complete) {
    const oldest = Math.min(...view.turns.map((turn) => turn.turn));
    if (!(oldest > 1)) break;
    view = await context.api.call('openConversation', { conversationId, turns: MAX_PAGE, beforeTurn: oldest });
    turns = [...view.turns, ...turns];
    messages = [...view.messages, ...messages];
  }
  return { conversation, turns, messages };
}

async function nextPlan(context: CommandContext, conversationId: string, next: string | undefined): Promise<ContextPlan> {
  const strategy = context.config.settingOverrides['memory.strategy'];
  const forecast = await context.api.call('previewContext', {
    conversationId,
    ...(next === undefined ? {} : { next }),
    ...(strategy === undefined ? {} : { strategy }),
  });
  return forecast.plan;
}

async function runShow(context: CommandContext): Promise<number> {
  const { flags, words } = context.config;
  const conversationId = readConversationId(words[0]);
  const next = flags.value('next');
  if (next !== undefined && !flags.has('context')) throw new ConsoleError('invalid-input', '--next goes with --context');
  if (flags.has('context')) {
    const plan = await nextPlan(context, conversationId, next);
    if (flags.has('json')) context.output.raw(toJson(contextJson(conversationId, plan)));
    else context.output.result(contextText(conversationId, plan));
    return DONE;
  }
  const transcript = await readTranscript(context, conversationId);
  if (flags.has('json')) context.output.raw(toJson(transcriptJson(transcript)));
  else context.output.result(transcriptText(transcript));
  return DONE;
}

async function runConversations(context: CommandContext): Promise<number> {
  const rows: { id: string; updated: string; customer: string | null; title: string }[] = [];
  let cursor: string | undefined;
  do {
    const page = await context.api.call('listConversations', { limit: MAX_PAGE, ...(cursor === undefined ? {} : { cursor }) });
    for (const item of page.items) {
      rows.push({ id: item.id, updated: new Date(item.updatedAt).toISOString(), customer: item.customerId, title: item.title });
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && !context.output.closed);
  if (context.config.flags.has('json')) context.output.raw(toJson(rows));
  else for (const row of rows) context.output.raw([row.id, row.updated, row.customer ?? '', row.title].map(cleanLine).join('\t'));
  return DONE;
}

const formatSchema = z.enum(['openai', 'markdown', 'json'], { error: '--format is openai, markdown or json' });

async function runExport(context: CommandContext): Promise<number> {
  const conversationId = readConversationId(context.config.words[0]);
  const format = formatSchema.safeParse(context.config.flags.value('format') ?? 'openai');
  if (!format.success) throw new ConsoleError('invalid-input', '--format is openai, markdown or json');
  const { text } = await context.api.call('exportConversation', { conversationId, format: format.data });
  if (format.data === 'markdown') context.output.result(text);
  else context.output.raw(escapeJson(text));
  return DONE;
}

async function runWhy(context: CommandContext): Promise<number> {
  const { flags, words } = context.config;
  const conversationId = readConversationId(words[0]);
  const text = words[1] ?? '';
  if (text.trim() === '') throw new ConsoleError('invalid-input', 'say which text to look for: why ID "text"');
  const number = flags.value('turn');
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number))
    throw new ConsoleError('invalid-input', '--turn is the number of a turn, from 1');
  const turn = number === undefined ? {} : { turn: Number(number) };
  const { findings } = await context.api.call('explainAbsence', { conversationId, text, ...turn });
  if (flags.has('json')) {
    context.output.raw(toJson(findings.map(({ sent: _sent, ...finding }) => finding)));
    return DONE;
  }
  for (const finding of findings) {
    const place = finding.turn === null ? finding.where : `${finding.where}, turn ${finding.turn}`;
    const setting = finding.setting === null ? '' : ` (${finding.setting})`;
    context.output.result(cleanLine(`${place}: ${finding.disposition}: ${finding.reason}${setting}`));
  }
  return DONE;
}

export const show: Command = {
  usage: 'show ID [--json] | show ID --context [--next="text"] [--json]',
  form: { flags: [...COMMON_FLAGS, 'json', 'context', 'next'] },
  words: 1,
  readOnly: true,
  run: runShow,
};

export const conversations: Command = {
  usage: 'conversations [--json]',
  form: { flags: [...COMMON_FLAGS, 'json'] },
  words: 0,
  readOnly: true,
  run: runConversations,
};

export const exportCommand: Command = {
  usage: 'export ID [--format=openai|markdown|json]',
  form: { flags: [...COMMON_FLAGS, 'format'] },
  words: 1,
  readOnly: true,
  run: runExport,
};

export const why: Command = {
  usage: 'why ID "text" [--turn=N] [--json]',
  form: { flags: [...COMMON_FLAGS, 'turn', 'json'] },
  words: 2,
  readOnly: true,
  run: runWhy,
};
