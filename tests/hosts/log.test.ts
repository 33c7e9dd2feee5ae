import { describe, expect, test } from 'vitest';
import { createLogger, redact } from '../../electron/log.ts';

describe('X4 log redaction', () => {
  test.each([
    'Incorrect API key provided: sk-canaryABCDEFGH1234. You can find it',
    'sk-proj-canary_abc-123',
    'key=AIzaCanaryabcdefghijklmnopqrstuvwxyz012',
    'authorization: Bearer canary.token-123',
    'connect mysql://nimbus:canary@db.example:3306/shop failed',
    'GET https://host/v1beta/models?key=canary123&alt=sse',
  ])('%s', (text) => {
    expect(redact(text).toLowerCase()).not.toContain('canary');
  });

  test('known secrets go wherever they stand, ordinary text stays', () => {
    expect(redact('refused: hunter22', ['hunter22'])).toBe('refused: …');
    expect(redact('order 1042 at https://shop.example/a?b=c is on its way, ask-me')).toBe(
      'order 1042 at https://shop.example/a?b=c is on its way, ask-me',
    );
  });

  test('a log line is one line, redacted, and never throws', () => {
    const lines: string[] = [];
    const logger = createLogger((line) => lines.push(line), ['topsecret']);
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    logger.warn('first\nsecond', { error: new Error('Bearer abcdef'), big: 1n, value: 'topsecret' });
    logger.error('circular', circular);
    expect(lines[0]).toBe('warning: first second {"error":"Bearer …","big":"1","value":"…"}');
    expect(lines[1]).toContain('error: circular');
    const broken = createLogger(() => {
      throw new Error('disk full');
    });
    expect(() => broken.error('x')).not.toThrow();
  });
});
