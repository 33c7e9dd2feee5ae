/** Command line, environment and `.env` text → Config. Pure, except readConfig, which reads `.env` from the working directory. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConsoleError } from '../shared/errors.ts';
import { parseReference } from '../shared/ids.ts';
import type { Reference } from '../shared/ids.ts';
import { isUnprotected } from '../shared/plain-address.ts';
import { parseSetting } from '../shared/settings.ts';
import type { Settings } from '../shared/settings.ts';
import { parseEnvironmentFile } from './environment-file.ts';
import { readFlags } from './flags.ts';
import type { CommandForm, Flags } from './flags.ts';

export type StorageMode = 'sqlite' | 'mysql' | 'mysql+cache' | 'memory';
const STORAGE_MODES: readonly StorageMode[] = ['sqlite', 'mysql', 'mysql+cache', 'memory'];

/** Keys and addresses of model providers. Never logged, never sent to a page. */
export interface ProviderAccess {
  openaiApiKey: string | null;
  openaiBaseUrl: string | null;
  geminiApiKey: string | null;
  geminiBaseUrl: string | null;
}

/** Whom a new conversation is for. `undefined`: not given; `null`: given as none. */
export interface ConversationAxes {
  customerId: string | undefined;
  tenant: string | undefined;
  actor: Reference | null | undefined;
  subject: Reference | undefined;
}

export interface Config {
  /** Absolute. */
  dataFolder: string;
  storage: StorageMode;
  /** null: not chosen by the environment. */
  mysqlUrl: string | null;
  /** The variables that chose the storage; empty: none did, and a saved choice holds. */
  storageSetBy: string[];
  /** `PROVIDER/MODEL` as written; null: not chosen by the environment, the demo model answers unless a choice was saved. */
  model: string | null;
  providers: ProviderAccess;
  /** Pause per word of the demo model, in milliseconds. */
  demoDelayMs: number;
  /** `--strategy` and `--set`: hold for this process only. */
  settingOverrides: Partial<Settings>;
  axes: ConversationAxes;
  /** Words that are no flags, in order. */
  words: string[];
  /** The command's own flags, as written. */
  flags: Flags;
  platform: string;
}

export interface ConfigInput {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Text of `.env`, null when there is none. */
  environmentFile: string | null;
  cwd: string;
  platform: string;
  form?: CommandForm;
}

const DEFAULT_DEMO_DELAY_MS = 25;
const LONGEST_DEMO_DELAY_MS = 10_000;

type Lookup = (name: string) => string | undefined;

function invalid(message: string): ConsoleError {
  return new ConsoleError('invalid-input', message);
}

/** The folder all hosts share when NIMBUS_DATA_DIR and --data-dir say nothing. */
function defaultDataFolder(lookup: Lookup, platform: string): string {
  const home = lookup('HOME') ?? lookup('USERPROFILE');
  if (platform === 'win32') {
    const appData = lookup('APPDATA') ?? (home === undefined ? undefined : path.win32.join(home, 'AppData', 'Roaming'));
    if (appData !== undefined) return path.win32.join(appData, 'nimbus-console');
  } else if (platform === 'darwin') {
    if (home !== undefined) return path.posix.join(home, 'Library', 'Application Support', 'nimbus-console');
  } else {
    const dataHome = lookup('XDG_DATA_HOME');
    // The XDG rules say that a relative path is to be ignored.
    if (dataHome !== undefined && path.posix.isAbsolute(dataHome)) return path.posix.join(dataHome, 'nimbus-console');
    if (home !== undefined) return path.posix.join(home, '.local', 'share', 'nimbus-console');
  }
  throw invalid('no home folder is known; set NIMBUS_DATA_DIR to the folder where Nimbus may keep its data');
}

function readDataFolder(lookup: Lookup, flags: Flags, cwd: string, platform: string): string {
  const chosen = flags.value('data-dir') ?? lookup('NIMBUS_DATA_DIR');
  if (chosen === undefined) return defaultDataFolder(lookup, platform);
  if (chosen.includes('\0')) throw invalid('the data folder must not contain a NUL character');
  return path.resolve(cwd, chosen);
}

function readBaseUrl(lookup: Lookup, name: string): string | null {
  const text = lookup(name);
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid(`${name} must be an address like https://host/v1`);
  }
  if (url.username !== '' || url.password !== '') throw invalid(`${name} must not hold a user name or password`);
  if (isUnprotected(url)) throw invalid(`${name}: keys and conversations would leave this machine unencrypted; use https://${url.host}`);
  return text;
}

function readWholeNumber(lookup: Lookup, name: string, fallback: number, most: number): number {
  const text = lookup(name);
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw invalid(`${name} must be a whole number from 0 to ${most}`);
  return value;
}

function readStorage(lookup: Lookup, mysqlUrl: string | undefined): StorageMode {
  const text = lookup('NIMBUS_STORAGE');
  if (text === undefined) return mysqlUrl === undefined ? 'sqlite' : 'mysql+cache';
  const mode = STORAGE_MODES.find((name) => name === text);
  if (mode === undefined) throw invalid(`NIMBUS_STORAGE: "${text}" is none of sqlite, mysql, mysql+cache, memory`);
  if (mode.startsWith('mysql') && mysqlUrl === undefined) throw invalid(`NIMBUS_STORAGE=${mode} needs NIMBUS_MYSQL_URL`);
  return mode;
}

function readOverrides(flags: Flags): Partial<Settings> {
  const overrides: Record<string, unknown> = {};
  const put = (key: string, text: string, name?: string): void => {
    const parsed = parseSetting(key, text, name);
    if (!parsed.ok) throw invalid(parsed.reason);
    overrides[parsed.key] = parsed.value;
  };
  for (const pair of flags.values('set')) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw invalid(`--set=${pair}: write it as --set=KEY=VALUE`);
    put(pair.slice(0, equals), pair.slice(equals + 1));
  }
  const strategy = flags.value('strategy');
  if (strategy !== undefined) put('memory.strategy', strategy, '--strategy');
  return overrides;
}

function readReference(flags: Flags, name: 'actor' | 'subject'): Reference | undefined {
  const text = flags.value(name);
  if (text === undefined) return undefined;
  const reference = parseReference(text);
  if (reference === null) throw invalid(`--${name}=${text}: write it as --${name}=TYPE:ID`);
  return reference;
}

function readAxes(flags: Flags): ConversationAxes {
  return {
    customerId: flags.value('customer'),
    tenant: flags.value('tenant'),
    actor: flags.value('actor') === 'none' ? null : readReference(flags, 'actor'),
    subject: readReference(flags, 'subject'),
  };
}

/** Everything the console can be told from outside. Throws ConsoleError `invalid-input` with a sentence that says what to change. */
export function parseConfig(input: ConfigInput): Config {
  const file = input.environmentFile === null ? { values: {}, problems: [] } : parseEnvironmentFile(input.environmentFile);
  const problem = file.problems[0];
  if (problem !== undefined) throw invalid(`.env, ${problem}`);
  const fromFile: Record<string, string | undefined> = file.values;
  // An empty variable counts as not set; the environment wins over the file.
  const lookup: Lookup = (name) => [input.env[name], fromFile[name]].find((value) => value !== undefined && value !== '');
  const { flags, words } = readFlags(input.argv, input.form);
  const mysqlUrl = lookup('NIMBUS_MYSQL_URL');
  return {
    dataFolder: readDataFolder(lookup, flags, input.cwd, input.platform),
    storage: readStorage(lookup, mysqlUrl),
    mysqlUrl: mysqlUrl ?? null,
    storageSetBy: ['NIMBUS_STORAGE', 'NIMBUS_MYSQL_URL'].filter((name) => lookup(name) !== undefined),
    model: lookup('NIMBUS_MODEL') ?? null,
    providers: {
      openaiApiKey: lookup('OPENAI_API_KEY') ?? null,
      openaiBaseUrl: readBaseUrl(lookup, 'OPENAI_BASE_URL'),
      geminiApiKey: lookup('GEMINI_API_KEY') ?? null,
      geminiBaseUrl: readBaseUrl(lookup, 'GOOGLE_GEMINI_BASE_URL'),
    },
    demoDelayMs: readWholeNumber(lookup, 'NIMBUS_DEMO_DELAY_MS', DEFAULT_DEMO_DELAY_MS, LONGEST_DEMO_DELAY_MS),
    settingOverrides: readOverrides(flags),
    axes: readAxes(flags),
    words,
    flags,
    platform: input.platform,
  };
}

function readEnvironmentFile(cwd: string): string | null {
  try {
    return readFileSync(path.join(cwd, '.env'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return null;
    throw invalid(`.env cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** parseConfig for this machine. `argv` is what follows the program's own name; `form` says which flags the command takes (default: all). */
export function readConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  form?: CommandForm,
): Config {
  return parseConfig({ argv, env, environmentFile: readEnvironmentFile(cwd), cwd, platform: process.platform, ...(form ? { form } : {}) });
}
