/** Does I/O: the sandboxed bridge. The page gets two functions and plain data, never an Electron object or an event. */
import { contextBridge, ipcRenderer } from 'electron';
import { IPC_CALL, IPC_EVENTS } from '../shared/rpc.ts';
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
};

contextBridge.exposeInMainWorld('consoleBridge', bridge);
