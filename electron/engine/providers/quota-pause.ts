/** Pure apart from what it remembers: an account whose quota is used up is not asked again until a person acts. */
import type { ErrorInfo } from '../../../shared/errors.ts';
import type { ProviderName } from '../../../shared/models.ts';
import type { LanguageModel, ModelAccess, ModelEvent } from '../ports.ts';

export interface QuotaPause {
  /** The same model. Once it reports a used-up quota, every model of its account ends at once with that error, without a request. */
  guard(model: LanguageModel, access: ModelAccess): LanguageModel;
  isPaused(access: ModelAccess): boolean;
  /** A person has acted: the provider is asked again. */
  resume(provider: ProviderName): void;
}

const HOW_TO_GO_ON = 'It is not asked again until you test the connection, choose a model or save a key in settings.';

export function createQuotaPause(): QuotaPause {
  /** By provider: its accounts, and the error each ended with. */
  const paused = new Map<ProviderName, Map<string, ErrorInfo>>();
  const pausedError = (access: ModelAccess): ErrorInfo | null => paused.get(access.provider)?.get(accountOf(access)) ?? null;
  const pause = (access: ModelAccess, error: ErrorInfo): void => {
    const accounts = paused.get(access.provider) ?? new Map<string, ErrorInfo>();
    paused.set(access.provider, accounts.set(accountOf(access), error));
  };

  async function* watched(
    model: LanguageModel,
    access: ModelAccess,
    ...call: Parameters<LanguageModel['stream']>
  ): AsyncGenerator<ModelEvent> {
    const known = pausedError(access);
    if (known !== null) {
      const error: ErrorInfo = { ...known, message: `${known.message} ${HOW_TO_GO_ON}` };
      yield { type: 'model-end', outcome: 'quota', text: '', calls: [], raw: null, usage: null, finishReason: null, error };
      return;
    }
    for await (const event of model.stream(...call)) {
      if (event.type === 'model-end' && event.outcome === 'quota' && event.error !== null) pause(access, event.error);
      yield event;
    }
  }

  return {
    guard: (model, access) => ({ ...model, stream: (...call) => watched(model, access, ...call) }),
    isPaused: (access) => pausedError(access) !== null,
    resume: (provider) => void paused.delete(provider),
  };
}

/** Another key or another address is another account. */
function accountOf({ apiKey, baseUrl }: ModelAccess): string {
  return JSON.stringify([apiKey, baseUrl]);
}
