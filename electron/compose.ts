/** Does I/O: the only place that names concrete adapters. Config → a running engine behind a ConsoleApi. Hosts get all they need from here. */
import { hostname } from 'node:os';
import path from 'node:path';
import type { ConsoleApi } from '../shared/console-api.ts';
import { ConsoleError } from '../shared/errors.ts';
import manifest from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { createConsoleService } from './engine/console-service.ts';
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

function requiredUrl(config: Config): string {
  if (config.mysqlUrl !== null) return config.mysqlUrl;
  throw new ConsoleError('invalid-input', `NIMBUS_STORAGE=${config.storage} needs NIMBUS_MYSQL_URL`);
}

async function openStore(config: Config, readOnly: boolean, logger: Logger): Promise<Store> {
  switch (config.storage) {
    case 'sqlite':
      return openSqliteStore({ folder: config.dataFolder, readOnly });
    case 'memory':
      return createInMemoryStore();
    case 'mysql':
    case 'mysql+cache':
      return readOnly ? openForReading(config) : openSharedStore(config, logger);
  }
}

/** A look beside a running console: at the shared database, or at the copy when that is away. */
async function openForReading(config: Config): Promise<Store> {
  try {
    return await openMysqlStore({ url: requiredUrl(config), readOnly: true });
  } catch (error) {
    if (config.storage !== 'mysql+cache' || !(error instanceof ConsoleError) || error.code !== 'storage') throw error;
    return openSqliteStore({ folder: config.dataFolder, readOnly: true, file: CACHE_FILE });
  }
}

async function openSharedStore(config: Config, logger: Logger): Promise<Store> {
  const onSlowStatement = (sql: string, ms: number): void => logger.warn('a statement of MySQL was slow', { sql, ms: Math.round(ms) });
  const url = requiredUrl(config);
  if (config.storage === 'mysql+cache') {
    const ids = createSystemIds();
    const newId = (): string => ids.uuid();
    return openSyncedStore({ folder: config.dataFolder, url, consoleName: hostname(), clock: systemClock, newId, logger, onSlowStatement });
  }
  // The folder is owned as long as the store is open: it holds the console's id, under which its turns are leased.
  const owner = await ownFolder(config.dataFolder);
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

/**
 * Opens the store, starts the engine (seeding and recovery) and returns the console.
 * Throws ConsoleError: `folder-in-use`, `invalid-input`, `unsupported`, `storage`.
 */
export async function compose(config: Config, options: ComposeOptions): Promise<Console> {
  const readOnly = options.readOnly === true;
  const secrets = secretsOf(config);
  const stderr = createStderrLogger(secrets);
  const logger = options.logger ?? (options.host === 'terminal' ? withoutRepeats(stderr) : stderr);
  const vault = options.keyVault ?? sessionOnlyVault;
  checkModelName(config);
  const store = await openStore(config, readOnly, logger);
  const saved = await readEstimates(store, logger);
  const estimates = createLearningEstimates({ base: scriptEstimator, saved });
  const providers = createProviderSetup(config, vault, (key) => secrets.push(key), estimates);
  const service = createConsoleService({
    store,
    providers,
    prices: priceList,
    clock: systemClock,
    ids: createSystemIds(),
    estimator: estimates.estimator,
    logger,
    appInfo: {
      version: VERSION,
      storage: store.kind,
      // Pages get the last part only: a full path names the person's account.
      dataFolder: options.host === 'terminal' ? config.dataFolder : path.basename(config.dataFolder),
      host: options.host,
      platform: config.platform,
      demoCustomerId: DEMO_CUSTOMER_ID,
    },
    settingOverrides: config.settingOverrides,
  });
  const keptEstimates = readOnly ? null : keepEstimates(service, { store, saved, estimates, logger });
  let closing: Promise<void> | null = null;
  let copied: () => Promise<void> = () => Promise.resolve();
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
  if (!readOnly && config.storage === 'sqlite') copied = startDailyCopy({ folder: config.dataFolder, now: systemClock.now(), logger });
  return {
    api: service,
    ingest: (folder, files) => ingestInto(store, folder, files),
    close: () => (closing ??= close()),
  };
}
