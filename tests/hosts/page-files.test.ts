import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainPath, readPageFile } from '../../electron/hosts/page-files.ts';
import { contentSecurityPolicy, securityHeaders } from '../../electron/hosts/page-security.ts';

let base = '';
let folder = '';

beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'nimbus-page-'));
  folder = path.join(base, 'page');
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(path.join(folder, 'assets', 'a b.js'), '1');
  writeFileSync(path.join(folder, '.stamp'), 'hidden');
  writeFileSync(path.join(base, 'secret.txt'), 'secret');
  symlinkSync(path.join(base, 'secret.txt'), path.join(folder, 'assets', 'link.txt'));
});
afterAll(() => rmSync(base, { recursive: true }));

describe('E18 files of the page', () => {
  test('serves what is there, with its type', async () => {
    expect(await readPageFile(folder, '/')).toMatchObject({ kind: 'file', type: 'text/html; charset=utf-8' });
    expect(await readPageFile(folder, '/assets/a%20b.js')).toMatchObject({ kind: 'file', type: 'text/javascript; charset=utf-8' });
    expect(await readPageFile(folder, '/nothing.js')).toEqual({ kind: 'missing' });
    expect(await readPageFile(folder, '/assets')).toEqual({ kind: 'missing' });
    expect(await readPageFile(folder, '/.stamp')).toEqual({ kind: 'missing' });
  });

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/..\\secret.txt',
    '/assets/link.txt',
    '/index.html%00.js',
    '/%',
    'http://elsewhere/index.html',
    'secret.txt',
  ])('%s is refused', async (urlPath) => {
    expect((await readPageFile(folder, urlPath)).kind).toBe('refused');
  });

  test('no path at all leads out of the folder', () => {
    const piece = fc.constantFrom('/', '..', '.', '%2e', '%2f', '\\', '%5c', 'a', '%00', '//', '\u0000', '%c0%ae');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const relative = plainPath(`/${pieces.join('')}`);
        if (relative === null) return;
        expect(path.join('/page', relative).startsWith('/page')).toBe(true);
      }),
    );
  });
});

describe('E7 content security policy', () => {
  const KNOWN: Readonly<Record<string, string>> = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'object-src': "'none'",
    'require-trusted-types-for': "'script'",
  };

  test('has exactly the directives of the policy, each spelled as browsers know it', () => {
    const directives = contentSecurityPolicy()
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]);
    expect(Object.fromEntries(directives)).toEqual(KNOWN);
  });

  test('a further connection is added to connect-src only', () => {
    expect(contentSecurityPolicy(['ws://127.0.0.1:1'])).toBe(
      contentSecurityPolicy().replace("connect-src 'self'", "connect-src 'self' ws://127.0.0.1:1"),
    );
  });

  test('no header allows another origin', () => {
    expect(Object.keys(securityHeaders('p')).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
