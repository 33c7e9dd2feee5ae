/**
 * Pure: the two scripts that run inside Chromium before any script of the page. As in Electron, the preload lives in an isolated world and the
 * page in the main world; they share the document only, so contextBridge crosses it in events whose detail is text.
 */
import { createWire, type HandOver, type Wire } from './wire.ts';

/** Name of the isolated world; CDP addresses it by this. */
export const ISOLATED_WORLD = 'Electron Isolated Context';
/** The binding through which the isolated world reaches the main process. */
export const BINDING = 'standinSend';

type Callable = (...values: unknown[]) => unknown;
interface Failure {
  name: string;
  message: string;
}
type Message =
  | { op: 'call'; id: string; values: unknown }
  | { op: 'answer'; value?: unknown; error?: Failure }
  | { op: 'settle'; id: string; value?: unknown; error?: Failure }
  | { op: 'expose'; key: string; value: unknown };

/** One end of the crossing. `side` makes ids unique; `expose` is what an `expose` message does here. */
function createCrossing(
  wire: Wire,
  side: string,
  incoming: string,
  outgoing: string,
  freeze: boolean,
  expose: (key: string, value: unknown) => void,
) {
  const target = document;
  const dispatch = target.dispatchEvent.bind(target);
  const EventClass = CustomEvent;
  const functions: Record<string, Callable> = Object.create(null);
  const waiting: Record<string, { resolve: Callable; reject: Callable }> = Object.create(null);
  const { freeze: frozen, values: valuesOf } = Object;
  const failure = (error: unknown): Failure =>
    error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) };
  const thrown = (error: Failure): Error => {
    const made = new Error(error.message);
    made.name = error.name;
    return made;
  };
  let count = 0;
  const answers: { value?: unknown; error?: Failure }[] = [];

  const post = (message: Message): void => {
    dispatch(new EventClass(outgoing, { detail: wire.encode(message, handOver) }));
  };
  const ask = (message: Message): unknown => {
    answers.length = 0;
    post(message);
    const got = answers[0];
    answers.length = 0;
    if (got?.error) throw thrown(got.error);
    return got?.value;
  };
  const handOver: HandOver = {
    give(kind, value) {
      const id = side + ++count;
      if (kind === 'function') functions[id] = value as Callable;
      else {
        (value as Promise<unknown>).then(
          (result) => post({ op: 'settle', id, value: result }),
          (error: unknown) => post({ op: 'settle', id, error: failure(error) }),
        );
      }
      return id;
    },
    take(kind, id) {
      if (kind === 'function') return (...values: unknown[]) => ask({ op: 'call', id, values });
      return new Promise((resolve, reject) => {
        waiting[id] = { resolve, reject };
      });
    },
  };
  const deepFreeze = (value: unknown): unknown => {
    if (value && typeof value === 'object') {
      for (const item of valuesOf(value)) deepFreeze(item);
      frozen(value);
    }
    return value;
  };
  const answering = (work: () => unknown): void => {
    let reply: Message;
    try {
      reply = { op: 'answer', value: work() };
    } catch (error) {
      reply = { op: 'answer', error: failure(error) };
    }
    post(reply);
  };
  const receive = (message: Message): void => {
    if (message.op === 'answer') answers[0] = message;
    else if (message.op === 'call') answering(() => functions[message.id]?.(...(message.values as unknown[])));
    else if (message.op === 'expose') answering(() => expose(message.key, freeze ? deepFreeze(message.value) : message.value));
    else {
      const promise = waiting[message.id];
      delete waiting[message.id];
      if (message.error) promise?.reject(thrown(message.error));
      else promise?.resolve(message.value);
    }
  };
  target.addEventListener(
    incoming,
    (event) => {
      event.stopImmediatePropagation();
      receive(wire.decode((event as CustomEvent<string>).detail, handOver) as Message);
    },
    true,
  );
  return { expose: (key: string, value: unknown) => ask({ op: 'expose', key, value }) };
}

/** What a sandboxed preload may require. */
function createPreloadApi(wire: Wire, send: (text: string) => void, expose: (key: string, value: unknown) => unknown) {
  const listeners: Record<string, Callable[]> = Object.create(null);
  const waiting: Record<number, { channel: string; resolve: Callable; reject: Callable }> = Object.create(null);
  let count = 0;
  const of = (channel: string): Callable[] => (listeners[channel] ??= []);
  const ipcRenderer = {
    invoke(channel: string, ...values: unknown[]) {
      return new Promise((resolve, reject) => {
        const id = ++count;
        const text = wire.encode({ op: 'invoke', id, channel, values });
        waiting[id] = { channel, resolve, reject };
        send(text);
      });
    },
    send(channel: string, ...values: unknown[]) {
      send(wire.encode({ op: 'send', id: 0, channel, values }));
    },
    on(channel: string, listener: Callable) {
      of(channel).push(listener);
      return ipcRenderer;
    },
    once(channel: string, listener: Callable) {
      const once: Callable = (...values) => {
        ipcRenderer.removeListener(channel, once);
        listener(...values);
      };
      return ipcRenderer.on(channel, once);
    },
    off: (channel: string, listener: Callable) => ipcRenderer.removeListener(channel, listener),
    removeListener(channel: string, listener: Callable) {
      listeners[channel] = of(channel).filter((one) => one !== listener);
      return ipcRenderer;
    },
    removeAllListeners(channel: string) {
      listeners[channel] = [];
      return ipcRenderer;
    },
  };
  const receive = (text: string): void => {
    const message = wire.decode(text) as { op: string; id: number; channel: string; values: unknown[]; value: unknown; error?: string };
    if (message.op === 'event') {
      for (const listener of of(message.channel).slice()) listener({ sender: ipcRenderer, ports: [] }, ...message.values);
      return;
    }
    const call = waiting[message.id];
    delete waiting[message.id];
    if (message.error === undefined) call?.resolve(message.value);
    else call?.reject(new Error(`Error invoking remote method '${call.channel}': ${message.error}`));
  };
  const contextBridge = {
    exposeInMainWorld(key: string, api: unknown) {
      expose(key, api);
    },
  };
  const electron = { contextBridge, ipcRenderer };
  const require = (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}; a sandboxed preload cannot load it`);
  };
  return { require, receive };
}

/** Script of the page's own world: takes what the preload exposes, frozen and read-only. */
export function mainWorldScript(secret: string): string {
  return `(() => {
  if (window !== window.top) return;
  const expose = (key, value) => {
    if (Object.hasOwn(window, key)) throw new Error('Cannot bind an API on top of an existing property on the window object');
    Object.defineProperty(window, key, { value, writable: false, configurable: false, enumerable: true });
  };
  (${createCrossing.toString()})((${createWire.toString()})(), 'page', '${secret}-in', '${secret}-out', true, expose);
})();`;
}

/** Script of the isolated world: the preload with Electron's renderer modules and a reduced `process`. */
export function isolatedWorldScript(secret: string, preload: string, processInfo: Record<string, unknown>): string {
  return `(() => {
  if (window !== window.top) return;
  const send = globalThis.${BINDING};
  delete globalThis.${BINDING};
  const wire = (${createWire.toString()})();
  const refuse = () => { throw new Error('the page exposes nothing to the preload'); };
  const crossing = (${createCrossing.toString()})(wire, 'preload', '${secret}-out', '${secret}-in', false, refuse);
  const api = (${createPreloadApi.toString()})(wire, send, crossing.expose);
  globalThis.standinReceive = api.receive;
  (function (require, process, module, exports, Buffer, global, setImmediate) {
${preload}
  }).call(undefined, api.require, Object.freeze(${JSON.stringify(processInfo)}), { exports: {} }, {}, undefined, undefined, undefined);
})();`;
}
