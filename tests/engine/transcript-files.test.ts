/** Import and export files: checked whole, round-tripping, harmless whatever the text says. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../electron/engine/transcript-files.ts';
import { exportJson, exportMarkdown, exportOpenAi, parseImport } from '../../electron/engine/transcript-files.ts';
import { repairHistory, checkHistory } from '../../electron/models/history-rules.ts';
import type { StoredMessage } from '../../shared/conversation.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown, ...made: unknown[]) => ({ role: 'assistant', content, ...(made.length > 0 && { tool_calls: made }) });
const made = (id: unknown, name: unknown, args: unknown) => ({ id, type: 'function', function: { name, arguments: args } });
const result = (id: unknown, content: unknown) => ({ role: 'tool', tool_call_id: id, content });
const line = (...messages: unknown[]) => JSON.stringify({ messages });

function parsed(text: string) {
  const outcome = parseImport(text);
  if ('errors' in outcome) throw new Error(outcome.errors.join('\n'));
  return outcome;
}

function errors(text: string): string[] {
  const outcome = parseImport(text);
  return 'errors' in outcome ? outcome.errors : [];
}

function transcript(messages: Partial<StoredMessage>[]): Transcript {
  return {
    conversation: {
      id: 'a'.repeat(32),
      tenant: 'nimbus',
      actor: { type: 'customer', id: 'C-1' },
      subject: null,
      customerId: 'C-1',
      title: 'A `title`\n# with tricks',
      strategy: null,
      handoffReason: null,
      createdAt: 0,
      updatedAt: 0,
      turnCount: 1,
      messageCount: messages.length,
    },
    customer: null,
    messages: messages.map((message, index) => ({
      id: `m${index}`,
      conversationId: 'a'.repeat(32),
      turn: 1,
      seq: index + 1,
      role: 'user',
      content: '',
      origin: 'customer',
      trust: 'untrusted',
      at: 0,
      phpChars: 0,
      ...message,
    })),
  };
}

describe('import', () => {
  it('reads turns, calls, results, text parts; leaves system messages out with a notice', () => {
    const text = [
      JSON.stringify({
        system: 'policy',
        tools: [],
        messages: [
          { role: 'system', content: 'You are…' },
          user([
            { type: 'text', text: 'Where is ' },
            { type: 'text', text: '1042?' },
          ]),
          assistant(null, made('c1', 'get_order', '{"order_id":1042}'), made('c2', 'list_orders', '')),
          result('c2', '[]'),
          result('c1', '{"status":"shipped"}'),
          assistant('On its way.'),
          user('Thanks'),
        ],
      }),
      '',
      line(assistant('Welcome!'), user('Hi'), assistant('Hello')),
    ].join('\r\n');
    const { conversations, notices } = parsed(text);
    expect(conversations.map((one) => [one.line, one.turns.map((turn) => [turn.state, turn.messages.length])])).toEqual([
      [
        1,
        [
          ['answered', 5],
          ['interrupted', 1],
        ],
      ],
      [
        3,
        [
          ['answered', 1],
          ['answered', 2],
        ],
      ],
    ]);
    expect(conversations[0]?.turns[0]?.messages[0]).toEqual({
      role: 'user',
      content: 'Where is 1042?',
      origin: 'import',
      trust: 'untrusted',
    });
    expect(conversations[0]?.turns[0]?.messages[1]?.toolCalls).toEqual([
      { id: 'c1', name: 'get_order', arguments: { order_id: 1042 } },
      { id: 'c2', name: 'list_orders', arguments: {} },
    ]);
    expect(conversations[0]?.turns[0]?.messages[2]).toMatchObject({ toolCallId: 'c2', toolName: 'list_orders' });
    expect(notices).toEqual([
      'line 1: "system" was left out',
      'line 1: "tools" was left out',
      'line 1: 1 system message was left out',
      'line 1: ends without an answer; it stays open until you ask again',
    ]);
  });

  it.each([
    ['not json', '{oops', 'is not valid JSON (at character 2)'],
    ['a comma too many', '{"messages": [1,]}', "is not valid JSON: ']' is not expected near"],
    ['cut json', '{"messages": [', 'is not valid JSON: it ends too early'],
    ['a list', '[1]', 'is not a JSON object'],
    ['no messages', '{"x":1}', 'no "messages" list'],
    ['empty messages', line(), 'holds no messages'],
    ['only system', line({ role: 'system', content: 'x' }), 'holds no messages'],
    ['unknown role', line({ role: 'robot', content: 'x' }), 'message 1 has no role'],
    ['a message that is text', line('hi'), 'message 1 is not a JSON object'],
    ['an empty question', line(user('  ')), 'message 1 has neither text'],
    ['an empty answer', line(user('a'), assistant(null)), 'message 2 has neither text'],
    ['a picture', line(user([{ type: 'image_url', image_url: { url: 'https://example.com/x.png' } }])), 'only text parts'],
    ['content of a wrong type', line(user(7)), '"content" is neither'],
    [
      'a call without its result',
      line(user('a'), assistant(null, made('c1', 'f', '{}')), assistant('x')),
      '"c1" has no result before message 3',
    ],
    ['a call without its result at the end', line(user('a'), assistant(null, made('c1', 'f', '{}'))), '"c1" has no result before the end'],
    [
      'one of two results',
      line(user('a'), assistant(null, made('c1', 'f', '{}'), made('c2', 'f', '{}')), result('c1', 'x'), user('b')),
      '"c2" has no result',
    ],
    ['a result without its call', line(user('a'), result('c9', 'x')), 'message 2 answers no call before it: "c9"'],
    ['two results', line(user('a'), assistant(null, made('c1', 'f', '{}')), result('c1', 'x'), result('c1', 'y')), 'second or late result'],
    ['the same id twice at once', line(user('a'), assistant(null, made('c1', 'f', '{}'), made('c1', 'f', '{}'))), '"c1" is used twice'],
    ['arguments that are no JSON', line(user('a'), assistant(null, made('c1', 'f', '{oops'))), 'are no JSON object'],
    ['arguments that are a list', line(user('a'), assistant(null, made('c1', 'f', '[1]'))), 'are no JSON object'],
    ['arguments that are null', line(user('a'), assistant(null, made('c1', 'f', 'null'))), 'are no JSON object'],
    ['a call without id', line(user('a'), assistant(null, made('', 'f', '{}'))), 'has no id'],
    ['a call without name', line(user('a'), assistant(null, made('c1', '', '{}'))), 'no valid function name'],
    ['a call of a wrong form', line(user('a'), assistant(null, { id: 'c1' })), 'a tool call is not'],
    ['calls that are no list', line(user('a'), { role: 'assistant', content: 'x', tool_calls: {} }), 'is not a list'],
    ['a result without id', line(user('a'), { role: 'tool', content: 'x' }), 'has no tool_call_id'],
  ])('refuses %s and says why', (_, bad, reason) => {
    const found = errors(`${line(user('fine'), assistant('yes'))}\n${bad}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^line 2: /u);
    expect(found[0]).toContain(reason);
  });

  it('names every bad line, and a file without conversations', () => {
    expect(errors(`{\n${line(user('a'), assistant('b'))}\n[]`).map((error) => error.split(':')[0])).toEqual(['line 1', 'line 3']);
    expect(errors(' \n\n')).toHaveLength(1);
  });

  it('takes an id again that was answered before, and tells the two apart', () => {
    const { conversations, notices } = parsed(
      line(
        user('a'),
        assistant(null, made('c', 'f', '{}')),
        result('c', '1'),
        assistant(null, made('c', 'f', '{}')),
        result('c', '2'),
        assistant('x'),
      ),
    );
    const messages = conversations[0]?.turns[0]?.messages ?? [];
    expect(messages.flatMap((message) => message.toolCallId ?? [])).toEqual(['c', 'c-2']);
    expect(checkHistory(messages)).toEqual([]);
    expect(notices.join()).toContain('1 call id');
  });

  it('never throws, whatever the file holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.array(fc.json()).map((all) => `{"messages":[${all.join(',')}]}`),
        ),
        (text) => {
          const outcome = parseImport(text);
          expect('errors' in outcome ? outcome.errors.length : outcome.conversations.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  const recorded = '../shared/cases/conversations/airline.jsonl';
  if (existsSync(recorded))
    it('takes recorded conversations as they are, and each is sendable after repair', () => {
      const { conversations } = parsed(readFileSync(recorded, 'utf8'));
      expect(conversations).toHaveLength(40);
      for (const conversation of conversations) {
        const messages = conversation.turns.flatMap((turn) => turn.messages);
        expect(checkHistory(repairHistory(messages).messages)).toEqual([]);
      }
    });
});

const storedTurn = fc
  .record({
    question: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== ''),
    rounds: fc.array(
      fc.record({
        text: fc.string({ unit: 'binary' }),
        count: fc.integer({ min: 1, max: 4 }),
        args: fc.dictionary(fc.string(), fc.jsonValue()),
      }),
      { maxLength: 2 },
    ),
    answer: fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.trim() !== ''),
  })
  .map(({ question, rounds, answer }, index = 0): Partial<StoredMessage>[] => [
    { role: 'user', content: question.toWellFormed() },
    ...rounds.flatMap(({ text, count, args }, round): Partial<StoredMessage>[] => {
      const calls = Array.from({ length: count }, (_, n) => ({
        id: `c-${index}-${round}-${n}`,
        name: 'tool_name',
        arguments: JSON.parse(JSON.stringify(args)) as Record<string, unknown>,
      }));
      return [
        { role: 'assistant', content: text.toWellFormed(), toolCalls: calls },
        ...calls.map(
          (one): Partial<StoredMessage> => ({ role: 'tool', content: text.toWellFormed(), toolCallId: one.id, toolName: one.name }),
        ),
      ];
    }),
    { role: 'assistant', content: answer.toWellFormed() },
  ]);

const TRICKS =
  '</script><img src=x onerror=alert(1)>\n# Heading\n````\nfence\n[link](javascript:1) \u202egnirts \u001b]8;;evil\u0007 \u009b31m \u2028 end\r';

describe('export', () => {
  it('openai: one line that imports to the same messages', () => {
    fc.assert(
      fc.property(storedTurn, (messages) => {
        const text = exportOpenAi(transcript(messages));
        expect(text.trimEnd().split('\n')).toHaveLength(1);
        const back = parsed(text).conversations[0]?.turns.flatMap((turn) => turn.messages) ?? [];
        const plain = ({ role, content, toolCalls, toolCallId }: Partial<StoredMessage>) => ({ role, content, toolCalls, toolCallId });
        expect(back.map(plain)).toEqual(messages.map(plain));
      }),
    );
  });

  it.each([exportOpenAi, exportJson, exportMarkdown])('%o writes no control or direction character of the text', (format) => {
    const text = format(
      transcript([
        { content: TRICKS },
        { role: 'assistant', content: TRICKS, toolCalls: [{ id: `\u001b${TRICKS}`, name: 'f', arguments: { [TRICKS]: TRICKS } }] },
      ]),
    );
    expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  });

  it('json: the shape of show --json', () => {
    const value: unknown = JSON.parse(
      exportJson(
        transcript([
          { content: 'Hi', at: 5 },
          { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'f', arguments: { a: 1 } }] },
          { role: 'tool', content: '{}', toolCallId: 'c', toolName: 'f', state: 'synthetic' },
        ]),
      ),
    );
    expect(value).toMatchObject({
      conversation: 'a'.repeat(32),
      customer: 'C-1',
      messages: [
        { id: 'm0', turn: 1, role: 'user', content: 'Hi', at: '1970-01-01T00:00:00.005Z' },
        { id: 'm1', role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'f', arguments: { a: 1 } }] },
        { id: 'm2', role: 'tool', content: '{}', toolCallId: 'c', state: 'synthetic' },
      ],
    });
    expect(Object.keys((value as { messages: object[] }).messages[0] ?? {})).toEqual(['id', 'turn', 'role', 'content', 'at']);
  });

  it('markdown: text cannot leave its fence, whatever it holds', () => {
    const text = exportMarkdown(transcript([{ content: TRICKS }, { role: 'assistant', content: 'Fine.', state: 'stopped' }]));
    const lines = text.split('\n');
    const open = lines.findIndex((one) => /^`{5}text$/u.test(one));
    const close = lines.findIndex((one, index) => index > open && one === '`````');
    expect(open).toBeGreaterThan(0);
    expect(lines.slice(open, close).join('\n')).toContain('<img src=x');
    expect([...lines.slice(0, open), ...lines.slice(close)].join('\n')).not.toMatch(/<|javascript|^# Heading/mu);
    expect(text).toContain('**Nimbus** (stopped)');
    expect(text).toContain("`A 'title' # with tricks`");
  });
});
