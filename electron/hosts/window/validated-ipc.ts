/** Does I/O: the only place that hears what a page sends. Sender, frame and form are checked before the engine sees anything. */
import { ipcMain } from 'electron';
import type { WebContents } from 'electron';
import type { ConsoleApi } from '../../../shared/console-api.ts';
import { menuSchema } from '../../../shared/menu.ts';
import type { MenuModel } from '../../../shared/menu.ts';
import { IPC_CALL, IPC_COMMAND, IPC_EVENTS, IPC_MENU } from '../../../shared/rpc.ts';
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

/**
 * Opens the channels for calls and for the menu. `onMenu` gets a menu of the right form and the way to tell its page what was chosen; a menu of
 * another form is dropped.
 */
export function createValidatedIpc(
  api: ConsoleApi,
  onMenu: (menu: MenuModel, choose: (command: string) => void) => void = () => undefined,
): ValidatedIpc {
  const dispatchers = new WeakMap<WebContents, Dispatcher>();
  ipcMain.handle(IPC_CALL, async (event, request: unknown): Promise<RpcReply> => {
    const dispatcher = dispatchers.get(event.sender);
    if (dispatcher === undefined || !isTrustedSender(event.senderFrame)) return REFUSED;
    return dispatcher.dispatch(request);
  });
  ipcMain.handle(IPC_MENU, (event, menu: unknown): void => {
    const contents = event.sender;
    const parsed = menuSchema.safeParse(menu);
    if (!dispatchers.has(contents) || !isTrustedSender(event.senderFrame) || !parsed.success) return;
    onMenu(parsed.data, (command) => {
      if (!contents.isDestroyed() && isOurPage(contents.getURL())) contents.send(IPC_COMMAND, command);
    });
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
    dispose: () => {
      ipcMain.removeHandler(IPC_CALL);
      ipcMain.removeHandler(IPC_MENU);
    },
  };
}
