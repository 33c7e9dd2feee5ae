import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig, readConfig } from '../../electron/config.ts';
import type { ConfigInput } from '../../electron/config.ts';
import { parseEnvironmentFile } from '../../electron/environment-file.ts';
import { ALL_FLAGS, readFlags } from '../../electron/flags.ts';
import { ConsoleError } from '../../shared/errors.ts';

function config(input: Partial<ConfigInput> = {}) {
  return parseConfig({ argv: [], env: { HOME: '/home/ada' }, environmentFile: null, cwd: '/desk', platform: 'linux', ...input });
}

function refusal(input: Partial<ConfigInput>): string {
  try {
    config(input);
  } catch (error) {
    expect(error).toBeInstanceOf(ConsoleError);
    expect((error as ConsoleError).code).toBe('invalid-input');
    return (error as ConsoleError).message;
  }
  throw new Error('was not refused');
}

describe('data folder', () => {
  test.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.local/share/nimbus-console'],
    ['linux', { HOME: '/home/ada', XDG_DATA_HOME: '/data' }, '/data/nimbus-console'],
    ['linux', { HOME: '/home/ada', XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/nimbus-console'],
    ['darwin', { HOME: '/Users/ada', XDG_DATA_HOME: '/data' }, '/Users/ada/Library/Application Support/nimbus-console'],
    ['win32', { APPDATA: 'C:\\Users\\ada\\Roaming' }, 'C:\\Users\\ada\\Roaming\\nimbus-console'],
    ['win32', { USERPROFILE: 'C:\\Users\\ada' }, 'C:\\Users\\ada\\AppData\\Roaming\\nimbus-console'],
    ['linux', { HOME: '/home/ada', NIMBUS_DATA_DIR: '/elsewhere' }, '/elsewhere'],
    ['linux', { HOME: '/home/ada', NIMBUS_DATA_DIR: 'here' }, '/desk/here'],
    ['linux', { HOME: '/home/ada', NIMBUS_DATA_DIR: '' }, '/home/ada/.local/share/nimbus-console'],
  ])('%s %o → %s', (platform, env, folder) => {
    expect(config({ platform, env }).dataFolder).toBe(folder);
  });

  test('the flag wins over the variable, the variable over .env', () => {
    const environmentFile = 'NIMBUS_DATA_DIR=/file\n';
    expect(config({ environmentFile }).dataFolder).toBe('/file');
    expect(config({ environmentFile, env: { NIMBUS_DATA_DIR: '/env' } }).dataFolder).toBe('/env');
    expect(config({ environmentFile, env: { NIMBUS_DATA_DIR: '/env' }, argv: ['--data-dir=/flag'] }).dataFolder).toBe('/flag');
  });

  test('says what to do without any home', () => {
    expect(refusal({ env: {} })).toContain('NIMBUS_DATA_DIR');
  });
});

describe('models and keys', () => {
  test('without NIMBUS_MODEL no model is chosen, also when keys are present', () => {
    const result = config({ env: { HOME: '/h', OPENAI_API_KEY: 'sk-canary-1', GEMINI_API_KEY: 'AIzaCanary' } });
    expect(result.model).toBeNull();
    expect(result.providers.openaiApiKey).toBe('sk-canary-1');
    expect(result.providers.geminiApiKey).toBe('AIzaCanary');
  });

  test('NIMBUS_MODEL is kept as written', () => {
    expect(config({ env: { HOME: '/h', NIMBUS_MODEL: 'openai-chat/org/model:7b' } }).model).toBe('openai-chat/org/model:7b');
  });

  test.each(['ftp://host', 'host/v1', 'https://user:secret@host/v1'])('base URL %s is refused without being repeated', (text) => {
    const message = refusal({ env: { HOME: '/h', OPENAI_BASE_URL: text } });
    expect(message).toContain('OPENAI_BASE_URL');
    expect(message).not.toContain('secret');
  });
});

describe('storage, delay, settings', () => {
  test.each([
    [{}, 'sqlite'],
    [{ NIMBUS_STORAGE: 'sqlite', NIMBUS_MYSQL_URL: 'mysql://u:p@h/d' }, 'sqlite'],
    [{ NIMBUS_MYSQL_URL: 'mysql://u:p@h/d' }, 'mysql+cache'],
    [{ NIMBUS_STORAGE: 'mysql', NIMBUS_MYSQL_URL: 'mysql://u:p@h/d' }, 'mysql'],
  ])('%o → %s', (env, storage) => {
    expect(config({ env: { HOME: '/h', ...env } }).storage).toBe(storage);
  });

  test('storage that cannot be is refused', () => {
    expect(refusal({ env: { HOME: '/h', NIMBUS_STORAGE: 'mysql' } })).toContain('NIMBUS_MYSQL_URL');
    expect(refusal({ env: { HOME: '/h', NIMBUS_STORAGE: 'files' } })).toContain('sqlite');
  });

  test('the demo delay has a default and bounds', () => {
    expect(config().demoDelayMs).toBe(25);
    expect(config({ env: { HOME: '/h', NIMBUS_DEMO_DELAY_MS: '0' } }).demoDelayMs).toBe(0);
    for (const text of ['-1', '1.5', 'fast', '999999', '1e3']) {
      expect(refusal({ env: { HOME: '/h', NIMBUS_DEMO_DELAY_MS: text } })).toContain('NIMBUS_DEMO_DELAY_MS');
    }
  });

  test('--set and --strategy become overrides, the last one wins', () => {
    const { settingOverrides } = config({ argv: ['--set=memory.recentTurns=3', '--set=memory.recentTurns=4', '--strategy=stable'] });
    expect(settingOverrides).toEqual({ 'memory.recentTurns': 4, 'memory.strategy': 'stable' });
  });

  test.each([
    [['--set=memory.recentTurns'], '--set=KEY=VALUE'],
    [['--set=nope=1'], 'there is no setting "nope"'],
    [['--set=memory.recentTurns=0'], 'memory.recentTurns'],
    [['--strategy=best'], '--strategy must be recent-turns, summary or stable'],
    [['--actor=ada'], '--actor=TYPE:ID'],
    [['--subject=:x'], '--subject=TYPE:ID'],
    [['--nope'], '"--nope"'],
    [['-x'], '"-x"'],
    [['--data-dir'], '--data-dir=VALUE'],
    [['--browser=yes'], '--browser takes no value'],
  ])('%o is refused and says why', (argv, part) => {
    expect(refusal({ argv })).toContain(part);
  });

  test('axes: TYPE:ID split at the first colon, none is an autonomous run', () => {
    expect(config().axes).toEqual({ customerId: undefined, tenant: undefined, actor: undefined, subject: undefined });
    const { axes } = config({ argv: ['--actor=none', '--subject=order:a:b', '--tenant=acme', '--customer=c1'] });
    expect(axes).toEqual({ customerId: 'c1', tenant: 'acme', actor: null, subject: { type: 'order', id: 'a:b' } });
    expect(config({ argv: ['--actor=customer:7'] }).axes.actor).toEqual({ type: 'customer', id: '7' });
  });
});

describe('flags', () => {
  test('a command refuses flags that are not its own and names those it has', () => {
    expect(() => readFlags(['--port=1'], { flags: ['json', 'next'] })).toThrow(/--json --next=/);
  });

  test("Electron's own switches are left alone where the form says so", () => {
    const { flags, words } = readFlags(['--inspect=0', '--data-dir=/x', '-psn_0'], { flags: ['data-dir'], ignoreUnknown: true });
    expect(flags.value('data-dir')).toBe('/x');
    expect(words).toEqual([]);
  });

  test('values may hold equals signs; after -- everything is a word', () => {
    const { flags, words } = readFlags(['ask', '--next=a=b', '--', '--json', '-x'], { flags: ALL_FLAGS });
    expect(flags.value('next')).toBe('a=b');
    expect(flags.has('json')).toBe(false);
    expect(words).toEqual(['ask', '--json', '-x']);
  });
});

describe('.env', () => {
  test('reads plain, quoted, exported and commented lines', () => {
    const text = [
      '# comment',
      '',
      'A=1',
      'export B = two words # note',
      'C="line\\nbreak \\"q\\""  # note',
      "D='a # b'",
      'E=',
      'F=a#b',
      'A=later',
    ].join('\r\n');
    expect(parseEnvironmentFile(`\uFEFF${text}`)).toEqual({
      values: { A: 'later', B: 'two words', C: 'line\nbreak "q"', D: 'a # b', E: '', F: 'a#b' },
      problems: [],
    });
  });

  test('names bad lines without repeating them', () => {
    const { problems } = parseEnvironmentFile('A=1\nsk-secret-key\n1X=2\n');
    expect(problems).toEqual(['line 2: expected KEY=VALUE', 'line 3: expected KEY=VALUE']);
    expect(refusal({ environmentFile: 'sk-secret-key' })).not.toContain('secret');
  });

  test('is read from the working directory', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-env-'));
    try {
      writeFileSync(path.join(folder, '.env'), 'NIMBUS_DATA_DIR=data\n');
      expect(readConfig([], {}, folder).dataFolder).toBe(path.join(folder, 'data'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
