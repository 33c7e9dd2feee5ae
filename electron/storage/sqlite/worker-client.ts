/** Does I/O: calls to the SQLite worker as promises. */
import type { Worker } from 'node:worker_threads';
import { ConsoleError, fromErrorInfo } from '../../../shared/errors.ts';
import { storeClosed } from '../failures.ts';
import type { WorkerReply, WorkerRequest, WorkerStart } from './worker-protocol.ts';

/** After this a worker that does not close is ended; what was answered as saved is on the disk already. */
const CLOSE_MS = 3_000;

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: ConsoleError) => void;
}

/** Owns the worker. `opened` settles once; when the worker dies, every pending and later call rejects with `storage`. */
export class WorkerClient {
  readonly opened: Promise<void>;
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private isClosing = false;
  private failure: ConsoleError | null = null;

  constructor(worker: Worker) {
    this.worker = worker;
    this.ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.fail(this.isClosing ? storeClosed() : workerEnded(null));
        resolve();
      });
    });
    this.opened = new Promise((resolve, reject) => {
      const stopped = (): void => reject(this.failure ?? workerEnded(null));
      void this.ended.then(stopped);
      worker.once('message', (start: WorkerStart) => {
        if (start.type === 'refused') {
          reject(fromErrorInfo(start.error));
          return;
        }
        worker.on('message', (reply: WorkerReply) => this.settle(reply));
        resolve();
      });
    });
    worker.on('error', (error) => this.fail(workerEnded(error)));
  }

  call(part: string, method: string, parameters: unknown[]): Promise<unknown> {
    if (this.failure !== null) return Promise.reject(this.failure);
    if (this.isClosing) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      const id = this.lastId;
      this.pending.set(id, { resolve, reject });
      try {
        this.post({ type: 'call', id, part, method, parameters });
      } catch (error) {
        this.pending.delete(id);
        reject(new ConsoleError('internal', `Only plain data can be stored (${part}.${method}).`, { cause: error }));
      }
    });
  }

  /** Calls made before are finished first. */
  async close(): Promise<void> {
    if (!this.isClosing && this.failure === null) {
      this.isClosing = true;
      this.post({ type: 'close' });
      const timer = setTimeout(() => void this.worker.terminate(), CLOSE_MS);
      await this.ended;
      clearTimeout(timer);
    }
    await this.ended;
  }

  private post(request: WorkerRequest): void {
    this.worker.postMessage(request);
  }

  private settle(reply: WorkerReply): void {
    if (!('id' in reply)) return;
    const waiting = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.result);
    else waiting?.reject(fromErrorInfo(reply.error));
  }

  private fail(error: ConsoleError): void {
    this.failure ??= error;
    for (const waiting of this.pending.values()) waiting.reject(this.failure);
    this.pending.clear();
  }
}

function workerEnded(cause: unknown): ConsoleError {
  const detail = cause instanceof Error ? ` (${cause.message})` : '';
  return new ConsoleError(
    'storage',
    `The storage worker ended unexpectedly${detail}. Start Nimbus Console again; everything saved is safe.`,
    { cause },
  );
}
