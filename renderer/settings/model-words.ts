// Providers, keys and models in words. Pure.
import { words } from '../language/language.ts';
import type { KeyState, ModelView, ProviderView } from '../../shared/models.ts';
import { formatWindow } from '../ui/format.ts';

export interface KeyWords {
  word: string;
  tone: 'ok' | 'warn' | 'quiet';
}

const KEY_TONES: Record<KeyState, KeyWords['tone']> = {
  'not-needed': 'quiet',
  none: 'warn',
  environment: 'ok',
  keychain: 'ok',
  session: 'ok',
};

export function keyWords(provider: ProviderView): KeyWords {
  return { word: words().models.keys[provider.key], tone: KEY_TONES[provider.key] };
}

/** `$0.25 in, $0.025 cached, $2.00 out per million tokens; 400k window`; says what is unknown. */
export function modelFacts(model: ModelView): string {
  const dollars = (microUsd: number) => `$${(microUsd / 1_000_000).toFixed(microUsd % 10_000 === 0 ? 2 : 3)}`;
  const price =
    model.price === null
      ? words().models.priceUnknown
      : words().models.price(dollars(model.price.input), dollars(model.price.cachedInput), dollars(model.price.output));
  return `${price}; ${model.windowTokens === null ? words().models.windowUnknown : words().models.window(formatWindow(model.windowTokens))}`;
}

/** `PROVIDER/MODEL`, split at the first slash. */
export function splitModel(name: string): { provider: string; model: string } {
  const slash = name.indexOf('/');
  return slash < 0 ? { provider: name, model: '' } : { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}
