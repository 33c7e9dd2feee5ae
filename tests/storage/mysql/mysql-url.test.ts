import { expect, test } from 'vitest';
import { describeAddress, parseMysqlUrl } from '../../../electron/storage/mysql/mysql-url.ts';

test('user, password, hosts in order, database and certificate file', () => {
  expect(parseMysqlUrl('mysql://ann%40shop:p%3A%2Fw:x@db1.example:3307,[::1]:33,db2.example/console?ca=%2Fetc%2Fca.pem')).toEqual({
    user: 'ann@shop',
    password: 'p:/w:x',
    hosts: [
      { host: 'db1.example', port: 3307, isLoopback: false },
      { host: '::1', port: 33, isLoopback: true },
      { host: 'db2.example', port: 3306, isLoopback: false },
    ],
    database: 'console',
    caFile: '/etc/ca.pem',
  });
});

test('a user without a password, and the machine itself by each of its names', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    const address = parseMysqlUrl(`mysql://root@${host}/console`);
    expect([address.password, address.caFile, address.hosts[0]?.isLoopback]).toEqual(['', null, true]);
  }
  for (const host of ['127.0.0.1.example', '10.0.0.1', 'localhost.example', '[::2]']) {
    expect(parseMysqlUrl(`mysql://root@${host}/console`).hosts[0]?.isLoopback).toBe(false);
  }
});

test.each([
  'postgres://u:secret@h/d',
  'mysql://u:secret@h',
  'mysql://u:secret@h/',
  'mysql://u:secret@/d',
  'mysql://h/d',
  'mysql://:secret@h/d',
  'mysql://u:secret@h:0/d',
  'mysql://u:secret@h:65536/d',
  'mysql://u:secret@h:x/d',
  'mysql://u:secret@h,,h2/d',
  'mysql://u:secret%ZZ@h/d',
  'mysql://u:secret@h/d?ssl=off',
  'mysql://u:secret@h/d?ca=',
  '',
])('%j is refused in words that do not repeat the password', (url) => {
  expect(() => parseMysqlUrl(url)).toThrow(
    expect.objectContaining({ name: 'ConsoleError', code: 'invalid-input', message: expect.not.stringContaining('secret') }),
  );
});

test('what people are shown has no login', () => {
  expect(describeAddress(parseMysqlUrl('mysql://ann:secret@a:1,b/console'))).toBe('console on a:1, b:3306');
});
