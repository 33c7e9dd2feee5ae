/** The history checker and its repair, on examples and on random lists of messages. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistory, isWellFormedValue, repairHistory, toWellFormedValue, UNKNOWN_RESULT } from '../../electron/models/history-rules.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { anyHistory } from './random-history.ts';

const user = (content: string): ContextMessage => ({ role: 'user', content });
const says = (content: string): ContextMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): ContextMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'get_order', arguments: { order_id: 1043 } })),
});
const result = (id: string, content = '{"ok":true}'): ContextMessage => ({ role: 'tool', content, toolCallId: id, toolName: 'get_order' });

const valid: ContextMessage[] = [user('hello'), calls('a', 'b'), result('b'), result('a'), says('done'), user('thanks 😀')];

describe('checkHistory', () => {
  it('P24 accepts a valid history and an empty one', () => {
    expect(checkHistory(valid)).toEqual([]);
    expect(checkHistory([])).toEqual([]);
  });

  it.each<[string, ContextMessage[], RegExp]>([
    ['a first message of the assistant', [says('hello')], /first message must be from the user/],
    ['an open call at the end', [user('x'), calls('a')], /end of the history: call "a" .* no result/],
    ['an open call before the next message', [user('x'), calls('a', 'b'), result('a'), user('y')], /call "b" .* no result/],
    ['an orphan result', [user('x'), result('a')], /answers no call/],
    ['a result that comes too late', [user('x'), calls('a'), user('y'), result('a')], /answers no call/],
    ['two results for one call', [user('x'), calls('a'), result('a'), result('a')], /second result for call "a"/],
    ['a repeated id', [user('x'), calls('a'), result('a'), calls('a'), result('a')], /"a" is used twice/],
    ['an empty user message', [user(' ')], /user message is empty/],
    ['an empty answer', [user('x'), says('')], /assistant message is empty/],
    ['an empty result', [user('x'), calls('a'), result('a', '')], /tool message is empty/],
    [
      'an illegal tool name',
      [user('x'), { ...calls('a'), toolCalls: [{ id: 'a', name: 'a b', arguments: {} }] }, result('a')],
      /legal tool name/,
    ],
    ['half an emoji', [user('cut \ud83d')], /surrogate/],
    [
      'half an emoji in arguments',
      [user('x'), { ...calls('a'), toolCalls: [{ id: 'a', name: 'f', arguments: { note: ['\ude00'] } }] }, result('a')],
      /surrogate/,
    ],
    ['calls on a user message', [{ ...user('x'), toolCalls: [{ id: 'a', name: 'f', arguments: {} }] }], /cannot call tools/],
    ['a call id on an answer', [user('x'), { ...says('y'), toolCallId: 'a' }], /cannot answer a call/],
  ])('P24 refuses %s', (_name, history, problem) => {
    expect(checkHistory(history).join('; ')).toMatch(problem);
  });
});

describe('repairHistory', () => {
  it('P24 leaves a valid history as it is, object by object', () => {
    const repaired = repairHistory(valid);
    expect(repaired.repairs).toEqual([]);
    expect(repaired.messages).toHaveLength(valid.length);
    for (const [index, message] of repaired.messages.entries()) expect(message).toBe(valid[index]);
  });

  it('P24 three calls with one result get two results that say unknown, directly after', () => {
    const { messages } = repairHistory([user('x'), calls('a', 'b', 'c'), result('b', 'real'), user('y')]);
    expect(messages.map((message) => [message.role, message.toolCallId ?? '', message.content])).toEqual([
      ['user', '', 'x'],
      ['assistant', '', ''],
      ['tool', 'b', 'real'],
      ['tool', 'a', UNKNOWN_RESULT],
      ['tool', 'c', UNKNOWN_RESULT],
      ['user', '', 'y'],
    ]);
    expect(JSON.parse(UNKNOWN_RESULT)).toEqual({ status: 'unknown', reason: 'interrupted' });
    expect(messages[3]?.state).toBe('synthetic');
  });

  it('P24 a late result becomes untrusted text behind the group it landed in', () => {
    const { messages, repairs } = repairHistory([user('x'), calls('a'), result('zz', 'stray'), result('a', 'mine'), says('ok')]);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
    expect(messages[3]?.content).toContain('stray');
    expect(messages[3]?.trust).toBe('untrusted');
    expect(repairs).toHaveLength(1);
  });

  it('P24 renames a repeated id with its result and lets the provider form go', () => {
    const second: ContextMessage = { ...calls('a'), providerRaw: { provider: 'gemini', model: 'g', body: '[]' } };
    const { messages } = repairHistory([user('x'), calls('a'), result('a', '1'), second, result('a', '2')]);
    expect(messages[3]?.toolCalls?.[0]?.id).toBe('a-2');
    expect(messages[3]?.providerRaw).toBeUndefined();
    expect(messages[4]?.toolCallId).toBe('a-2');
    expect(messages[4]?.content).toBe('2');
  });

  it('P24 puts a user note before a history that starts with an answer, and notes what was left out', () => {
    const { messages, repairs } = repairHistory([says('hello'), user('')]);
    expect(messages[0]?.role).toBe('user');
    expect(repairs.join(' ')).toMatch(/empty user message was left out/);
  });

  it('P24 any list of messages passes the checker once repaired, and repairing again changes nothing', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { messages } = repairHistory(history);
        expect(checkHistory(messages)).toEqual([]);
        const again = repairHistory(messages);
        expect(again.repairs).toEqual([]);
        expect(again.messages).toEqual(messages);
        expect(isWellFormedValue(messages.map((message) => message.content))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('P24 says nothing about a history exactly when the checker finds nothing', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(repairHistory(history).repairs.length === 0).toBe(checkHistory(history).length === 0);
      }),
      { numRuns: 300 },
    );
  });

  it('P24 no text is lost: every content and every argument is found again', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const after = repairHistory(history).messages;
        const everything = after.map((message) => `${message.content}\n${JSON.stringify(message.toolCalls ?? [])}`).join('\n');
        for (const message of history) {
          if (message.content.trim() !== '') expect(everything).toContain(message.content.toWellFormed());
          for (const { arguments: values } of message.toolCalls ?? []) {
            for (const value of Object.values(toWellFormedValue(values))) expect(everything).toContain(JSON.stringify(value));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('P24 a longer history keeps the same repaired beginning when the addition starts with a user message', () => {
    fc.assert(
      fc.property(anyHistory, anyHistory, (first, rest) => {
        const short = repairHistory([...first, user('next')]).messages;
        const long = repairHistory([...first, user('next'), ...rest]).messages;
        expect(long.slice(0, short.length)).toEqual(short);
      }),
      { numRuns: 300 },
    );
  });
});
