/** Does I/O: `set` prints and changes what holds for one conversation: who it belongs to, its strategy, its privacy and its own settings. */
import type { Conversation, StrategyName } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { Reference } from '../../../shared/ids.ts';
import { parseSetting } from '../../../shared/settings.ts';
import { COMMON_FLAGS, DONE, readConversationId } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { cleanLine, toJson } from './text-cleaning.ts';

/** What a value is taken back with. */
const DEFAULT = 'default';
const NONE = 'none';

interface Axes {
  tenant?: string;
  actor?: Reference | null;
  subject?: Reference | null;
  redact?: boolean;
  strategy?: StrategyName | null;
}

interface Changes {
  axes: Axes;
  settings: Record<string, unknown>;
}

/** `KEY=VALUE` words as changes. Throws `invalid-input` that names every wrong one, so that nothing is changed by half. */
export function readChanges(words: readonly string[]): Changes {
  const changes: Changes = { axes: {}, settings: {} };
  const reasons: string[] = [];
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) {
      reasons.push(`"${word}" is no KEY=VALUE, e.g. tenant=acme or memory.historyTokens=2000`);
      continue;
    }
    try {
      readChange(changes, word.slice(0, equals), word.slice(equals + 1).trim());
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error;
      reasons.push(error.message);
    }
  }
  if (reasons.length > 0) throw new ConsoleError('invalid-input', reasons.join('\n'));
  return changes;
}

function readChange({ axes, settings }: Changes, key: string, value: string): void {
  switch (key) {
    case 'tenant':
      if (value === '') throw new ConsoleError('invalid-input', 'tenant: say who pays, e.g. tenant=acme');
      axes.tenant = value;
      return;
    case 'actor':
      axes.actor = reference(key, value);
      return;
    case 'subject':
      axes.subject = reference(key, value);
      return;
    case 'redact':
      if (value !== 'true' && value !== 'false') throw new ConsoleError('invalid-input', 'redact is true or false');
      axes.redact = value === 'true';
      return;
    case 'strategy':
      axes.strategy = value === DEFAULT ? null : strategyNamed(value);
      return;
    default:
      settings[key] = settingValue(key, value);
  }
}

function reference(key: 'actor' | 'subject', value: string): Reference | null {
  if (value === NONE) return null;
  const colon = value.indexOf(':');
  const [type, id] = [value.slice(0, colon), value.slice(colon + 1)];
  if (colon < 1 || id === '') throw new ConsoleError('invalid-input', `${key} is TYPE:ID, e.g. ${key}=customer:C-1001, or ${key}=${NONE}`);
  return { type, id };
}

function strategyNamed(value: string): StrategyName {
  const parsed = parseSetting('memory.strategy', value, 'strategy');
  if (!parsed.ok) throw new ConsoleError('invalid-input', parsed.reason);
  return parsed.value as StrategyName;
}

/** null takes the conversation's own value back. */
function settingValue(key: string, value: string): unknown {
  if (value === DEFAULT) return null;
  const parsed = parseSetting(key, value);
  if (!parsed.ok) throw new ConsoleError('invalid-input', parsed.reason);
  return parsed.value;
}

async function runSet(context: CommandContext): Promise<number> {
  const { api, config, output } = context;
  const conversationId = readConversationId(config.words[0]);
  const { axes, settings } = readChanges(config.words.slice(1));
  if (Object.keys(settings).length > 0) await api.call('changeConversationSettings', { conversationId, values: settings });
  if (Object.keys(axes).length > 0) await api.call('updateConversation', { conversationId, ...axes });
  const { conversation } = await api.call('openConversation', { conversationId, turns: 1 });
  const held = valuesOf(conversation);
  if (config.flags.has('json')) output.raw(toJson(held));
  else for (const [key, value] of Object.entries(held)) output.result(cleanLine(`${key}=${textOf(value)}`));
  return DONE;
}

/** What holds for the conversation, in the words of `set`; own settings alone, the others are the console's. */
function valuesOf(conversation: Conversation): Record<string, unknown> {
  const { tenant, actor, subject, strategy, redact = true, settings = {} } = conversation;
  return { tenant, actor: named(actor), subject: named(subject), strategy: strategy ?? DEFAULT, redact, ...settings };
}

function named(value: Reference | null): string {
  return value === null ? NONE : `${value.type}:${value.id}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const set: Command = {
  usage: 'set ID [KEY=VALUE …] [--json]',
  form: { flags: [...COMMON_FLAGS, 'json'] },
  words: 1,
  moreWords: true,
  readOnly: (words) => words.length === 1,
  run: runSet,
};
