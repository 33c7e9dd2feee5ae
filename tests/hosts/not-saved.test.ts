/** A store that refuses the answer: the person gets it all the same. */
import { expect, test, vi } from 'vitest';
import { ConsoleError } from '../../shared/errors.ts';
import { runMessage } from '../../electron/hosts/terminal/message-run.ts';
import { withoutRepeats } from '../../electron/log.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { createEngine } from '../engine/engine-fixture.ts';
import { createFaultyStore, PASS } from '../fakes/faulty-store.ts';
import { answer, call, calls } from '../fakes/scripted-model.ts';

test('the answer is told with the reason why it is not kept', async () => {
  const full = new ConsoleError('not-saved', 'Nothing was saved: the disk is full.', { retryable: true });
  const store = createFaultyStore(createInMemoryStore(), (name) =>
    /^conversations\.(append|endTurn)$/.test(name) ? { kind: 'fail', error: full } : PASS,
  );
  const engine = await createEngine({ store, script: [answer('Here it is.')] });
  const end = await runMessage(engine.service, engine.conversationId, 'Where is it?', () => undefined);
  expect(end).toEqual({ turn: 1, state: 'failed', answer: 'Here it is.', unsaved: full.message });
});

test('a step that cannot be saved ends the run: the reason is told, also when nothing can be read any more', async () => {
  const full = new ConsoleError('not-saved', 'Nothing was saved: the disk is full.', { retryable: true });
  let isFull = false;
  const store = createFaultyStore(createInMemoryStore(), (name) => {
    isFull ||= name === 'conversations.append';
    return isFull && name.startsWith('conversations.') ? { kind: 'fail', error: full } : PASS;
  });
  const engine = await createEngine({ store, script: [calls(call('search_help', { query: 'refund' })), answer('Never asked.')] });
  const end = await runMessage(engine.service, engine.conversationId, 'Where is it?', () => undefined);
  expect(end).toEqual({ turn: 1, state: 'failed', answer: '', unsaved: full.message });
});

test('one error is logged once, whoever met it', () => {
  const warn = vi.fn<(message: string) => void>();
  const error = vi.fn<(message: string) => void>();
  const logger = withoutRepeats({ warn, error });
  for (let part = 0; part < 4; part += 1)
    logger.warn(`part ${part} could not be stored`, { part, error: 'ConsoleError: the disk is full' });
  logger.error('the end could not be stored', { error: 'the disk is full' });
  logger.error('another failure', { error: 'no network' });
  expect(warn).toHaveBeenCalledOnce();
  expect(error.mock.calls.map(([message]) => message)).toEqual(['another failure']);
});
