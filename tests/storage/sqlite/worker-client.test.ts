import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { WorkerClient } from '../../../electron/storage/sqlite/worker-client.ts';

/** A worker that opens and then treats each call as the body says; `call` and `reply` are at hand there. */
function clientOf(body: string): WorkerClient {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const reply = (message) => parentPort.postMessage(message);
    parentPort.on('message', (call) => {
      if (call.type === 'close') { reply({ type: 'closed' }); parentPort.close(); return; }
      ${body}
    });
    reply({ type: 'open' });`;
  return new WorkerClient(new Worker(code, { eval: true }));
}

const LOST = { name: 'ConsoleError', code: 'storage', message: expect.stringContaining('everything saved is safe') };

describe('the worker as seen from the main thread', () => {
  test('answers find their calls in any order', async () => {
    const client = clientOf(`setTimeout(() => reply({ id: call.id, ok: true, result: call.parameters }), 30 - 10 * call.id);`);
    await client.opened;
    expect(await Promise.all([1, 2, 3].map((value) => client.call('shop', 'order', [value])))).toEqual([[1], [2], [3]]);
    await client.close();
  });

  test('a ConsoleError crosses with code, message and retryable', async () => {
    const error = { code: 'not-saved', message: 'The disk is full.', retryable: true };
    const client = clientOf(`reply({ id: call.id, ok: false, error: ${JSON.stringify(error)} });`);
    await client.opened;
    await expect(client.call('shop', 'order', [])).rejects.toMatchObject({ name: 'ConsoleError', ...error });
    await client.close();
  });

  test.each([
    ['ends', `process.exit(3);`],
    ['throws', `throw new Error('out of order');`],
  ])('a worker that %s rejects every pending and later call', async (_name, body) => {
    const client = clientOf(`if (call.method === 'end') { ${body} }`);
    await client.opened;
    const pending = ['wait', 'wait', 'end'].map((method) => client.call('shop', method, []));
    const results = await Promise.allSettled(pending);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: LOST });
    await expect(client.call('shop', 'order', [])).rejects.toMatchObject(LOST);
    await client.close();
  });

  test('a worker that ends before it opened rejects the opening', async () => {
    const client = new WorkerClient(new Worker('process.exit(1)', { eval: true }));
    await expect(client.opened).rejects.toMatchObject(LOST);
  });

  test('calls made before close are finished; later ones are refused; a worker that hangs does not keep the program', async () => {
    const client = clientOf(`reply({ id: call.id, ok: true, result: 'done' });`);
    await client.opened;
    const before = client.call('shop', 'order', []);
    const closing = client.close();
    await expect(client.call('shop', 'order', [])).rejects.toMatchObject({ code: 'storage', message: 'The store is closed.' });
    expect(await before).toBe('done');
    await closing;
    const hanging = clientOf(`for (;;) {}`);
    await hanging.opened;
    const stuck = hanging.call('shop', 'order', []);
    const refused = expect(stuck).rejects.toMatchObject({ code: 'storage' });
    await hanging.close();
    await refused;
  });

  test('what cannot be sent is refused at once and harms no other call', async () => {
    const client = clientOf(`reply({ id: call.id, ok: true, result: 1 });`);
    await client.opened;
    await expect(client.call('shop', 'order', [() => undefined])).rejects.toMatchObject({ code: 'internal' });
    expect(await client.call('shop', 'order', [])).toBe(1);
    await client.close();
  });
});
