// The words of the console in the language a person chose: one object per language, all of the same shape.
import { type English, ENGLISH } from './english/index.ts';
import { GERMAN } from './german/index.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const WORDS: Record<Language, English> = { en: ENGLISH, de: GERMAN };

let current: Language = 'en';

/** The words of the current language. Called while rendering, never kept: a change of language draws the page anew. */
export function words(): English {
  return WORDS[current];
}

/** BCP 47 tag for dates and numbers. */
export function languageTag(): string {
  return current === 'de' ? 'de-DE' : 'en-GB';
}

/** Sets the language of every later `words()`, and of the page for screen readers and hyphenation. I/O: the document's `lang`. */
export function setLanguage(language: Language): void {
  current = language;
  if (typeof document !== 'undefined') document.documentElement.lang = language;
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}
