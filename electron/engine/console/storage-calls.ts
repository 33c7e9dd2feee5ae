/** The calls about where conversations are kept, and a console that has nothing else because its storage could not be opened. */
import type { ConsoleApi, Method, Params, Result } from '../../../shared/console-api.ts';
import type { ErrorInfo } from '../../../shared/errors.ts';
import { ConsoleError, fromErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import type { StorageDesk } from '../ports.ts';
import { parseParams } from './call-params.ts';
import type { Handlers } from './service-deps.ts';

export type StorageCalls = Pick<Handlers, 'getStorage' | 'testStorage' | 'migrateStorage' | 'saveStorage' | 'restartConsole'>;

/** Without a desk every call is `unsupported`. */
export function storageCalls(desk: StorageDesk | null): StorageCalls {
  const required = (): StorageDesk => {
    if (desk !== null) return desk;
    throw new ConsoleError('unsupported', 'This console cannot choose its storage.');
  };
  return {
    getStorage: async () => ({ storage: await required().view() }),
    testStorage: async ({ connection }) => ({ report: await required().test(connection) }),
    async migrateStorage({ connection, adminUrl }) {
      const changes = await required().migrate(connection, adminUrl);
      return { changes, report: await required().test(connection) };
    },
    async saveStorage({ choice, connection, keep }) {
      await required().save(choice, connection, keep);
      return { storage: await required().view() };
    },
    async restartConsole({ here }) {
      required().restart(here);
      return {};
    },
  };
}

/** What a page gets while there is no storage: its choice, and for everything else the reason. */
export function consoleWithoutStorage(reason: ErrorInfo, desk: StorageDesk): ConsoleApi {
  const calls: Partial<Handlers> = storageCalls(desk);
  return {
    async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
      const handler: Handlers[M] | undefined = calls[method];
      if (handler === undefined) throw fromErrorInfo(reason);
      try {
        return await handler(parseParams(method, params));
      } catch (error) {
        throw error instanceof ConsoleError ? error : new ConsoleError('internal', toErrorInfo(error).message, { cause: error });
      }
    },
    subscribe: () => () => undefined,
  };
}
