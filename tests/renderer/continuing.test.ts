/** Where Continue is offered. */
import { describe, expect, test } from 'vitest';
import { canContinue } from '../../renderer/turns/continuing.ts';
import { FIRST, message, record } from './fakes/samples.ts';

const question = message(FIRST, 1);
const partial = message(FIRST, 2, { role: 'assistant', origin: 'model', content: 'You will get', state: 'interrupted' });
const apology = message(FIRST, 3, { role: 'assistant', origin: 'system', content: 'Sorry.', state: 'failed' });
const nothing = message(FIRST, 2, { role: 'assistant', origin: 'system', content: '[stopped before an answer]', state: 'stopped' });
const newest = { isNewest: true, running: false };

describe('P11 Continue', () => {
  test.each(['failed', 'stopped', 'interrupted'] as const)('is offered where words of the model end a turn that %s', (state) => {
    expect(canContinue(record(FIRST, 1, { state }), [question, partial, apology], newest)).toBe(true);
  });

  test.each([
    ['without words of the model', record(FIRST, 1, { state: 'stopped' }), [question, nothing], newest],
    ['where nothing was said', record(FIRST, 1, { state: 'failed' }), [question, apology], newest],
    ['on an answered turn', record(FIRST, 1), [question, partial], newest],
    ['on an older turn', record(FIRST, 1, { state: 'failed' }), [question, partial], { ...newest, isNewest: false }],
    ['while a run is at work', record(FIRST, 1, { state: 'failed' }), [question, partial], { ...newest, running: true }],
    ['before its record is known', undefined, [question, partial], newest],
  ])('is not offered %s', (_where, turn, messages, at) => {
    expect(canContinue(turn, messages, at)).toBe(false);
  });
});
