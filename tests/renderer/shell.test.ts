// The shell's pure parts: one list of commands for everything, money as it is typed, prices as rows, two languages of one shape. Pure.
import { afterEach, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { menuTemplateOf } from './fakes/menu-template.ts';
import { menuSchema } from '../../shared/menu.ts';
import { parseOwnPrices } from '../../shared/own-prices.ts';
import { ENGLISH } from '../../renderer/language/english/index.ts';
import { GERMAN } from '../../renderer/language/german/index.ts';
import { setLanguage } from '../../renderer/language/language.ts';
import { emptyPriceRow, priceRows, pricesText } from '../../renderer/settings/price-rows.ts';
import { dollarsOf, microUsdOf } from '../../renderer/settings/setting-fields.ts';
import { commandOf, keyLabel } from '../../renderer/shell/key-presses.ts';
import { matchScore } from '../../renderer/shell/palette-match.ts';
import { newlyWaiting } from '../../renderer/shell/notifications.ts';
import { DEFAULT_PREFERENCES, parsePreferences } from '../../renderer/state/preferences.ts';

afterEach(() => setLanguage('en'));

const press = { key: 'x', ctrlKey: false, metaKey: false, altKey: false, isComposing: false, typing: false };

describe('keys', () => {
  test('G and a letter changes the area; alone it waits, elsewhere it is a letter', () => {
    expect(commandOf({ ...press, key: 'g' })).toBe('wait');
    expect(commandOf({ ...press, key: 't' }, true)).toBe('go-traces');
    expect(commandOf({ ...press, key: 'z' }, true)).toBeNull();
    expect(commandOf({ ...press, key: 'g', typing: true })).toBeNull();
  });
  test('Ctrl K opens the palette, also while typing; never while an input method composes', () => {
    expect(commandOf({ ...press, key: 'k', ctrlKey: true, typing: true })).toBe('open-palette');
    expect(commandOf({ ...press, key: 'K', metaKey: true })).toBe('open-palette');
    expect(commandOf({ ...press, key: 'k', ctrlKey: true, isComposing: true })).toBeNull();
  });
  test('the key of commands is named as on the machine', () => {
    expect([keyLabel('Mod', 'MacIntel'), keyLabel('Mod', 'Linux x86_64'), keyLabel('J', 'MacIntel')]).toEqual(['⌘', 'Ctrl', 'J']);
  });
});

test('the palette goes by words: beginnings first, then parts; the order of words is free', () => {
  expect(matchScore('Theme: dark', 'dark')).toBe(1);
  expect(matchScore('Theme: dark', 'da the')).toBe(1);
  expect(matchScore('Save as Markdown', 'dark')).toBe(0);
  expect(matchScore('Save as Markdown', 'down')).toBe(0.5);
  expect(matchScore('Farben: dunkel', 'theme', ['theme dark'])).toBe(1);
  expect(matchScore('Größerer Text', 'größ')).toBe(1);
});

describe('money in settings', () => {
  test.each([
    ['0.50', 500_000],
    ['0,5', 500_000],
    ['$1.25', 1_250_000],
    ['1,000.50', 1_000_500_000],
    ['2 USD', 2_000_000],
    ['0', 0],
    ['0.000001', 1],
  ])('%s', (typed, microUsd) => {
    expect(microUsdOf(typed)).toBe(microUsd);
  });
  test.each(['', '-1', 'many', '1.2.3', '1e3', '0.0000001'])('%s is no amount', (typed) => {
    expect(microUsdOf(typed)).toBeNull();
  });
  test('every amount is shown so that typing it again means the same', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (microUsd) => microUsdOf(dollarsOf(microUsd)) === microUsd));
  });
});

describe('own prices as rows', () => {
  const prices = {
    'openai/gpt-5-mini': { input: 250_000, cachedInput: 25_000, output: 2_000_000, window: 400_000 },
    'openai-chat/own': { input: 0, output: 0, cacheWrite: 7 },
  };
  test('rows and back are the same list', () => {
    const made = pricesText(priceRows(prices));
    expect('text' in made && parseOwnPrices(made.text)).toEqual({ ok: true, prices });
  });
  test('the first cell that cannot be read is named; a row without a model is no price', () => {
    expect(pricesText([{ ...emptyPriceRow(), input: '1' }])).toEqual({ text: '' });
    const row = { ...emptyPriceRow(), model: 'a/b', input: '1', output: 'two' };
    expect(pricesText([{ ...row, output: '1' }, row])).toEqual({ row: 1, wrong: 'output' });
    expect(pricesText([{ ...row, output: '1', window: 'wide' }])).toEqual({ row: 0, wrong: 'window' });
  });
});

describe('languages', () => {
  type Tree = { [key: string]: Tree } | string | ((...parts: never[]) => string);
  const paths = (tree: Tree, at = ''): string[] =>
    typeof tree === 'object' ? Object.entries(tree).flatMap(([key, value]) => paths(value, `${at}.${key}`)) : [`${at}:${typeof tree}`];
  test('German has every text that English has, and none is empty where English says something', () => {
    expect(paths(GERMAN as Tree)).toEqual(paths(ENGLISH as Tree));
    const empty = (english: Tree, german: Tree, at = ''): string[] => {
      if (typeof english === 'string') return typeof german === 'string' && (german === '') !== (english === '') ? [at] : [];
      if (typeof english !== 'object' || typeof german !== 'object') return [];
      return Object.entries(english).flatMap(([key, value]) => empty(value, german[key] ?? '', `${at}.${key}`));
    };
    expect(empty(ENGLISH as Tree, GERMAN as Tree)).toEqual([]);
  });
});

describe('the menu of the window', () => {
  test.each(['en', 'de'] as const)('in %s it has the form the window takes, and its entries send their command', (language) => {
    setLanguage(language);
    const { model, template, chosen } = menuTemplateOf();
    expect(menuSchema.parse(model)).toEqual(model);
    const entries = template.flatMap((menu) => (Array.isArray(menu.submenu) ? menu.submenu : []));
    const settings = entries.find((entry) => entry.id === 'show-settings');
    expect(settings?.label).toBe(language === 'en' ? 'Settings…' : 'Einstellungen …');
    expect(settings?.accelerator).toBe('CmdOrCtrl+,');
    Reflect.apply(settings?.click ?? (() => undefined), undefined, []);
    expect(chosen).toEqual(['show-settings']);
    expect(entries.find((entry) => entry.id === 'stop')?.enabled).toBe(false);
  });
});

test('a person is called once per conversation that did not wait before', () => {
  const change = (id: string, handoffReason: string | null) =>
    ({ type: 'conversation-change', conversation: { id, handoffReason } }) as unknown as Parameters<typeof newlyWaiting>[0][number];
  const events = [change('a', 'asked'), change('a', 'asked'), change('b', 'asked'), change('c', null)];
  expect(newlyWaiting(events, (id) => id === 'b')).toEqual(['a']);
});

test('preferences of an older or broken file fall back field by field', () => {
  expect(parsePreferences('{"theme":"dark","density":"tight","textSize":"large","language":"xx","tourSeen":1}')).toEqual({
    ...DEFAULT_PREFERENCES,
    theme: 'dark',
    textSize: 'large',
  });
});
