/** Two requests compared: the first difference, its cause, and what it costs of the cache. */
import { describe, expect, it } from 'vitest';
import { diffRequests } from '../../../electron/engine/inspect/request-diff.ts';
import { cacheable, commonStart, requestParts, sharedStart } from '../../../electron/engine/inspect/request-parts.ts';
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { ToolSpec } from '../../../shared/tool.ts';

const estimator = { name: 'words', count: (text: string) => text.split(/\s+/u).filter((word) => word !== '').length };
const TOOL = { name: 'get_order', description: 'Reads an order', parameters: {}, effect: 'read' } as unknown as ToolSpec;
const user = (turn: number, content: string): ContextMessage => ({ role: 'user', content, turn });
const said = (turn: number, content: string): ContextMessage => ({ role: 'assistant', content, turn });
const request = (messages: ContextMessage[], system = 'Be short.', tools = [TOOL]) => ({ system, tools, messages });
const BASE = [user(1, 'Where is order 1042?'), said(1, 'Delivered.'), user(2, 'And 1043?')];
const causeOf = (to: Parameters<typeof diffRequests>[1]) => diffRequests(request(BASE), to, estimator).cause;

describe('the diff of two requests', () => {
  it('of a request with itself has no difference and loses nothing', () => {
    const diff = diffRequests(request(BASE), request(BASE), estimator);
    expect(diff).toMatchObject({ cause: 'none', first: null, lostTokens: 0 });
    expect(diff.rows.every((row) => row.kind === 'same')).toBe(true);
    expect(diff.rows).toHaveLength(5);
    expect(diff.sharedTokens).toBe(diff.tokensBefore);
  });

  it('names message and character of the first difference', () => {
    const changed = [user(1, 'Where is order 1942?'), ...BASE.slice(1)];
    const diff = diffRequests(request(BASE), request(changed), estimator);
    expect(diff.first).toEqual({ part: 3, message: 1, character: 17, label: 'turn 1, user' });
    expect(diff.rows.map((row) => row.kind)).toEqual(['same', 'same', 'changed', 'same', 'same']);
  });

  it('says what caused it', () => {
    expect(causeOf(request(BASE, 'Be long.'))).toBe('prompt');
    expect(causeOf(request(BASE, 'Be short.', []))).toBe('tools');
    expect(causeOf(request([...BASE, said(2, 'Lost.'), user(3, 'Thanks')]))).toBe('new-turn');
    expect(
      causeOf(request([...BASE, { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'get_order', arguments: {} }], turn: 2 }])),
    ).toBe('new-step');
    expect(causeOf(request([{ role: 'user', kind: 'summary', content: 'Asked for 1042.' }, user(2, 'And 1043?')]))).toBe('compaction');
    expect(causeOf(request([user(1, 'Where is order 1042?'), said(1, 'Done'), user(2, 'And 1043?')]))).toBe('compaction');
    expect(
      causeOf(
        request([
          BASE[0] ?? user(1, ''),
          BASE[1] ?? said(1, ''),
          { role: 'user', kind: 'recalled', content: 'Turn 1 said …' },
          user(2, 'And 1043?'),
        ]),
      ),
    ).toBe('recalled');
    expect(causeOf(request([{ role: 'user', kind: 'memory', content: 'Likes tea.' }, ...BASE]))).toBe('memories');
    expect(causeOf(request([...BASE.slice(0, 2), user(2, 'And 1044?')]))).toBe('other-question');
  });

  it('keeps every part of both requests exactly once, in order', () => {
    const after = request([BASE[0] ?? user(1, ''), user(2, 'And 1043?'), said(2, 'Lost.')]);
    const diff = diffRequests(request(BASE), after, estimator);
    expect(diff.rows.flatMap((row) => row.before?.text ?? [])).toEqual(requestParts(request(BASE), estimator).map((part) => part.text));
    expect(diff.rows.flatMap((row) => row.after?.text ?? [])).toEqual(requestParts(after, estimator).map((part) => part.text));
  });

  it('counts cached tokens in whole blocks, and those lost after the first difference', () => {
    expect([0, 1023, 1024, 1151, 1152].map(cacheable)).toEqual([0, 0, 1024, 1024, 1152]);
    const long = 'word '.repeat(2000);
    const before = request([user(1, long), said(1, long)]);
    expect(diffRequests(before, request([user(1, long), said(1, 'short')]), estimator)).toMatchObject({ cacheableTokens: 1920 });
    const grown = diffRequests(before, request([user(1, long), said(1, long), user(2, 'more')]), estimator);
    expect(grown.lostTokens).toBe(0);
    expect(diffRequests(before, request([user(1, 'x'), said(1, long)]), estimator).lostTokens).toBe(cacheable(grown.tokensBefore));
  });

  it('never splits a pair of surrogates, and is quick on 2,000 messages', () => {
    expect(commonStart('a😀', 'a😁')).toBe(1);
    const many = Array.from({ length: 2000 }, (_, index) => user(index + 1, `message ${index + 1}`));
    const other = many.map((message, index) => (index % 2 === 0 ? message : user(index + 1, `other ${index + 1}`)));
    const diff = diffRequests(request(many), request(other), estimator);
    expect(diff.rows.filter((row) => row.kind === 'changed')).toHaveLength(1000);
    expect(sharedStart([], [])).toEqual({ parts: 0, tokens: 0 });
  });
});
