/** The form of a terminal command and what every command is given. */
import type { ConsoleApi } from '../../../shared/console-api.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { conversationIdSchema } from '../../../shared/ids.ts';
import type { CommandForm, Config, Console, FlagName } from '../../compose.ts';
import type { Interrupts } from './interrupts.ts';
import type { Output } from './output.ts';

/** Exit codes of the terminal. */
export const DONE = 0;
export const RUN_FAILED = 1;
export const BAD_INPUT = 2;
export const FOLDER_IN_USE = 3;

export interface CommandContext {
  console: Console;
  api: ConsoleApi;
  config: Config;
  output: Output;
  interrupts: Interrupts;
}

export interface Command {
  usage: string;
  form: CommandForm;
  /** How many words follow the command. */
  words: number;
  /** Any number of further words may follow. */
  moreWords?: boolean;
  /** Works beside a running console, always or with these words. */
  readOnly: boolean | ((words: readonly string[]) => boolean);
  /** Returns the exit code. */
  run(context: CommandContext): Promise<number>;
}

export const COMMON_FLAGS: readonly FlagName[] = ['data-dir', 'strategy', 'set', 'help'];
export const AXIS_FLAGS: readonly FlagName[] = ['customer', 'tenant', 'actor', 'subject'];

/** The conversation id a command was given, checked for its form. */
export function readConversationId(text: string | undefined): string {
  const parsed = conversationIdSchema.safeParse(text);
  if (!parsed.success) throw new ConsoleError('invalid-input', parsed.error.issues[0]?.message ?? 'a conversation id is missing');
  return parsed.data;
}

/** Parameters of createConversation and importConversations from the flags; what is not given is left to the engine's defaults. */
export function axesOf(context: CommandContext): {
  customerId?: string;
  tenant?: string;
  actor?: { type: string; id: string } | null;
  subject?: { type: string; id: string };
} {
  const { customerId, tenant, actor, subject } = context.config.axes;
  return {
    ...(customerId === undefined ? {} : { customerId }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(actor === undefined ? {} : { actor }),
    ...(subject === undefined ? {} : { subject }),
  };
}
