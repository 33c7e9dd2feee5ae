// Providers, keys and models in words. Pure.
import type { KeyState, ModelView, ProviderView } from '../../shared/models.ts';
import { formatWindow } from '../ui/format.ts';

export interface KeyWords {
  word: string;
  tone: 'ok' | 'warn' | 'quiet';
}

const KEY_WORDS: Record<KeyState, KeyWords> = {
  'not-needed': { word: 'No key needed', tone: 'quiet' },
  none: { word: 'No key', tone: 'warn' },
  environment: { word: 'Key from the environment', tone: 'ok' },
  keychain: { word: 'Key in the system keychain', tone: 'ok' },
  session: { word: 'Key for this session', tone: 'ok' },
};

export function keyWords(provider: ProviderView): KeyWords {
  return KEY_WORDS[provider.key];
}

/** `$0.25 in, $0.025 cached, $2.00 out per million tokens; 400k window`; says what is unknown. */
export function modelFacts(model: ModelView): string {
  const dollars = (microUsd: number) => `$${(microUsd / 1_000_000).toFixed(microUsd % 10_000 === 0 ? 2 : 3)}`;
  const price =
    model.price === null
      ? 'Price unknown: tokens are counted, money is not'
      : `${dollars(model.price.input)} in, ${dollars(model.price.cachedInput)} cached, ${dollars(model.price.output)} out per million tokens`;
  return `${price}; ${model.windowTokens === null ? 'window unknown' : `${formatWindow(model.windowTokens)} window`}`;
}

/** `PROVIDER/MODEL`, split at the first slash. */
export function splitModel(name: string): { provider: string; model: string } {
  const slash = name.indexOf('/');
  return slash < 0 ? { provider: name, model: '' } : { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}
