/** Electron's `ipcMain`: one handler per channel, errors cross as text. */
import { EventEmitter } from 'node:events';
import { strict } from './strict.ts';

type InvokeHandler = (event: unknown, ...values: unknown[]) => unknown;
const invokeHandlers = new Map<string, InvokeHandler>();

class IpcMain extends EventEmitter {
  handle(channel: string, handler: InvokeHandler): void {
    if (invokeHandlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    invokeHandlers.set(channel, handler);
  }
  handleOnce(channel: string, handler: InvokeHandler): void {
    this.handle(channel, (...given) => {
      invokeHandlers.delete(channel);
      return handler(...given);
    });
  }
  removeHandler(channel: string): void {
    invokeHandlers.delete(channel);
  }
}

export const ipcMain = strict('ipcMain', new IpcMain());

/** Rejects where no handler is registered, as the real one does. */
export async function invoke(channel: string, event: unknown, values: unknown[]): Promise<unknown> {
  const handler = invokeHandlers.get(channel);
  if (!handler) throw new Error(`No handler registered for '${channel}'`);
  return handler(event, ...values);
}
