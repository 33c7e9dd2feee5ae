/** Whatever the history, the three wire forms are ones the real APIs accept; and what happens to raw forms on their way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geminiParameters } from '../../electron/models/gemini.ts';
import { responseObject } from '../../electron/models/gemini-contents.ts';
import { isWellFormedValue } from '../../electron/models/history-rules.ts';
import { chatBody } from '../../electron/models/openai-chat.ts';
import { responsesBody, withFollowers } from '../../electron/models/openai-responses.ts';
import { prepareHistory, wireIds } from '../../electron/models/wire-history.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { newGeminiMemory, refuseGemini } from '../fakes/providers/gemini-wire.ts';
import { refuseChat } from '../fakes/providers/openai-chat-wire.ts';
import { newResponsesMemory, refuseResponses } from '../fakes/providers/openai-responses-wire.ts';
import { anyHistory } from './random-history.ts';
import { requestOf, says, user } from './support.ts';

const RUNS = { numRuns: 200 };
const learned = { noStreamOptions: false, singleCalls: false };
const history = anyHistory.map((messages): ContextMessage[] => [...messages, user('and now?')]);

/** A signature or sealed reasoning that no server issued cannot be accepted by one; everything else must be. */
const withoutOpaque = (messages: ContextMessage[]) =>
  messages.map((message) =>
    /thoughtSignature|reasoning/.test(message.providerRaw?.body ?? '') ? { ...message, providerRaw: undefined } : message,
  );

describe('P24 any history becomes a request that is accepted', () => {
  it('P24 P23 OpenAI Responses', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const ready = prepareHistory(withoutOpaque(messages), { provider: 'openai', model: 'gpt-5' });
        const body = responsesBody('gpt-5', requestOf(messages), ready.messages);
        expect(isWellFormedValue(body)).toBe(true);
        expect(refuseResponses(body, newResponsesMemory())).toBeNull();
      }),
      RUNS,
    );
  });

  it('P24 P23 Chat Completions, also with one call per message', () => {
    fc.assert(
      fc.property(history, fc.boolean(), (messages, singleCalls) => {
        const ready = prepareHistory(messages, { provider: 'openai-chat', model: 'gpt-4o-mini' });
        const body = chatBody({
          model: 'gpt-4o-mini',
          request: requestOf(messages),
          messages: ready.messages,
          official: true,
          learned: { ...learned, singleCalls },
        });
        expect(isWellFormedValue(body)).toBe(true);
        expect(refuseChat(body)).toBeNull();
      }),
      RUNS,
    );
  });

  it.each(['gemini-3-pro-preview', 'gemini-2.5-flash'])('P19 P24 %s', (model) => {
    fc.assert(
      fc.property(history, (messages) => {
        const ready = prepareHistory(messages, { provider: 'gemini', model });
        const { contents } = geminiParameters(model, requestOf(messages), ready.messages, false);
        expect(isWellFormedValue(contents)).toBe(true);
        expect(refuseGemini({ contents }, model, newGeminiMemory())).toBeNull();
      }),
      RUNS,
    );
  });
});

describe('prepareHistory', () => {
  const target = { provider: 'openai', model: 'gpt-5' };
  const raw = (provider: string, model: string, body: unknown) => ({ provider, model, body: JSON.stringify(body) });

  it('P19 foreign raw forms, those of another model and those of an edited message are not sent, and are counted', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' };
    const message = (text: string) => ({ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] });
    const ready = prepareHistory(
      [
        user('q'),
        { ...says('a'), providerRaw: raw('openai', 'gpt-5', [reasoning, message('a')]) },
        { ...says('b'), providerRaw: raw('openai', 'gpt-5', [reasoning, message('other words')]) },
        { ...says('c'), providerRaw: raw('openai', 'gpt-5-mini', [reasoning, message('c')]) },
        {
          ...says('d'),
          providerRaw: raw('gemini', 'g', [
            { text: 'd', thoughtSignature: 's' },
            { text: '', thoughtSignature: 't' },
          ]),
        },
        user('q'),
      ],
      target,
    );
    expect(ready.messages.map((entry) => entry.providerRaw !== undefined)).toEqual([false, true, false, false, false, false]);
    expect(ready.notices).toEqual(['2 thought signatures and 2 encrypted reasoning items could not travel to openai/gpt-5.']);
  });

  it('a history that ends with the model is asked to go on, an empty one is refused', () => {
    expect(prepareHistory([user('q'), says('half an ans')], target).messages.at(-1)).toMatchObject({
      role: 'user',
      content: 'Please continue.',
    });
    expect(() => prepareHistory([], target)).toThrow(/nothing to send/);
    expect(() => prepareHistory([user(' ')], target)).toThrow(/nothing to send/);
  });

  it('P24 more repairs than a person reads are counted', () => {
    const { notices } = prepareHistory([says('a'), ...Array.from({ length: 6 }, () => user(''))], target);
    expect(notices.join()).toMatch(/; and 4 more\.$/);
  });
});

describe('P20 reasoning items', () => {
  it('P20 never go without their follower', () => {
    const reasoning = { type: 'reasoning', id: 'rs', encrypted_content: 'x' };
    const call = { type: 'function_call', id: 'fc', call_id: 'a' };
    expect(withFollowers([reasoning, call, reasoning])).toEqual([reasoning, call]);
    expect(withFollowers([reasoning, reasoning])).toEqual([]);
    expect(withFollowers([{ no: 'type' }, reasoning, call])).toEqual([reasoning, call]);
  });

  it('P20 without their sealed text go with the ids that point to them', () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'a' };
    expect(withFollowers([{ type: 'reasoning', id: 'rs' }, call])).toEqual([{ type: 'function_call', call_id: 'a' }]);
  });
});

describe('P23 ids', () => {
  const calls = (...ids: string[]): ContextMessage => ({
    role: 'assistant',
    content: '',
    toolCalls: ids.map((id) => ({ id, name: 'f', arguments: {} })),
  });
  it('P23 are short, unique, and those that fit stay', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(fc.string({ maxLength: 90 }), fc.constantFrom('short_1', 'short_2'))), (ids) => {
        const mapped = [...wireIds([calls(...ids)], 40).values()];
        expect(new Set(mapped).size).toBe(ids.length);
        for (const [index, id] of mapped.entries()) {
          expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
          if (/^[A-Za-z0-9_-]{1,40}$/.test(ids[index] ?? '')) expect(id).toBe(ids[index]);
        }
      }),
    );
  });
});

describe('P17 function responses', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1,2]', { result: [1, 2] }],
    ['"text"', { result: 'text' }],
    ['not json', { result: 'not json' }],
    ['{"id":7088992364139642880}', { result: '{"id":7088992364139642880}' }],
    ['{"id":"7088992364139642880"}', { id: '7088992364139642880' }],
  ])('are objects: %s', (content, expected) => {
    expect(responseObject(content)).toEqual(expected);
  });
});
