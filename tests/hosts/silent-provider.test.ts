/** A provider that takes the connection and never answers. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run, start, temporaryFolder } from './program.ts';

vi.setConfig({ testTimeout: 90_000 });

const sockets: Socket[] = [];
const silent = createServer((socket) => {
  socket.on('error', () => undefined);
  sockets.push(socket);
});
const folder = temporaryFolder();

beforeEach(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  folder.remove();
});

test('Ctrl-C during ask ends it in 3 s: exit 1, the turn is stopped', async () => {
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const env = { NIMBUS_MODEL: 'openai/any', OPENAI_API_KEY: 'key-for-a-test', OPENAI_BASE_URL: address };
  const asking = start(folder.path, ['ask', 'Where is it?'], { env });
  await expect.poll(() => sockets.length, { timeout: 60_000 }).toBeGreaterThan(0);
  const since = performance.now();
  asking.child.kill('SIGINT');
  const ended = await asking.finished;
  expect(performance.now() - since).toBeLessThan(3_000);
  expect(ended).toMatchObject({ code: 1, signal: null });
  const id = /conversation: ([0-9a-f]{32})/.exec(ended.stdout)?.[1] ?? '';
  const shown = await run(folder.path, ['show', id, '--json']);
  expect(shown.stdout).toMatch(/"state":\s*"stopped"/);
});
