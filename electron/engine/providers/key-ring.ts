/** Keys of providers: the environment, then this session, then the system's key store. I/O through the vault port only. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { KeyState, KeyStorage, ProviderName } from '../../../shared/models.ts';
import type { KeyVault, Logger } from '../ports.ts';

/** What the environment says about one provider. */
export interface ProviderEnvironment {
  apiKey: string | null;
  baseUrl: string | null;
}

/** The variable a key may come from; absent: the provider needs none. */
export const KEY_VARIABLES: Readonly<Partial<Record<ProviderName, string>>> = {
  openai: 'OPENAI_API_KEY',
  'openai-chat': 'OPENAI_API_KEY',
  gemini: 'GEMINI_API_KEY',
};

/** What an HTTP header can carry; anything else is a slip of the clipboard. */
const PRINTABLE = /^[\x21-\x7e]+$/;

export interface KeyRing {
  storage(): Promise<KeyStorage>;
  /** Never rejects: a key that cannot be read is logged and counts as none. */
  find(provider: ProviderName): Promise<{ state: KeyState; key: string | null }>;
  /** Rejects: `invalid-input` for what is no key, `unsupported` where it cannot be kept as asked. */
  save(provider: ProviderName, key: string, keep: 'keychain' | 'session'): Promise<void>;
  /** The key as it may be used once, without being kept; rejects as `save` does. */
  check(provider: ProviderName, key: string): string;
  /** Forgets what was saved here; a key of the environment stays. */
  forget(provider: ProviderName): Promise<void>;
  /** Every key known so far, to be removed from texts that leave the console. */
  secrets(): readonly string[];
}

export interface KeyRingDeps {
  vault: KeyVault;
  environment: Readonly<Partial<Record<ProviderName, ProviderEnvironment>>>;
  /** Told every key before it is used, so that logs can leave it out. */
  onSecret: (key: string) => void;
  logger: Logger;
}

export function createKeyRing(deps: KeyRingDeps): KeyRing {
  const { vault, environment, logger } = deps;
  const session = new Map<ProviderName, string>();
  const secrets = new Set<string>();
  const meet = (key: string): string => {
    if (!secrets.has(key)) deps.onSecret(key);
    secrets.add(key);
    return key;
  };
  const kept = async (provider: ProviderName): Promise<string | null> => {
    try {
      return await vault.read(provider);
    } catch (error) {
      // Only our own errors are known to hold no key.
      logger.warn('a stored key could not be read', { provider, reason: error instanceof ConsoleError ? error.message : 'unknown' });
      return null;
    }
  };
  const check = (provider: ProviderName, key: string): string => {
    if (KEY_VARIABLES[provider] === undefined) throw new ConsoleError('invalid-input', 'This provider needs no key.');
    if (PRINTABLE.test(key)) return meet(key);
    throw new ConsoleError('invalid-input', 'A key has letters, digits and signs only, without spaces or line breaks; copy it again.');
  };
  return {
    storage: () => vault.storage(),
    check,
    async find(provider) {
      if (KEY_VARIABLES[provider] === undefined) return { state: 'not-needed', key: null };
      const given = environment[provider]?.apiKey ?? null;
      if (given !== null) return { state: 'environment', key: meet(given) };
      const lent = session.get(provider);
      if (lent !== undefined) return { state: 'session', key: meet(lent) };
      const stored = await kept(provider);
      return stored === null ? { state: 'none', key: null } : { state: 'keychain', key: meet(stored) };
    },
    async save(provider, key, keep) {
      check(provider, key);
      if (keep === 'session') {
        session.set(provider, key);
        return;
      }
      const { canPersist, reason } = await vault.storage();
      if (!canPersist) throw new ConsoleError('unsupported', `${reason} Keep the key for this session only, or set it in the environment.`);
      await vault.write(provider, key);
      session.delete(provider);
    },
    async forget(provider) {
      session.delete(provider);
      if ((await vault.storage()).canPersist) await vault.forget(provider);
    },
    secrets: () => [...secrets],
  };
}
