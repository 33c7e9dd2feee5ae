/** Streamed text is saved often enough and not too often. */
import { describe, expect, it } from 'vitest';
import { createStreamedText, STREAM_SAVE_MS } from '../../electron/engine/agent/streamed-text.ts';
import { createVirtualClock, settle } from '../fakes/virtual-clock.ts';

function setUp(save?: (text: string) => Promise<void>) {
  const clock = createVirtualClock();
  const saved: string[] = [];
  const logs: string[] = [];
  const keep = async (text: string) => {
    saved.push(text);
  };
  const streamed = createStreamedText({
    clock,
    logger: { warn: (message) => logs.push(message), error: () => undefined },
    save: save ?? keep,
  });
  return { clock, saved, logs, streamed };
}

describe('streamed text', () => {
  it('saves the first piece at once and then at most every 300 ms, always all of it', async () => {
    const { clock, saved, streamed } = setUp();
    streamed.add('a');
    for (let tick = 0; tick < 30; tick += 1) {
      await clock.advance(10);
      streamed.add('b');
    }
    await clock.advance(STREAM_SAVE_MS);
    expect(saved[0]).toBe('a');
    expect(saved.at(-1)).toBe(`a${'b'.repeat(30)}`);
    expect(saved.length).toBeLessThanOrEqual(3);
  });

  it('settle waits for the write under way and allows none after it', async () => {
    const gate = Promise.withResolvers<void>();
    const writes: string[] = [];
    const { clock, streamed } = setUp((text) => {
      writes.push(text);
      return gate.promise;
    });
    streamed.add('one ');
    streamed.add('two');
    let settled = false;
    const settling = streamed.settle().then(() => {
      settled = true;
    });
    await settle();
    expect(settled).toBe(false);
    gate.resolve();
    await settling;
    await clock.advance(10 * STREAM_SAVE_MS);
    expect(writes).toEqual(['one ']);
    expect(clock.pending()).toBe(0);
    expect(streamed.text()).toBe('one two');
  });

  it('a failed write is logged and tried again with the next text', async () => {
    let fail = true;
    const writes: string[] = [];
    const { clock, logs, streamed } = setUp(async (text) => {
      if (fail) throw new Error('disk');
      writes.push(text);
    });
    streamed.add('a');
    await settle();
    expect(logs).toHaveLength(1);
    fail = false;
    await clock.advance(STREAM_SAVE_MS);
    expect(writes).toEqual(['a']);
  });

  it('[MEM-10] never hands out half of a surrogate pair', async () => {
    const { clock, saved, streamed } = setUp();
    streamed.add('\ud83d');
    await clock.advance(0);
    expect(saved[0]?.isWellFormed()).toBe(true);
    streamed.add('\ude00');
    expect(streamed.text()).toBe('😀');
  });
});
