/** Settings as they apply now: defaults, stored preferences, and what this process was told at its start. */
import type { Conversation } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { SettingKey, Settings } from '../../../shared/settings.ts';
import { defaultSettings, isSettingKey, parseSetting, SETTING_KEYS } from '../../../shared/settings.ts';
import type { Logger, PreferenceStore } from '../ports.ts';

const PREFERENCE_KEY = 'settings';

export interface SettingsService {
  read(): Promise<Settings>;
  /** With what the conversation sets for itself; what the process was started with still wins. */
  readFor(conversation: Pick<Conversation, 'settings'>): Promise<Settings>;
  /** Checks all values before any is stored; null puts a default back. `invalid-input` names every wrong value. */
  change(values: Record<string, unknown>): Promise<Settings>;
}

export function createSettingsService(deps: {
  preferences: PreferenceStore;
  overrides: Partial<Settings>;
  logger: Logger;
}): SettingsService {
  const { preferences, logger } = deps;
  const overrides: Partial<Settings> = { ...deps.overrides };

  const stored = async (): Promise<Partial<Settings>> => {
    const json = await preferences.read(PREFERENCE_KEY);
    return json === null ? {} : checked(parseObject(json), (reason) => logger.warn('a stored setting is ignored', { reason }));
  };

  const readFor = async (conversation: Pick<Conversation, 'settings'>): Promise<Settings> => {
    const own = checked({ ...conversation.settings }, (reason) => logger.warn('a setting of a conversation is ignored', { reason }));
    return { ...defaultSettings(), ...(await stored()), ...own, ...overrides };
  };
  const read = (): Promise<Settings> => readFor({});

  return {
    read,
    readFor,
    async change(values) {
      const reasons: string[] = [];
      const given = Object.entries(values).filter(([, value]) => value !== null);
      const changed = checked(Object.fromEntries(given), (reason) => reasons.push(reason));
      const reset = Object.keys(values).filter((key) => values[key] === null);
      for (const key of reset)
        if (!isSettingKey(key)) reasons.push(`there is no setting "${key}"; the settings are ${SETTING_KEYS.join(', ')}`);
      if (reasons.length > 0) throw new ConsoleError('invalid-input', reasons.join('\n'));
      const next: Partial<Settings> = { ...(await stored()), ...changed };
      for (const key of reset) if (isSettingKey(key)) delete next[key];
      await preferences.write(PREFERENCE_KEY, JSON.stringify(next));
      // What a person sets now wins over what the process was started with.
      for (const key of Object.keys(values)) if (isSettingKey(key)) delete overrides[key];
      return read();
    },
  };
}

function checked(values: Record<string, unknown>, onProblem: (reason: string) => void): Partial<Settings> {
  const pairs: [SettingKey, Settings[SettingKey]][] = [];
  for (const [key, value] of Object.entries(values)) {
    const parsed = parseSetting(key, value);
    if (parsed.ok) pairs.push([parsed.key, parsed.value]);
    else onProblem(parsed.reason);
  }
  return Object.fromEntries(pairs);
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
