/** Pure: the command line's words and flags. */
import { ConsoleError } from '../shared/errors.ts';

/** `text`: needs `=VALUE`; `switch`: takes none. */
const FLAGS = {
  'data-dir': 'text',
  strategy: 'text',
  set: 'text',
  customer: 'text',
  tenant: 'text',
  actor: 'text',
  subject: 'text',
  port: 'text',
  browser: 'switch',
  'no-open': 'switch',
  resume: 'text',
  conversation: 'text',
  json: 'switch',
  context: 'switch',
  next: 'text',
  turn: 'text',
  format: 'text',
  focus: 'text',
  off: 'switch',
  'dry-run': 'switch',
  yes: 'switch',
  help: 'switch',
} as const;

export type FlagName = keyof typeof FLAGS;
export const ALL_FLAGS = Object.keys(FLAGS) as FlagName[];

/** Which flags a command takes. */
export interface CommandForm {
  flags: readonly FlagName[];
  /** Electron's own process is also started with switches of Chromium: there unknown ones are left alone. */
  ignoreUnknown?: boolean;
}

export interface Flags {
  has(name: FlagName): boolean;
  /** The last one given wins. */
  value(name: FlagName): string | undefined;
  values(name: FlagName): readonly string[];
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function invalid(message: string): ConsoleError {
  return new ConsoleError('invalid-input', message);
}

/**
 * Splits a command line. `--name=value` and `--switch` are flags wherever they stand; after a lone `--` everything is a word, so that a question may
 * start with dashes. Throws ConsoleError `invalid-input` for unknown flags and wrong forms.
 */
export function readFlags(argv: readonly string[], form: CommandForm = { flags: ALL_FLAGS }): { flags: Flags; words: string[] } {
  const found = new Map<FlagName, string[]>();
  const words: string[] = [];
  const end = argv.indexOf('--');
  const head = end < 0 ? argv : argv.slice(0, end);
  for (const argument of head) {
    if (!argument.startsWith('-') || argument === '-') {
      words.push(argument);
      continue;
    }
    const equals = argument.indexOf('=');
    const name = argument.startsWith('--') ? argument.slice(2, equals < 0 ? undefined : equals) : '';
    if (!isFlagName(name) || !form.flags.includes(name)) {
      if (form.ignoreUnknown === true) continue;
      const known = form.flags.map((flag) => `--${flag}${FLAGS[flag] === 'text' ? '=' : ''}`).join(' ');
      throw invalid(`there is no flag "${equals < 0 ? argument : argument.slice(0, equals)}" here; the flags are ${known}`);
    }
    const value = equals < 0 ? undefined : argument.slice(equals + 1);
    if (FLAGS[name] === 'text' && (value === undefined || value === '')) throw invalid(`--${name} needs a value: --${name}=VALUE`);
    if (FLAGS[name] === 'switch' && value !== undefined) throw invalid(`--${name} takes no value`);
    found.set(name, [...(found.get(name) ?? []), value ?? '']);
  }
  if (end >= 0) words.push(...argv.slice(end + 1));
  return {
    flags: {
      has: (name) => found.has(name),
      value: (name) => found.get(name)?.at(-1),
      values: (name) => found.get(name) ?? [],
    },
    words,
  };
}
