/** What people read when a value they gave has the wrong form. */
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../electron/config.ts';
import { parseParams } from '../../electron/hosts/request-validation.ts';
import { CONSOLE_API, type Method } from '../../shared/console-api.ts';
import { parseSetting, SETTING_KEYS } from '../../shared/settings.ts';

const INTERNAL = /Too big|Too small|Invalid|expected|received|NaN|Unrecognized|<=|>=|undefined/;
const ID = 'a'.repeat(32);

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('nothing was refused');
}

describe('parameters of calls', () => {
  test.each<[Method, unknown, string]>([
    [
      'sendMessage',
      { conversationId: ID, messageId: 'message-1', text: 'x'.repeat(100_001) },
      'the message is too long: at most 100,000 characters are taken, so shorten it or split it',
    ],
    ['sendMessage', { conversationId: ID, messageId: 'message-1', text: ' ' }, 'write a message first'],
    ['sendMessage', { conversationId: ID, messageId: 'message-1' }, 'the message must be text'],
    ['openConversation', { conversationId: 'x' }, 'a conversation id is 32 hexadecimal characters, as printed by "conversations"'],
    ['openConversation', { conversationId: ID, turns: 0 }, 'turns must be at least 1'],
    ['openConversation', { conversationId: ID, turns: 1.5 }, 'turns must be a whole number'],
    ['createConversation', { tenant: '' }, 'the tenant must not be empty'],
    ['createConversation', { actor: { type: 'x' } }, 'the actor: id must be text'],
    ['exportConversation', { conversationId: ID, format: 'pdf' }, 'the format must be openai, markdown or json'],
    ['previewContext', { conversationId: ID, strategy: 'none' }, 'the strategy must be recent-turns, summary or stable'],
    ['listConversations', 7, 'the call must be an object with fields'],
  ])('%s %j', (method, params, message) => {
    expect(refusalOf(() => parseParams(method, params))).toBe(message);
  });

  test('no call answers nonsense in the words of the library', () => {
    for (const method of Object.keys(CONSOLE_API) as Method[]) {
      for (const params of [7, 'x', [], { conversationId: 7, turn: 'x', text: 7, values: 7, limit: -1, model: 7, key: 7 }]) {
        const parsed = CONSOLE_API[method].params.safeParse(params);
        if (!parsed.success)
          expect(
            refusalOf(() => parseParams(method, params)),
            method,
          ).not.toMatch(INTERNAL);
      }
    }
  });
});

describe('settings', () => {
  test.each([
    ['memory.recentTurns', 'two', 'memory.recentTurns must be a number'],
    ['memory.recentTurns', '1.5', 'memory.recentTurns must be a whole number'],
    ['memory.recentTurns', '0', 'memory.recentTurns must be at least 1'],
    ['memory.maxChars', '100000001', 'memory.maxChars must be at most 100,000,000'],
    ['agent.maxSeconds', '0', 'agent.maxSeconds must be more than 0'],
    ['privacy.redact', 'maybe', 'privacy.redact must be true or false'],
    ['budget.action', 'shout', 'budget.action must be warn, handoff or stop'],
    ['models.prices', '{', 'models.prices: own prices are JSON: {"PROVIDER/MODEL": {"input": 250000, "output": 2000000}}'],
    ['models.prices', '{"a/b":{"input":-1,"output":1}}', 'models.prices: own prices: a/b → input must be at least 0'],
  ])('%s=%s', (key, value, reason) => {
    expect(parseSetting(key, value)).toEqual({ ok: false, reason });
  });

  test('no key answers nonsense in the words of the library', () => {
    for (const key of SETTING_KEYS)
      for (const value of [null, [], {}, Number.NaN, -1, 'x'.repeat(30_000)]) {
        const parsed = parseSetting(key, value);
        if (!parsed.ok) expect(parsed.reason, key).not.toMatch(INTERNAL);
      }
  });

  test('--strategy is named as it was typed', () => {
    const input = { env: { HOME: '/home/someone' }, environmentFile: null, cwd: '/tmp', platform: 'linux' };
    expect(refusalOf(() => parseConfig({ ...input, argv: ['--strategy=newest'] }))).toBe(
      '--strategy must be recent-turns, summary or stable',
    );
    expect(refusalOf(() => parseConfig({ ...input, argv: ['--set=memory.strategy=newest'] }))).toBe(
      'memory.strategy must be recent-turns, summary or stable',
    );
  });
});
