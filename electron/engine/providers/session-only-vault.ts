/** Pure: the vault of hosts without a key store: nothing is kept beyond this session. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { KeyVault } from '../ports.ts';

const REASON = 'Keys can be kept in the desktop window only, where the system has a key store.';

export const sessionOnlyVault: KeyVault = {
  storage: async () => ({ canPersist: false, reason: REASON }),
  read: async () => null,
  write: async () => {
    throw new ConsoleError('unsupported', REASON);
  },
  forget: async () => undefined,
};
