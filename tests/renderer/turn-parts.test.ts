/** Turns in parts and words. */
import { describe, expect, test } from 'vitest';
import { answerText, canRetry, isFailedResult, planInWords, sentByTurn, turnMark, turnParts } from '../../renderer/turns/turn-parts.ts';
import { resultInWords, toolValue } from '../../renderer/turns/tool-values.ts';
import { cellsThatFit } from '../../renderer/turns/turn-map-fit.ts';
import { entry, FIRST, message, plan, record } from './fakes/samples.ts';

const call = (id: string) => ({ id, name: 'get_order', arguments: { order_id: 1042 } });

describe('turnParts', () => {
  test('question, calls with their results in order, answer', () => {
    const parts = turnParts([
      message(FIRST, 1),
      message(FIRST, 2, { role: 'assistant', content: 'Let me look.', toolCalls: [call('a'), call('b')] }),
      message(FIRST, 3, { role: 'tool', toolCallId: 'b', content: '{"error":"not_found"}' }),
      message(FIRST, 4, { role: 'tool', toolCallId: 'a', content: '{"ok":true}' }),
      message(FIRST, 5, { role: 'assistant', content: 'Done.' }),
    ]);
    expect(parts.questions.map((question) => question.text)).toEqual(['text 1']);
    expect(parts.parts.map((part) => (part.kind === 'text' ? part.text : `${part.call.id}:${part.failed}`))).toEqual([
      'Let me look.',
      'a:false',
      'b:true',
      'Done.',
    ]);
    expect(answerText(parts)).toBe('Let me look.\n\nDone.');
  });

  test('a result without its call has its own card, a call without result keeps none', () => {
    const parts = turnParts([
      message(FIRST, 1, { role: 'tool', toolCallId: 'x', content: '1' }),
      message(FIRST, 2, { role: 'assistant', content: '', toolCalls: [call('y')] }),
    ]);
    expect(parts.parts).toMatchObject([
      { kind: 'tool', result: '1' },
      { kind: 'tool', result: null },
    ]);
  });
});

test('a failure told as data is seen, whatever the text is', () => {
  expect(isFailedResult('{"error":"x"}')).toBe(true);
  expect(isFailedResult('{"ok":1}')).toBe(false);
  expect(isFailedResult('{"error')).toBe(false);
  expect(isFailedResult('plain')).toBe(false);
});

test('marks say what happened; an ordinary turn has none', () => {
  const none = turnParts([]);
  expect(turnMark(record(FIRST, 1), none)).toBeNull();
  const error = { code: 'model-overloaded' as const, message: 'The provider is overloaded.', retryable: true };
  expect(turnMark(record(FIRST, 1, { state: 'failed', error }), none)?.word).toBe('Failed: The provider is overloaded.');
  expect(turnMark(record(FIRST, 1, { state: 'stopped' }), none)?.word).toBe('Stopped');
  expect(turnMark(record(FIRST, 1), turnParts([message(FIRST, 1, { role: 'assistant', state: 'empty' })]))?.word).toMatch(/Empty answer/);
});

test('Retry is offered on the newest turn only, and only when nothing runs', () => {
  const failed = record(FIRST, 1, { state: 'failed' });
  expect(canRetry(failed, true, false)).toBe(true);
  expect(canRetry(failed, false, false)).toBe(false);
  expect(canRetry(failed, true, true)).toBe(false);
  expect(canRetry(record(FIRST, 1), true, false)).toBe(false);
});

test('what is sent, by turn, and the notes that stand for many', () => {
  const sent = sentByTurn(
    plan({
      messages: [
        { role: 'user', content: 'summary', kind: 'summary' },
        { role: 'user', content: 'q', turn: 2 },
        { role: 'assistant', content: 'a', turn: 2 },
      ],
    }),
  );
  expect(sent.notes).toHaveLength(1);
  expect(sent.turns.get(2)?.map((entryOf) => entryOf.content)).toEqual(['q', 'a']);
  expect(sentByTurn(null).turns.size).toBe(0);
});

test('a plan in words, without zeros', () => {
  expect(planInWords(plan({ entries: [entry(1, { disposition: 'dropped' }), entry(2), entry(3)] }))).toBe('2 in full, 1 dropped');
  expect(planInWords(null)).toBe('nothing to send yet');
});

describe('tool values', () => {
  test('flat objects are rows, anything else is text, broken JSON is itself', () => {
    expect(toolValue('{"a":1,"b":null}')).toEqual({
      kind: 'rows',
      rows: [
        { key: 'a', value: '1' },
        { key: 'b', value: 'null' },
      ],
    });
    expect(toolValue('{"a":[1]}').kind).toBe('text');
    expect(toolValue('{"a"')).toEqual({ kind: 'text', text: '{"a"' });
    expect(toolValue(undefined)).toEqual({ kind: 'text', text: '' });
  });

  test('a result in a few words', () => {
    expect(resultInWords(null)).toBe('');
    expect(resultInWords('{"error":"not_found"}')).toBe('error: not_found');
    expect(resultInWords('{"articles":[1,2,3]}')).toBe('3 articles');
    expect(resultInWords('{"eligible":false,"days":20}')).toBe('not eligible, days 20');
    expect(resultInWords('<b>text</b>')).toBe('<b>text</b>');
  });
});

test('the newest turns that fit are shown, at least one', () => {
  const turns = Array.from({ length: 200 }, (_, index) => index + 1);
  expect(cellsThatFit(turns, 0)).toEqual([200]);
  expect(cellsThatFit([], 500)).toEqual([]);
  const shown = cellsThatFit(turns, 300);
  expect(shown.at(-1)).toBe(200);
  expect(shown.length).toBeLessThan(15);
  expect(cellsThatFit([1, 2, 3], 300)).toEqual([1, 2, 3]);
});
