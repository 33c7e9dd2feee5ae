/** Does I/O: the worker's side of the conversation with the store. Worker only. */
import { parentPort } from 'node:worker_threads';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import { translated } from './sqlite-errors.ts';
import type { WorkerCall, WorkerReply, WorkerRequest, WorkerStart } from './worker-protocol.ts';

/** Opens what `open` opens, says so or why not, and answers calls of its parts until it is closed. */
export function serveParts(open: () => { parts: Record<string, object>; close: () => void }): void {
  const opened = attempt(open);
  if (opened === null) return;
  send({ type: 'open' });
  parentPort?.on('message', (request: WorkerRequest) => {
    if (request.type === 'call') {
      send(answer(opened.parts, request));
      return;
    }
    opened.close();
    send({ type: 'closed' });
    parentPort?.close();
  });
}

function attempt<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    send({ type: 'refused', error: toErrorInfo(translated(error, 'read')) });
    return null;
  }
}

function answer(parts: Record<string, object>, call: WorkerCall): WorkerReply {
  try {
    const part = Object.hasOwn(parts, call.part) ? parts[call.part] : undefined;
    const method: unknown = part === undefined ? undefined : Reflect.get(part, call.method);
    if (typeof method !== 'function') throw new ConsoleError('internal', `The store has no method ${call.part}.${call.method}.`);
    return { id: call.id, ok: true, result: Reflect.apply(method, undefined, call.parameters) };
  } catch (error) {
    return { id: call.id, ok: false, error: toErrorInfo(translated(error, 'read')) };
  }
}

function send(message: WorkerStart | WorkerReply): void {
  parentPort?.postMessage(message);
}
