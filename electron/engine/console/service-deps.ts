/** Pure: what the parts of the console service share. */
import type { AppInfo, ConsoleEvent, Method, ParsedParams, Result } from '../../../shared/console-api.ts';
import type { Conversation } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { ProviderName } from '../../../shared/models.ts';
import type { WireForm } from '../../../shared/requests.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { RunSupervisor } from '../agent/supervisor.ts';
import type { RecallIndexes } from '../archive/recall-indexes.ts';
import type { RequestArchive } from '../archive/request-archive.ts';
import type { Eraser } from '../erasure/eraser.ts';
import type { Ledger } from '../money/ledger.ts';
import type {
  Clock,
  DataFolder,
  IdSource,
  KeyVault,
  LanguageModel,
  Logger,
  ModelRequest,
  ModelSource,
  ModelWorkshop,
  PriceList,
  Reader,
  StorageDesk,
  Store,
  TapeDeck,
  TokenEstimator,
} from '../ports.ts';
import type { PromptDesk } from '../prompts/prompt-desk.ts';
import type { KeyRing, ProviderEnvironment } from '../providers/key-ring.ts';
import type { ModelDesk } from '../providers/model-desk.ts';
import type { TapeShelf } from '../providers/tape-shelf.ts';
import type { Upkeep } from '../upkeep/upkeep.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SettingsService } from './settings.ts';

/** What the engine needs to offer a choice of models. */
export interface ProviderSetup {
  workshop: ModelWorkshop;
  vault: KeyVault;
  deck: TapeDeck;
  /** Keys and addresses of the environment; they win over saved ones. */
  environment: Readonly<Partial<Record<ProviderName, ProviderEnvironment>>>;
  /** What the process was started with, `PROVIDER/MODEL`; null: nothing. */
  startedWith: string | null;
  /** Told every key before it is used, so that logs can leave it out. */
  onSecret: (key: string) => void;
}

/** What the engine is given; nothing else of the world reaches it. */
export interface EngineDeps {
  store: Store;
  /** One fixed model; wins over `providers`. One of the two must be there. */
  models?: ModelSource;
  providers?: ProviderSetup;
  /** Absent: no price is known. */
  prices?: PriceList;
  clock: Clock;
  ids: IdSource;
  estimator: TokenEstimator;
  logger: Logger;
  appInfo: Omit<AppInfo, 'model' | 'modelLabel' | 'isDemo'>;
  /** Files beside the store; absent: there are none. */
  dataFolder?: DataFolder;
  /** What the process was started with; wins over stored settings. */
  settingOverrides: Partial<Settings>;
  /** Absent: the storage cannot be chosen from a page. */
  storageDesk?: StorageDesk;
  /** Default: the tools of the shop. */
  tools?: ToolRegistry;
}

/** The parts behind the calls about models. */
export interface ProviderParts {
  desk: ModelDesk;
  keys: KeyRing;
  tapes: TapeShelf;
  deck: TapeDeck;
  /** The body of an archived request as its adapter writes it today; null: it writes none. */
  rebuild(request: ModelRequest, form: WireForm): Promise<string | null>;
}

export interface ServiceParts {
  store: Store;
  clock: Clock;
  ids: IdSource;
  estimator: TokenEstimator;
  logger: Logger;
  appInfo: EngineDeps['appInfo'];
  tools: ToolRegistry;
  settings: SettingsService;
  supervisor: RunSupervisor;
  answeringModel: () => Promise<LanguageModel>;
  /** `PROVIDER/MODEL`; "" for the answering one. Rejects with `invalid-input`. */
  modelNamed: (name: string) => Promise<LanguageModel>;
  /** null: one fixed model answers. */
  providers: ProviderParts | null;
  prices: PriceList;
  ledger: Ledger;
  archive: RequestArchive;
  recall: RecallIndexes;
  upkeep: Upkeep;
  eraser: Eraser;
  prompts: PromptDesk;
  /** The person at this console. */
  reader: () => Promise<Reader>;
  emit: (event: ConsoleEvent) => void;
}

/** One function per call of the contract, with checked parameters. */
export type Handlers = { [M in Method]: (params: ParsedParams<M>) => Promise<Result<M>> };

export function modelName(model: LanguageModel): string {
  return `${model.provider}/${model.model}`;
}

/** Rejects with `not-found` where there is no such conversation. */
export async function requireConversation(store: Store, id: string): Promise<Conversation> {
  const conversation = await store.conversations.get(id);
  if (conversation === null) throw new ConsoleError('not-found', `There is no conversation ${id}; "conversations" lists them.`);
  return conversation;
}
