import { expect, test } from 'vitest';
import { connectionOf, formOf } from '../../renderer/settings/storage-form.ts';
import type { StorageView } from '../../shared/storage-choice.ts';

const SERVER = { hosts: 'db1, db2:3308', port: 3307, database: 'nimbus', user: 'console', caFile: '' };
const VIEW: StorageView = {
  inUse: 'mysql',
  place: '',
  folder: 'Nimbus',
  fixedBy: [],
  next: 'mysql',
  server: SERVER,
  password: 'keychain',
  keyStorage: { canPersist: true, reason: '' },
  problem: '',
  isSetAside: false,
};
const FORM = formOf(VIEW);

test('untouched fields mean the saved server with its kept password', () => {
  expect(connectionOf(FORM, VIEW)).toEqual({ connection: { ...SERVER, password: null } });
});

test.each([
  [{ hosts: ' ' }, 'hosts'],
  [{ port: '' }, 'port'],
  [{ port: '65536' }, 'port'],
  [{ port: '33o6' }, 'port'],
  [{ database: '' }, 'database'],
  [{ user: '' }, 'user'],
  [{ authority: 'own' as const, caFile: ' ' }, 'caFile'],
  [{ entry: 'address' as const, url: 'db1' }, 'url'],
  [{ user: 'other' }, 'password'],
  [{ hosts: 'db1' }, 'password'],
])('%o: the field %s comes first', (change, missing) => {
  expect(connectionOf({ ...FORM, ...change }, VIEW)).toEqual({ missing });
});

test('a typed password goes along, and without a kept one an empty one does', () => {
  expect(connectionOf({ ...FORM, user: 'other', password: 'typed' }, VIEW)).toMatchObject({
    connection: { user: 'other', password: 'typed' },
  });
  expect(connectionOf(FORM, { ...VIEW, password: 'none' })).toMatchObject({ connection: { password: '' } });
});

test('an authority that is not chosen is left out, and an address takes the place of the fields', () => {
  expect(connectionOf({ ...FORM, caFile: '/ca.pem' }, VIEW)).toMatchObject({ connection: { caFile: '' } });
  expect(connectionOf({ ...FORM, entry: 'address', url: ' mysql://a:b@h/d ' }, VIEW)).toEqual({ connection: { url: 'mysql://a:b@h/d' } });
});

test('where nothing can be kept the password is for this session', () => {
  expect(formOf({ ...VIEW, keyStorage: { canPersist: false, reason: 'No.' } }).keep).toBe('session');
  expect(formOf({ ...VIEW, next: 'memory', server: null })).toMatchObject({
    choice: 'sqlite',
    hosts: '',
    port: '3306',
    database: 'nimbus',
  });
});
