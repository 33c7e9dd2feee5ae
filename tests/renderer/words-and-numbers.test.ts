/** Formats, keys, preferences, links, Markdown blocks, meter and request lines: pure functions that take any input. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH } from '../../shared/console-api.ts';
import { CONTEXT_PARTS } from '../../shared/compaction.ts';
import { meterSegments, meterValues } from '../../renderer/budget/meter-parts.ts';
import { composerKey } from '../../renderer/chat/composer-keys.ts';
import { splitBlocks } from '../../renderer/chat/markdown-blocks.ts';
import { imageText, safeLink } from '../../renderer/chat/safe-links.ts';
import { leftOut, requestLines } from '../../renderer/context/request-lines.ts';
import { rowText, rowWords } from '../../renderer/conversations/row-words.ts';
import { SETTING_GROUPS } from '../../renderer/settings/setting-fields.ts';
import { commandOf } from '../../renderer/shell/key-presses.ts';
import { SETTING_KEYS } from '../../shared/settings.ts';
import { MESSAGE_LIMIT } from '../../renderer/state/limits.ts';
import { DEFAULT_PREFERENCES, parsePreferences } from '../../renderer/state/preferences.ts';
import {
  formatBytes,
  formatCost,
  formatDuration,
  formatPercent,
  formatReported,
  formatWindow,
  initials,
  oneLine,
} from '../../renderer/ui/format.ts';
import { nextRow } from '../../renderer/ui/row-keys.ts';
import { entry, FIRST, plan, summary } from './fakes/samples.ts';

test('the page checks the same length as the contract', () => {
  expect(MESSAGE_LIMIT).toBe(MAX_MESSAGE_LENGTH);
});

test('numbers: unknown is a word, a missing price a dash, never 0', () => {
  expect(formatReported(null)).toBe('unknown');
  expect(formatCost(null)).toBe('–');
  expect(formatCost(800)).toBe('0.08 ¢');
  expect(formatCost(2_500_000)).toBe('$2.50');
  expect([formatDuration(9), formatDuration(1914), formatDuration(125_000)]).toEqual(['9 ms', '1.9 s', '2 min 5 s']);
  expect([formatPercent(0.009), formatPercent(0.87), formatPercent(Number.NaN)]).toEqual(['0.9 %', '87 %', '–']);
  expect([formatWindow(400_000), formatWindow(1_000_000)]).toEqual(['400k', '1M']);
  expect(formatBytes(20 * 1024 * 1024)).toBe('20.0 MB');
});

test('names and lines keep whole characters', () => {
  expect(initials('Elena Marchetti')).toBe('EM');
  expect(initials('田中 由紀')).toBe('田由');
  expect(initials('😀')).toBe('😀');
  expect(initials('  ')).toBe('?');
  expect(oneLine('a\n\n b', 10)).toBe('a b');
  expect(oneLine('😀😀😀', 2)).toBe('😀😀…');
});

describe('keys', () => {
  const press = (change: object) => ({ key: 'Enter', keyCode: 13, shiftKey: false, altKey: false, isComposing: false, ...change });
  test('Enter sends, Shift+Enter breaks, an input method keeps its Enter', () => {
    expect(composerKey(press({}))).toBe('send');
    expect(composerKey(press({ shiftKey: true }))).toBe('type');
    expect(composerKey(press({ isComposing: true }))).toBe('type');
    expect(composerKey(press({ keyCode: 229 }))).toBe('type');
    expect(composerKey(press({ key: 'a', keyCode: 65 }))).toBe('type');
  });
  test('single letters act only outside text fields', () => {
    const page = { key: 'j', ctrlKey: false, metaKey: false, altKey: false, isComposing: false, typing: false };
    expect(commandOf(page)).toBe('next-turn');
    expect(commandOf({ ...page, typing: true })).toBeNull();
    expect(commandOf({ ...page, ctrlKey: true })).toBeNull();
    expect(commandOf({ ...page, key: ',', metaKey: true, typing: true })).toBe('show-settings');
  });
  test('arrows stay inside the list', () => {
    expect([
      nextRow(-1, 'ArrowDown', 3),
      nextRow(2, 'ArrowDown', 3),
      nextRow(-1, 'ArrowUp', 3),
      nextRow(0, 'ArrowDown', 0),
      nextRow(1, 'x', 3),
    ]).toEqual([0, 2, 2, null, null]);
  });
});

test('preferences: anything broken falls back, field by field', () => {
  expect(parsePreferences(null)).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences('{')).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences('{"theme":"dark","selectedId":5}')).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(['system', 'light', 'dark']).toContain(parsePreferences(JSON.stringify(value)).theme);
    }),
  );
});

describe('[X5] addresses', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://shop.example',
    'nimbus://callback',
    'tel:+1900',
    'https://user:pass@shop.example',
    'https://shop.example/\u202egnp',
    'mailto:a@b.example?body=x',
    'mailto:a@b.example,c@d.example',
    '//shop.example',
    '/local',
    '',
    `https://shop.example/${'x'.repeat(3000)}`,
  ])('%s is no link', (address) => {
    expect(safeLink(address)).toBeNull();
  });
  test('https and a plain mail address are, with their host', () => {
    expect(safeLink('https://shop.example/returns')).toMatchObject({ kind: 'web', host: 'shop.example' });
    expect(safeLink('mailto:help@shop.example')).toMatchObject({ kind: 'mail', host: 'help@shop.example' });
  });
  test('an image is words', () => {
    expect(imageText('https://evil.example/p?d=1', 'x')).toBe('[image: evil.example] x');
    expect(imageText('not an address', '')).toBe('[image: no address]');
    expect(imageText('data:image/png;base64,AA', undefined)).toBe('[image: data]');
  });
});

describe('splitBlocks', () => {
  test('fences and lists stay whole', () => {
    expect(splitBlocks('one\n\ntwo')).toEqual(['one', 'two']);
    expect(splitBlocks('```\na\n\nb\n```\n\nend')).toEqual(['```\na\n\nb\n```', 'end']);
    expect(splitBlocks('- a\n\n- b\n\nend')).toEqual(['- a\n\n- b', 'end']);
    expect(splitBlocks('~~~\n```\n\nx')).toEqual(['~~~\n```\n\nx']);
    expect(splitBlocks('')).toEqual([]);
  });
  test('nothing but blank lines is lost, and finished blocks never change while text grows', () => {
    const line = fc.constantFrom('a', '', '', '- b', '```', '> c', '| d |', '   e', '# f', '~~~');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n');
        const kept = (value: string) =>
          value
            .split('\n')
            .map((entryOf) => entryOf.trimEnd())
            .filter((entryOf) => entryOf !== '');
        expect(splitBlocks(text).flatMap(kept)).toEqual(kept(text));
        const grown = splitBlocks(`${text}\nmore\n\nend`);
        expect(grown.slice(0, Math.max(0, splitBlocks(text).length - 1))).toEqual(splitBlocks(text).slice(0, -1));
      }),
    );
  });
});

describe('the meter', () => {
  const partArbitrary = fc.record({
    part: fc.constantFrom(...CONTEXT_PARTS),
    characters: fc.nat(),
    tokens: fc.integer({ min: -5, max: 1_000_000 }),
  });
  test('shares of any parts add up to the bar', () => {
    fc.assert(
      fc.property(fc.array(partArbitrary, { maxLength: 14 }), (parts) => {
        const segments = meterSegments({ parts });
        const sum = segments.reduce((total, segment) => total + segment.share, 0);
        expect(segments.every((segment) => segment.share >= 0 && segment.share <= 1)).toBe(true);
        if (segments.length > 0) expect(sum).toBeCloseTo(1, 6);
      }),
    );
  });
  test('a large free window does not hide what is in the request', () => {
    const segments = meterSegments({
      parts: [
        { part: 'system', characters: 0, tokens: 400 },
        { part: 'free', characters: 0, tokens: 400_000 },
        { part: 'reserve', characters: 0, tokens: 1000 },
      ],
    });
    expect(segments.map((segment) => segment.part)).toEqual(['system', 'free', 'reserve']);
    expect(segments[0]?.share).toBeGreaterThanOrEqual(0.7);
    expect(segments[2]?.share).toBeGreaterThanOrEqual(0.05);
  });
  test('its value stays within its range and says its unit', () => {
    const forecast = {
      plan: plan({ budget: 3000, budgetUsed: 3500, budgetUnit: 'tokens', tokens: 3500 }),
      parts: [],
      totalTokens: 5000,
      windowTokens: null,
      model: 'm',
      promptVersion: '1',
    };
    expect(meterValues(forecast)).toMatchObject({
      now: 3000,
      max: 3000,
      level: 'full',
      window: 'window unknown',
      history: 'history ~3,500 of 3,000 tokens',
    });
    expect(meterValues({ ...forecast, plan: plan() }).text).toBe('2 of 12,000 history characters, about 5,000 tokens in the next request');
  });
});

describe('request lines', () => {
  const sent = plan({
    entries: [
      entry(1, { disposition: 'dropped', reason: 'over the budget', tokens: 0 }),
      entry(2, { disposition: 'dropped', reason: 'over the budget', tokens: 0 }),
      entry(3, { disposition: 'compacted' }),
    ],
    messages: [
      { role: 'user', content: 'facts', kind: 'summary' },
      { role: 'user', content: 'q3', turn: 3 },
      { role: 'assistant', content: 'a3', turn: 3 },
    ],
  });
  test('wire order: system, tools, notes, turns, the question', () => {
    const lines = requestLines(sent, {
      parts: [
        { part: 'system', characters: 0, tokens: 9 },
        { part: 'tools', characters: 0, tokens: 8 },
      ],
      promptVersion: '7',
      question: '',
    });
    expect(lines.map((line) => [line.number, line.label, line.text])).toEqual([
      [1, 'system', 'prompt 7'],
      [2, 'tools', 'what Nimbus can look up and do'],
      [3, 'summary', 'facts'],
      [4, 'turn 3', 'q3'],
      [5, 'this question', 'nothing typed yet'],
    ]);
    expect(requestLines(plan(), null)).toEqual([]);
  });
  test('neighbours that were left out for the same reason are one row', () => {
    expect(leftOut(sent)).toEqual([{ from: 1, to: 2, disposition: 'dropped', reason: 'over the budget', setting: null }]);
  });
});

test('rows of the list say who acts next', () => {
  expect(rowWords(summary(FIRST, { turnState: 'failed' }))).toMatchObject({ word: 'Failed', tone: 'bad' });
  expect(rowWords(summary(FIRST, { turnState: 'answered', handoffReason: 'asked' })).word).toBe('Waiting for a human');
  expect(rowWords(summary(FIRST)).word).toBe('No messages yet');
  expect(rowWords(summary(FIRST, { turnState: 'running' })).word).toBe('Nimbus is answering');
  expect(rowWords(summary(FIRST, { turnState: 'running' }), false).word).toBe('Connection lost, state unknown');
  expect(rowWords(summary(FIRST, { turnState: 'answered' }), false).word).toBe('Answered');
  expect(rowText(summary(FIRST, { lastText: 'Hi', lastRole: 'assistant' }))).toEqual({ by: 'Nimbus: ', text: 'Hi' });
});

test('every setting of the contract is on the screen, once', () => {
  const shown = Object.values(SETTING_GROUPS).flatMap((fields) => fields.map((field) => field.key));
  // Prices have a table of their own; the prompt's version is chosen where versions are written.
  expect([...shown, 'models.prices', 'agent.promptVersion'].toSorted()).toEqual([...SETTING_KEYS].toSorted());
});
