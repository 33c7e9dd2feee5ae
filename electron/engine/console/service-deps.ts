/** Pure: what the parts of the console service share. */
import type { AppInfo, ConsoleEvent, Method, ParsedParams, Result } from '../../../shared/console-api.ts';
import type { Conversation } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { RunSupervisor } from '../agent/supervisor.ts';
import type { Clock, IdSource, LanguageModel, Logger, ModelSource, Store, TokenEstimator } from '../ports.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SettingsService } from './settings.ts';

/** What the engine is given; nothing else of the world reaches it. */
export interface EngineDeps {
  store: Store;
  models: ModelSource;
  clock: Clock;
  ids: IdSource;
  estimator: TokenEstimator;
  logger: Logger;
  appInfo: Omit<AppInfo, 'model' | 'modelLabel' | 'isDemo'>;
  /** What the process was started with; wins over stored settings. */
  settingOverrides: Partial<Settings>;
  /** Default: the tools of the shop. */
  tools?: ToolRegistry;
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
