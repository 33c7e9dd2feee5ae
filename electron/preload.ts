/** Does I/O: the sandboxed bridge. The page gets four functions and plain data, never an Electron object or an event. */
import { contextBridge, ipcRenderer } from 'electron';
import { IPC_CALL, IPC_COMMAND, IPC_EVENTS, IPC_MENU } from '../shared/rpc.ts';
import type { ConsoleBridge, RpcEvents, RpcReply } from '../shared/rpc.ts';

let lastId = 0;

const bridge: ConsoleBridge = {
  call(method, params) {
    lastId += 1;
    return ipcRenderer.invoke(IPC_CALL, { id: lastId, method, params }) as Promise<RpcReply>;
  },
  onEvents(listener) {
    const forward = (_event: unknown, batch: RpcEvents): void => listener(batch);
    ipcRenderer.on(IPC_EVENTS, forward);
    return () => {
      ipcRenderer.off(IPC_EVENTS, forward);
    };
  },
  setMenu(menu) {
    void ipcRenderer.invoke(IPC_MENU, menu);
  },
  onCommand(listener) {
    const forward = (_event: unknown, command: string): void => listener(command);
    ipcRenderer.on(IPC_COMMAND, forward);
    return () => {
      ipcRenderer.off(IPC_COMMAND, forward);
    };
  },
};

contextBridge.exposeInMainWorld('consoleBridge', bridge);
