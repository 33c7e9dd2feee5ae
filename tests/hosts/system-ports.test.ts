import { describe, expect, test } from 'vitest';
import { createSystemIds, systemClock } from '../../electron/system-ports.ts';

describe('system ids', () => {
  test('UUIDv7 has its form, is unique and sorts as it was made, also when the clock goes back', () => {
    let now = 1_700_000_000_000;
    const ids = createSystemIds(() => now);
    const made: string[] = [];
    for (let index = 0; index < 10_000; index += 1) {
      if (index === 6_000) now -= 5_000;
      made.push(ids.uuid());
    }
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(made).size).toBe(made.length);
    expect(made.toSorted()).toEqual(made);
    expect(Number.parseInt((made[0] ?? '').replace('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000);
  });

  test('conversation ids are 32 hex characters', () => {
    const ids = createSystemIds();
    const made = new Set(Array.from({ length: 1_000 }, () => ids.conversationId()));
    expect(made.size).toBe(1_000);
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('system clock', () => {
  test('sleep ends after its time and rejects as cancelled at once when aborted', async () => {
    await systemClock.sleep(1);
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort();
    await expect(sleeping).rejects.toMatchObject({ code: 'cancelled' });
    await expect(systemClock.sleep(1, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('after calls back once unless cancelled', async () => {
    const calls: string[] = [];
    const cancel = systemClock.after(5, () => calls.push('cancelled'));
    systemClock.after(1, () => calls.push('kept'));
    cancel();
    await systemClock.sleep(20);
    expect(calls).toEqual(['kept']);
  });
});
