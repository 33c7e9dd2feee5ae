/** Does I/O: the only place that hears what a page sends. Sender, frame and form are checked before the engine sees anything. */
import { ipcMain } from 'electron';
import type { WebContents } from 'electron';
import type { ConsoleApi } from '../../../shared/console-api.ts';
import { IPC_CALL, IPC_EVENTS } from '../../../shared/rpc.ts';
import type { RpcReply } from '../../../shared/rpc.ts';
import { createDispatcher } from '../rpc-dispatcher.ts';
import type { Dispatcher } from '../rpc-dispatcher.ts';
import { isOurPage } from './page-address.ts';

/** What is looked at of the frame that sent a message; null when the frame is gone. */
export interface SenderFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** Pure: only the top frame of our own page may speak. */
export function isTrustedSender(frame: SenderFrame | null): boolean {
  return frame !== null && frame.parent === null && isOurPage(frame.url);
}

const REFUSED: RpcReply = {
  id: -1,
  ok: false,
  error: { code: 'forbidden', message: 'this page may not call Nimbus Console', retryable: false },
};

export interface ValidatedIpc {
  /** Lets the page of these contents call, and sends it events until it is destroyed. */
  attach(contents: WebContents): void;
  dispose(): void;
}

/** Opens the one channel for calls. */
export function createValidatedIpc(api: ConsoleApi): ValidatedIpc {
  const dispatchers = new WeakMap<WebContents, Dispatcher>();
  ipcMain.handle(IPC_CALL, async (event, request: unknown): Promise<RpcReply> => {
    const dispatcher = dispatchers.get(event.sender);
    if (dispatcher === undefined || !isTrustedSender(event.senderFrame)) return REFUSED;
    return dispatcher.dispatch(request);
  });
  return {
    attach(contents) {
      const dispatcher = createDispatcher(api);
      dispatchers.set(contents, dispatcher);
      const stop = dispatcher.listen((batch) => {
        if (!contents.isDestroyed() && isOurPage(contents.getURL())) contents.send(IPC_EVENTS, batch);
      });
      contents.once('destroyed', stop);
    },
    dispose: () => ipcMain.removeHandler(IPC_CALL),
  };
}
