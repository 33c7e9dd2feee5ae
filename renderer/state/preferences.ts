// What this screen remembers for itself between starts: theme, open conversation, tabs. I/O: localStorage; works without it.

import { isLanguage, type Language } from '../language/language.ts';

export const AREAS = ['conversations', 'traces', 'context', 'memories'] as const;
export type Area = (typeof AREAS)[number];
export const INSPECTOR_TABS = ['trace', 'context', 'customer'] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];
export type Theme = 'system' | 'light' | 'dark';
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];
export const TEXT_SIZES = ['small', 'normal', 'large', 'larger'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

export interface Preferences {
  area: Area;
  theme: Theme;
  selectedId: string | null;
  inspectorTab: InspectorTab;
  showCompacted: boolean;
  language: Language;
  density: Density;
  textSize: TextSize;
  /** Beside the chat, on wide screens; narrow ones have a drawer. */
  inspectorHidden: boolean;
  /** The tour was taken or declined: it is offered no more. */
  tourSeen: boolean;
  /** Where the system should say that Nimbus asks for a person. */
  notify: boolean;
}

const KEY = 'nimbus-console.preferences';

export const DEFAULT_PREFERENCES: Preferences = {
  area: 'conversations',
  theme: 'system',
  selectedId: null,
  inspectorTab: 'trace',
  showCompacted: false,
  language: 'en',
  density: 'comfortable',
  textSize: 'normal',
  inspectorHidden: false,
  tourSeen: false,
  notify: false,
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
  const { area, theme, selectedId, inspectorTab, showCompacted, language, density, textSize, inspectorHidden, tourSeen, notify } = fields;
  return {
    area: oneOf(AREAS, area) ?? 'conversations',
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    selectedId: typeof selectedId === 'string' ? selectedId : null,
    inspectorTab: oneOf(INSPECTOR_TABS, inspectorTab) ?? 'trace',
    showCompacted: showCompacted === true,
    language: isLanguage(language) ? language : 'en',
    density: oneOf(DENSITIES, density) ?? 'comfortable',
    textSize: oneOf(TEXT_SIZES, textSize) ?? 'normal',
    inspectorHidden: inspectorHidden === true,
    tourSeen: tourSeen === true,
    notify: notify === true,
  };
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((one) => one === value);
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

/** Applies theme, density and text size to the page; `system` follows the operating system. I/O: attributes of the page. */
export function applyAppearance({ theme, density, textSize }: Pick<Preferences, 'theme' | 'density' | 'textSize'>): void {
  const page = document.documentElement;
  if (theme === 'system') page.removeAttribute('data-theme');
  else page.setAttribute('data-theme', theme);
  page.setAttribute('data-density', density);
  page.setAttribute('data-text', textSize);
}
