/** Does I/O: `chat` and `ask`. */
import { createInterface } from 'node:readline';
import { toErrorInfo } from '../../../shared/errors.ts';
import { AXIS_FLAGS, axesOf, BAD_INPUT, COMMON_FLAGS, DONE, readConversationId, RUN_FAILED } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { runMessage } from './message-run.ts';
import type { RunEnd } from './message-run.ts';
import { createStepLines } from './step-lines.ts';

const PROMPT = 'You: ';

/** An existing conversation, checked, or a new one. */
async function openOrCreate(context: CommandContext, existing: string | undefined): Promise<string> {
  if (existing === undefined) return (await context.api.call('createConversation', axesOf(context))).conversation.id;
  const conversationId = readConversationId(existing);
  const view = await context.api.call('openConversation', { conversationId, turns: 1 });
  const newest = view.turns.at(-1);
  if (newest?.state === 'interrupted') {
    const isImported = view.messages.every(({ origin }) => origin === 'import');
    const what = isImported ? 'has no answer in the file it was imported from' : 'was interrupted before its answer';
    context.output.note(`turn ${newest.turn} ${what}; ask again to go on`);
  }
  return conversationId;
}

/** One line that says who answers: nobody may take the demo model for an AI. */
async function tellModel(context: CommandContext): Promise<void> {
  context.output.note(`model: ${(await context.api.call('getAppInfo', {})).modelLabel}`);
}

/** Sends one message with step lines on stderr; Ctrl-C stops the run. */
async function answer(context: CommandContext, conversationId: string, text: string): Promise<RunEnd> {
  const lines = createStepLines();
  // Told at the end, and not at all when the one line about what was not saved says it.
  const failures: string[] = [];
  const stop = (): void => {
    context.output.note('stopping; press Ctrl-C again to quit');
    void context.api.call('stopRun', { conversationId }).catch((error: unknown) => context.output.note(toErrorInfo(error).message));
  };
  const end = await context.interrupts.during(stop, () =>
    runMessage(context.api, conversationId, text, (event) => {
      if (event.type === 'notice' && event.level === 'error') failures.push(...lines(event));
      else for (const line of lines(event)) context.output.note(line);
    }),
  );
  if (end.unsaved !== null) context.output.note(`not saved: ${end.unsaved}`);
  else for (const line of new Set(failures)) context.output.note(line);
  return end;
}

async function runAsk(context: CommandContext): Promise<number> {
  const question = context.config.words[0] ?? '';
  const conversationId = await openOrCreate(context, context.config.flags.value('conversation'));
  await tellModel(context);
  let end: RunEnd;
  try {
    end = await answer(context, conversationId, question);
  } catch (error) {
    await dropEmpty(context, conversationId);
    throw error;
  }
  if (end.answer !== '' || end.unsaved === null) context.output.result(end.answer);
  context.output.result(`conversation: ${conversationId}`);
  return exitCodeOf(end);
}

/** A conversation in which nothing was said leaves nothing behind. */
async function dropEmpty(context: CommandContext, conversationId: string): Promise<boolean> {
  const view = await context.api.call('openConversation', { conversationId, turns: 1 });
  if (view.conversation.messageCount > 0 || view.queued.length > 0) return false;
  await context.api.call('deleteConversation', { conversationId });
  return true;
}

function exitCodeOf(end: RunEnd): number {
  return end.state === 'failed' || end.state === 'stopped' || end.state === 'interrupted' ? RUN_FAILED : DONE;
}

/** Answers one line; a line that is refused is told and the chat goes on. */
async function chatLine(context: CommandContext, conversationId: string, line: string): Promise<number> {
  try {
    const end = await answer(context, conversationId, line);
    if (end.answer !== '' || end.unsaved === null) context.output.result(`Nimbus: ${end.answer}`);
    // A person who stops an answer and goes on talking has not failed.
    return end.state === 'stopped' ? DONE : exitCodeOf(end);
  } catch (error) {
    const info = toErrorInfo(error);
    context.output.note(`not sent: ${info.message}`);
    return info.code === 'invalid-input' ? BAD_INPUT : RUN_FAILED;
  }
}

async function runChat(context: CommandContext): Promise<number> {
  const { output, interrupts } = context;
  const conversationId = await openOrCreate(context, context.config.flags.value('resume'));
  output.result(`conversation: ${conversationId}`);
  const isTerminal = process.stdin.isTTY === true;
  await tellModel(context);
  if (isTerminal) output.note('"exit" ends the chat.');
  const lines = createInterface({
    input: process.stdin,
    crlfDelay: Number.POSITIVE_INFINITY,
    terminal: isTerminal,
    prompt: PROMPT,
    ...(isTerminal ? { output: process.stderr } : {}),
  });
  lines.on('SIGINT', () => interrupts.interrupt());
  interrupts.quit.addEventListener('abort', () => lines.close(), { once: true });
  let code = DONE;
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === 'exit' || text === 'quit' || interrupts.quit.aborted) break;
    if (text !== '') code = Math.max(code, await chatLine(context, conversationId, text));
    if (interrupts.quit.aborted) break;
    if (isTerminal) lines.prompt();
  }
  lines.close();
  if (await dropEmpty(context, conversationId)) output.note('Nothing was said, so nothing was kept.');
  else output.note(`To go on with this conversation: npm run -s chat -- --resume=${conversationId}`);
  return code;
}

export const chat: Command = {
  usage: 'chat [--resume=ID]',
  form: { flags: [...COMMON_FLAGS, ...AXIS_FLAGS, 'resume'] },
  words: 0,
  readOnly: false,
  run: runChat,
};

export const ask: Command = {
  usage: 'ask "question" [--conversation=ID]',
  form: { flags: [...COMMON_FLAGS, ...AXIS_FLAGS, 'conversation'] },
  words: 1,
  readOnly: false,
  run: runAsk,
};
