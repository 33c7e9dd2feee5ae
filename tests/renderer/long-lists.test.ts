/** Rows of the log and of the list: what is drawn, what is missing, where keys and found places lead. */
import { describe, expect, test } from 'vitest';
import { findKey } from '../../renderer/chat/composer-keys.ts';
import { FIND_LIMIT } from '../../renderer/chat/find-bar.tsx';
import { firstPlaceFrom, nextPlace, placeAt } from '../../renderer/chat/find-places.ts';
import { missingPage, newSince, parsePlaces, placesText, rowAt, rowCount, rowKey, rowOfTurn } from '../../renderer/chat/log-rows.ts';
import { followsEnd } from '../../renderer/chat/scroll-rules.ts';
import { MAX_SNIPPETS as ASKED_SNIPPETS } from '../../renderer/conversations/conversation-list.tsx';
import { markedPieces, missingRows, rowAt as listRowAt, rowOfKey } from '../../renderer/conversations/list-rows.ts';
import { MAX_FIND_LENGTH, MAX_SNIPPETS } from '../../shared/api/reading.ts';
import { FIRST, summary } from './fakes/samples.ts';

const turns = Array.from({ length: 5_000 }, (_, index) => index + 1);

test('limits of the page are those of the contract', () => {
  expect([FIND_LIMIT, ASKED_SNIPPETS]).toEqual([MAX_FIND_LENGTH, MAX_SNIPPETS]);
});

describe('rows of the log', () => {
  test('notes, turns and the tail, in order; a key stays when rows come before it', () => {
    const shape = { turns: [0, 1, 4], hasNotes: true };
    expect(Array.from({ length: rowCount(shape) }, (_, index) => rowKey(shape, index))).toEqual(['notes', 0, 1, 4, 'tail']);
    expect(rowAt({ turns: [], hasNotes: false }, 0)).toEqual({ kind: 'tail' });
    expect(rowKey({ turns: [1, 4], hasNotes: false }, 1)).toBe(4);
  });

  test('a turn is found in 5,000; one that is not there leads to the next', () => {
    expect(rowOfTurn({ turns, hasNotes: false }, 2_468)).toBe(2_467);
    expect(rowOfTurn({ turns: [1, 4, 9], hasNotes: true }, 5)).toBe(3);
    expect(rowOfTurn({ turns: [1, 4, 9], hasNotes: false }, 99)).toBe(3);
  });

  test('a page is asked for where turns are missing in or near the view, the newest first', () => {
    const shape = { turns, hasNotes: false };
    expect(missingPage(shape, () => true, { first: 10, last: 20 })).toBeNull();
    expect(missingPage(shape, (turn) => turn > 4_900, { first: 4_950, last: 4_960 })).toBeNull();
    expect(missingPage(shape, (turn) => turn > 4_940, { first: 4_945, last: 4_950 })).toEqual({ last: 4_940, turns: 40 });
    const far = missingPage(shape, () => false, { first: 2_000, last: 2_006 });
    expect(far).toEqual({ last: 2_019, turns: 40 });
    expect(missingPage({ turns: [], hasNotes: true }, () => false, { first: 0, last: 1 })).toBeNull();
  });

  test('turns that came since count, none before', () => {
    expect(newSince(turns, 4_997)).toBe(3);
    expect(newSince([], 0)).toBe(0);
  });

  test('places of reading survive as text; broken text is no place', () => {
    const places = new Map([['a', { turn: 7, offset: 12.4 }]]);
    expect(parsePlaces(placesText(places))).toEqual(new Map([['a', { turn: 7, offset: 12 }]]));
    for (const text of [null, '', '{', '{"a":1}', '[["a","b",1],3]']) expect(parsePlaces(text).size).toBe(0);
  });
});

describe('following the end', () => {
  const at = { follows: true, total: 1_000, height: 400, distance: 0 };
  test('an answer that grows, and a field that grows below, keep it', () => {
    expect(followsEnd(at, { total: 1_700, height: 400, distance: 700 })).toBe(true);
    expect(followsEnd(at, { total: 1_000, height: 200, distance: 200 })).toBe(true);
  });
  test('a person who scrolls up ends it, also while the answer grows; who comes back begins it again', () => {
    expect(followsEnd(at, { total: 1_000, height: 400, distance: 120 })).toBe(false);
    expect(followsEnd(at, { total: 1_020, height: 400, distance: 140 })).toBe(false);
    expect(followsEnd({ ...at, follows: false, distance: 300 }, { total: 1_100, height: 400, distance: 400 })).toBe(false);
    expect(followsEnd({ ...at, follows: false, distance: 300 }, { total: 1_000, height: 400, distance: 10 })).toBe(true);
  });
});

describe('found places', () => {
  const found = [
    { turn: 2, messageId: 'a', count: 2 },
    { turn: 2, messageId: 'b', count: 1 },
    { turn: 9, messageId: 'c', count: 3 },
  ];
  test('a place knows its turn and its number in the turn', () => {
    expect([0, 1, 2, 3, 5].map((place) => placeAt(found, place))).toEqual([
      { turn: 2, inTurn: 0 },
      { turn: 2, inTurn: 1 },
      { turn: 2, inTurn: 2 },
      { turn: 9, inTurn: 0 },
      { turn: 9, inTurn: 2 },
    ]);
    for (const none of [-1, 6]) expect(placeAt(found, none)).toBeNull();
  });
  test('the search begins at the turn in view and goes round', () => {
    expect([1, 2, 3, 10].map((turn) => firstPlaceFrom(found, turn))).toEqual([0, 0, 3, 5]);
    expect(firstPlaceFrom([], 1)).toBe(-1);
    expect([nextPlace(5, 1, 6), nextPlace(0, -1, 6), nextPlace(-1, 1, 0)]).toEqual([0, 5, -1]);
  });
});

describe('the list of conversations', () => {
  test('rows near the loaded ones come in order, far ones by their page', () => {
    const loaded = { count: 100, hasMore: true, far: {}, page: 100 };
    expect(missingRows({ first: 0, last: 10 }, loaded)).toBeNull();
    expect(missingRows({ first: 80, last: 92 }, loaded)).toBe('next');
    expect(missingRows({ first: 60_000, last: 60_010 }, loaded)).toBe(600);
    expect(missingRows({ first: 59_995, last: 60_005 }, { ...loaded, far: { 599: [] } })).toBe(600);
    expect(missingRows({ first: 60_000, last: 60_010 }, { ...loaded, hasMore: false })).toBeNull();
  });
  test('a row is taken from the loaded ones or from its far page', () => {
    const far = summary(FIRST);
    expect(listRowAt([], { 600: [far] }, 60_000, 100)).toBe(far);
    expect(listRowAt([far], {}, 0, 100)).toBe(far);
    expect(listRowAt([far], {}, 1, 100)).toBeNull();
  });
  test('arrows, pages and ends; an empty list goes nowhere', () => {
    expect([rowOfKey('ArrowDown', 3, 10, 4), rowOfKey('ArrowUp', 0, 10, 4), rowOfKey('PageDown', 3, 10, 4)]).toEqual([4, 0, 7]);
    expect([rowOfKey('PageDown', 8, 10, 4), rowOfKey('PageUp', 3, 10, 4), rowOfKey('Home', 9, 10, 4), rowOfKey('End', 0, 10, 4)]).toEqual([
      9, 0, 0, 9,
    ]);
    expect([rowOfKey('x', 0, 10, 4), rowOfKey('End', 0, 0, 4)]).toEqual([null, null]);
  });
  test('pieces of a snippet joined are the snippet', () => {
    const pieces = markedPieces('your refund is on', [{ start: 5, end: 11 }]);
    expect(pieces.map((piece) => piece.text).join('')).toBe('your refund is on');
    expect(pieces.filter((piece) => piece.marked).map((piece) => piece.text)).toEqual(['refund']);
    expect(markedPieces('', [])).toEqual([]);
  });
});

test('Ctrl or ⌘ with F finds, with G goes to a turn; other keys and input methods do not', () => {
  const press = { key: 'f', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, isComposing: false };
  expect([findKey(press), findKey({ ...press, key: 'G', ctrlKey: false, metaKey: true })]).toEqual(['text', 'turn']);
  for (const other of [{ ctrlKey: false }, { altKey: true }, { shiftKey: true }, { isComposing: true }, { key: 'h' }])
    expect(findKey({ ...press, ...other })).toBeNull();
});
