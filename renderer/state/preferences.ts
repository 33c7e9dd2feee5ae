// What this screen remembers for itself between starts: theme, open conversation, tabs. I/O: localStorage; works without it.

import { isLanguage, type Language } from '../language/language.ts';

export type Area = 'conversations' | 'traces' | 'context';
export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  area: Area;
  theme: Theme;
  selectedId: string | null;
  inspectorTab: 'trace' | 'context';
  showCompacted: boolean;
  language: Language;
}

const KEY = 'nimbus-console.preferences';

export const DEFAULT_PREFERENCES: Preferences = {
  area: 'conversations',
  theme: 'system',
  selectedId: null,
  inspectorTab: 'trace',
  showCompacted: false,
  language: 'en',
};

/** Preferences from stored text; anything unknown or broken falls back, field by field. Pure. */
export function parsePreferences(text: string | null): Preferences {
  let value: unknown = null;
  try {
    value = text === null ? null : JSON.parse(text);
  } catch {
    return DEFAULT_PREFERENCES;
  }
  if (typeof value !== 'object' || value === null) return DEFAULT_PREFERENCES;
  const fields = value as Record<string, unknown>;
  const { area, theme, selectedId, inspectorTab, showCompacted, language } = fields;
  return {
    area: area === 'traces' || area === 'context' ? area : 'conversations',
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    selectedId: typeof selectedId === 'string' ? selectedId : null,
    inspectorTab: inspectorTab === 'context' ? 'context' : 'trace',
    showCompacted: showCompacted === true,
    language: isLanguage(language) ? language : 'en',
  };
}

export function loadPreferences(): Preferences {
  try {
    return parsePreferences(localStorage.getItem(KEY));
  } catch {
    return DEFAULT_PREFERENCES;
  }
}

export function savePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // A full or forbidden storage costs a remembered tab, nothing else.
  }
}

/** Applies the theme to the page; `system` follows the operating system. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
}
