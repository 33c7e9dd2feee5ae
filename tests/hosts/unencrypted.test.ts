/** What is refused before any key could leave the machine, and models that are named without a name. */
import { describe, expect, test } from 'vitest';
import { compose } from '../../electron/compose.ts';
import { parseConfig } from '../../electron/config.ts';
import { checkedBaseUrl } from '../../electron/engine/providers/model-desk.ts';

const config = (env: Record<string, string>) =>
  parseConfig({ argv: [], env: { HOME: '/home/u', ...env }, environmentFile: null, cwd: '/', platform: 'linux' });

describe('addresses', () => {
  test.each(['OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'])(
    '%s: http to another machine is refused, https and this machine are fine',
    (name) => {
      for (const away of [
        'http://models.example/v1',
        'http://10.0.0.7:8080',
        'http://127.0.0.1.evil.example',
        'http://localhost.evil.example',
      ])
        expect(() => config({ [name]: away }), away).toThrow(/unencrypted; use https:/);
      for (const fine of ['https://models.example/v1', 'http://127.0.0.1:11434/v1', 'http://localhost:1234', 'http://[::1]:8080/v1'])
        expect(config({ [name]: fine })).toMatchObject({ dataFolder: expect.any(String) });
    },
  );

  test('the same for a base URL that is typed', () => {
    expect(() => checkedBaseUrl('http://models.example/v1')).toThrow(/unencrypted; write the base URL as https:\/\/models\.example/);
    expect(checkedBaseUrl('http://localhost:11434/v1/')).toBe('http://localhost:11434/v1');
  });
});

test.each(['openai', 'openai/', 'gemini/ ', 'openai-chat'])(
  'NIMBUS_MODEL=%s names no model: refused before a file is opened',
  async (model) => {
    const asked = config({ NIMBUS_MODEL: model, NIMBUS_STORAGE: 'memory' });
    await expect(compose(asked, { host: 'terminal' })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('names no model'),
    });
  },
);
