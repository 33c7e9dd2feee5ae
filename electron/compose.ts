/** Does I/O: the only place that names concrete adapters. Config → a running engine behind a ConsoleApi. Hosts get all they need from here. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { ConsoleApi } from '../shared/console-api.ts';
import { ConsoleError, toErrorInfo } from '../shared/errors.ts';
import manifest from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { createConsoleSwitch } from './console-switch.ts';
import type { ConsoleSwitch, OpenedConsole } from './console-switch.ts';
import { consoleWithoutStorage, createConsoleService } from './engine/console-service.ts';
import { scriptEstimator } from './engine/memory/estimate.ts';
import type { ProviderSetup } from './engine/console-service.ts';
import type { KeyVault, Logger, Store } from './engine/ports.ts';
import { sessionOnlyVault } from './engine/providers/session-only-vault.ts';
import { articlesFromMarkdown } from './engine/shop/ingest.ts';
import { DEMO_CUSTOMER_ID } from './engine/shop/shop-data.ts';
import { createLogger, withoutRepeats } from './log.ts';
import { parseModelName } from './models/model-factory.ts';
import { createLearningEstimates } from './models/learning-estimates.ts';
import type { LearningEstimates } from './models/learning-estimates.ts';
import { createModelWorkshop } from './models/model-workshop.ts';
import { priceList } from './models/price-list.ts';
import { tapeDeck } from './models/tape-deck.ts';
import { createStorageDesk } from './storage/choice/storage-desk.ts';
import type { OpenedDesk, StorageTarget } from './storage/choice/storage-desk.ts';
import { createDataFolder } from './storage/data-folder.ts';
import { createInMemoryStore } from './storage/in-memory-store.ts';
import { openMysqlStore } from './storage/mysql/mysql-store.ts';
import { startDailyCopy } from './storage/sqlite/daily-copy.ts';
import { ownFolder } from './storage/sqlite/folder-owner.ts';
import { openSqliteStore } from './storage/sqlite/sqlite-store.ts';
import { CACHE_FILE } from './storage/sync/sync-options.ts';
import { openSyncedStore } from './storage/sync/synced-store.ts';
import { openWatchedStore } from './storage/sync/watched-store.ts';
import { createSystemIds, systemClock } from './system-ports.ts';

export { readConfig } from './config.ts';
export type { Config, ConversationAxes } from './config.ts';
export type { OpenedConsole } from './console-switch.ts';
export type { KeyVault } from './engine/ports.ts';
export { makeFolder } from './storage/make-folder.ts';
export type { CommandForm, FlagName } from './flags.ts';
export { redact } from './log.ts';

/** Preference: what was learned about the token counts of each model. */
const ESTIMATES_KEY = 'token-estimates';

export const VERSION: string = manifest.version;

export interface MarkdownFile {
  /** Path below the folder's parent, with `/`, so that it starts with the folder's name. */
  path: string;
  text: string;
}

export interface IngestReport {
  stored: number;
  removed: number;
  /** `path: reason`, for files that were left out. */
  problems: string[];
}

export interface Console {
  api: ConsoleApi;
  /** Makes the help centre hold exactly these files of one folder, beside what came from elsewhere. */
  ingest(folder: string, files: readonly MarkdownFile[]): Promise<IngestReport>;
  /** Stops runs, marks them, closes files. Safe to call twice. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  host: 'window' | 'loopback' | 'terminal';
  /** Reads beside a running console: takes no lock, starts nothing, writes nothing. */
  readOnly?: boolean;
  logger?: Logger;
  /** Where keys are kept beyond this session; default: nowhere. */
  keyVault?: KeyVault;
}

/** Values that must never be readable in a log. */
export function secretsOf(config: Config): string[] {
  const password = config.mysqlUrl === null ? undefined : /^[a-z+]+:\/\/[^:/@]*:([^@]*)@/i.exec(config.mysqlUrl)?.[1];
  return [config.providers.openaiApiKey, config.providers.geminiApiKey, password].filter((value) => typeof value === 'string');
}

/** `secrets` may grow: every line is cleaned of what it holds by then. */
export function createStderrLogger(secrets: readonly string[]): Logger {
  return createLogger((line) => process.stderr.write(`${line}\n`), secrets);
}

async function openStore(target: StorageTarget, folder: string, readOnly: boolean, logger: Logger): Promise<Store> {
  const { mode, url } = target;
  if (mode === 'memory') return createInMemoryStore();
  if (mode === 'sqlite') return openSqliteStore({ folder, readOnly });
  if (url === null) throw new ConsoleError('invalid-input', `NIMBUS_STORAGE=${mode} needs NIMBUS_MYSQL_URL`);
  return readOnly ? openForReading(mode, url, folder) : openSharedStore(mode, url, folder, logger);
}

/** A look beside a running console: at the shared database, or at the copy when that is away. */
async function openForReading(mode: 'mysql' | 'mysql+cache', url: string, folder: string): Promise<Store> {
  try {
    return await openMysqlStore({ url, readOnly: true });
  } catch (error) {
    if (mode !== 'mysql+cache' || !(error instanceof ConsoleError) || error.code !== 'storage') throw error;
    return openSqliteStore({ folder, readOnly: true, file: CACHE_FILE });
  }
}

async function openSharedStore(mode: 'mysql' | 'mysql+cache', url: string, folder: string, logger: Logger): Promise<Store> {
  const onSlowStatement = (sql: string, ms: number): void => logger.warn('a statement of MySQL was slow', { sql, ms: Math.round(ms) });
  if (mode === 'mysql+cache') {
    const ids = createSystemIds();
    const newId = (): string => ids.uuid();
    return openSyncedStore({ folder, url, consoleName: hostname(), clock: systemClock, newId, logger, onSlowStatement });
  }
  // The folder is owned as long as the store is open: it holds the console's id, under which its turns are leased.
  const owner = await ownFolder(folder);
  try {
    const store = await openWatchedStore({ url, console: { id: owner.consoleId, name: hostname() }, clock: systemClock, onSlowStatement });
    const close = async (): Promise<void> => {
      await store.close();
      await owner.close();
    };
    return { ...store, close };
  } catch (error) {
    await owner.close();
    throw error;
  }
}

/** What the engine needs to offer a choice of models. */
function createProviderSetup(
  config: Config,
  vault: KeyVault,
  onSecret: (key: string) => void,
  estimates: LearningEstimates,
): ProviderSetup {
  const { openaiApiKey, openaiBaseUrl, geminiApiKey, geminiBaseUrl } = config.providers;
  const openai = { apiKey: openaiApiKey, baseUrl: openaiBaseUrl };
  return {
    workshop: createModelWorkshop({ clock: systemClock, delayMs: config.demoDelayMs, watch: (model) => estimates.watch(model) }),
    vault,
    deck: tapeDeck,
    environment: { openai, 'openai-chat': openai, gemini: { apiKey: geminiApiKey, baseUrl: geminiBaseUrl } },
    startedWith: config.model,
    onSecret,
  };
}

/** Before any file is opened. Throws ConsoleError `invalid-input` for an unknown provider in NIMBUS_MODEL, or one that costs money without a model. */
function checkModelName(config: Config): void {
  if (config.model === null) return;
  const { provider } = parseModelName(config.model);
  if (provider === 'demo' || provider === 'tape' || /\/\s*\S/.test(config.model)) return;
  throw new ConsoleError('invalid-input', `NIMBUS_MODEL=${config.model} names no model; write it as NIMBUS_MODEL=${provider}/MODEL.`);
}

/** What earlier starts learned about token counts; a help only, so an unreadable one is left out. */
async function readEstimates(store: Store, logger: Logger): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse((await store.preferences.read(ESTIMATES_KEY)) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    logger.warn('learned token counts could not be read', { error: String(error) });
    return {};
  }
}

/** Writes what was learned after each turn that taught something. Returns the way to stop, which resolves when the last write is done. */
function keepEstimates(
  api: ConsoleApi,
  parts: { store: Store; saved: Record<string, unknown>; estimates: LearningEstimates; logger: Logger },
): () => Promise<void> {
  const { store, saved, estimates, logger } = parts;
  let written = JSON.stringify(saved);
  let writing = Promise.resolve();
  const stop = api.subscribe((event) => {
    if (event.type !== 'turn-end') return;
    const json = JSON.stringify({ ...saved, ...estimates.calibrations() });
    if (json === written) return;
    written = json;
    writing = writing
      .then(() => store.preferences.write(ESTIMATES_KEY, json))
      .catch((error: unknown) => logger.warn('learned token counts could not be kept', { error: String(error) }));
  });
  return async () => {
    stop();
    await writing;
  };
}

async function ingestInto(store: Store, folder: string, files: readonly MarkdownFile[]): Promise<IngestReport> {
  const { articles, problems } = articlesFromMarkdown([...files]);
  const kept = new Set(articles.map((article) => article.id));
  const gone = (await store.shop.articles()).filter((article) => article.source.startsWith(`${folder}/`) && !kept.has(article.id));
  await store.shop.changeArticles({ put: articles, remove: gone.map((article) => article.id) });
  return { stored: articles.length, removed: gone.length, problems };
}

/** Beside the sources, and beside `dist/` of a build. */
function readSchema(): string {
  return readFileSync(new URL(import.meta.url.endsWith('.ts') ? '../schema.sql' : '../../schema.sql', import.meta.url), 'utf8');
}

interface Settled {
  desk: OpenedDesk;
  /** Grows: every line of the log is cleaned of what it holds by then. */
  secrets: string[];
  logger: Logger;
}

/** What outlives the engine: the choice of the storage with a password for this session, and the log. */
function settle(config: Config, options: ComposeOptions, restart: ((here: boolean) => void) | null): Settled {
  const secrets = secretsOf(config);
  const stderr = createStderrLogger(secrets);
  const desk = createStorageDesk({
    dataFolder: config.dataFolder,
    folderName: shownFolder(config, options),
    environment: { mode: config.storage, url: config.mysqlUrl, setBy: config.storageSetBy },
    vault: options.keyVault ?? sessionOnlyVault,
    readSchema,
    onSecret: (password) => {
      if (!secrets.includes(password)) secrets.push(password);
    },
    restart,
  });
  return { desk, secrets, logger: options.logger ?? (options.host === 'terminal' ? withoutRepeats(stderr) : stderr) };
}

/** Pages get the last part only: a full path names the person's account. */
function shownFolder(config: Config, options: ComposeOptions): string {
  return options.host === 'terminal' ? config.dataFolder : path.basename(config.dataFolder);
}

/**
 * Opens the store, starts the engine (seeding and recovery) and returns the console.
 * Throws ConsoleError: `folder-in-use`, `invalid-input`, `unsupported`, `storage`.
 */
export async function compose(config: Config, options: ComposeOptions): Promise<Console> {
  checkModelName(config);
  return openEngine(config, options, settle(config, options, null), false);
}

/** How long after its answer a restart begins, so that the answer reaches the page. */
const RESTART_AFTER_MS = 50;

/**
 * For hosts with a page. When a shared storage, or one that was chosen, cannot be opened, the console says why and offers the choice of another.
 * It starts anew on request. Throws as `compose` for everything else.
 */
export async function composeForPage(config: Config, options: ComposeOptions): Promise<OpenedConsole> {
  checkModelName(config);
  let consoles: ConsoleSwitch | null = null;
  const settled: Settled = settle(config, options, (here) => {
    setTimeout(() => void consoles?.restart(() => openOrSay(config, options, settled, here)), RESTART_AFTER_MS);
  });
  let first: OpenedConsole;
  try {
    first = await openEngine(config, options, settled, false);
  } catch (error) {
    if (!(await isAboutTheChoice(error, settled.desk))) throw error;
    first = withoutStorage(error, settled);
  }
  consoles = createConsoleSwitch(first);
  return consoles;
}

/** False for what no other choice would mend. */
async function isAboutTheChoice(error: unknown, desk: OpenedDesk): Promise<boolean> {
  if (!(error instanceof ConsoleError) || error.code === 'folder-in-use') return false;
  const { fixedBy, next, problem } = await desk.view();
  if (error.code === 'invalid-input' && fixedBy.length > 0) return false;
  return next.startsWith('mysql') || problem !== '';
}

async function openOrSay(config: Config, options: ComposeOptions, settled: Settled, here: boolean): Promise<OpenedConsole> {
  try {
    return await openEngine(config, options, settled, here);
  } catch (error) {
    return withoutStorage(error, settled);
  }
}

function withoutStorage(error: unknown, { desk, logger }: Settled): OpenedConsole {
  const reason = toErrorInfo(error);
  logger.warn('the storage could not be opened; the page offers the choice of another', { reason: reason.message });
  desk.started({ target: null, here: false, problem: reason.message });
  return { api: consoleWithoutStorage(reason, desk), close: async () => undefined };
}

async function openEngine(config: Config, options: ComposeOptions, settled: Settled, here: boolean): Promise<Console> {
  const readOnly = options.readOnly === true;
  const { desk, secrets, logger } = settled;
  const vault = options.keyVault ?? sessionOnlyVault;
  const target = await desk.target(here);
  const store = await openStore(target, config.dataFolder, readOnly, logger);
  const saved = await readEstimates(store, logger);
  const estimates = createLearningEstimates({ base: scriptEstimator, saved });
  const providers = createProviderSetup(config, vault, (key) => secrets.push(key), estimates);
  let closing: Promise<void> | null = null;
  let copied: () => Promise<void> = () => Promise.resolve();
  const service = createConsoleService({
    store,
    providers,
    prices: priceList,
    ...(config.storage !== 'memory' && { dataFolder: createDataFolder(config.dataFolder, () => copied()) }),
    clock: systemClock,
    ids: createSystemIds(),
    estimator: estimates.estimator,
    logger,
    appInfo: {
      version: VERSION,
      storage: store.kind,
      dataFolder: shownFolder(config, options),
      host: options.host,
      platform: config.platform,
      demoCustomerId: DEMO_CUSTOMER_ID,
    },
    settingOverrides: config.settingOverrides,
    storageDesk: desk,
  });
  const keptEstimates = readOnly ? null : keepEstimates(service, { store, saved, estimates, logger });
  const close = async (): Promise<void> => {
    if (!readOnly) await service.stop();
    await keptEstimates?.();
    await copied();
    await store.close();
  };
  try {
    if (!readOnly) await service.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  desk.started({ target, here, problem: '' });
  if (!readOnly && target.mode === 'sqlite') copied = startDailyCopy({ folder: config.dataFolder, now: systemClock.now(), logger });
  return {
    api: service,
    ingest: (folder, files) => ingestInto(store, folder, files),
    close: () => (closing ??= close()),
  };
}
