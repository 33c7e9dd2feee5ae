import { expect, test } from 'vitest';
import { createConsoleSwitch } from '../../electron/console-switch.ts';
import type { OpenedConsole } from '../../electron/console-switch.ts';
import type { ConsoleEvent } from '../../shared/console-api.ts';
import { ConsoleError } from '../../shared/errors.ts';

/** A console that answers every call with its name. */
function named(name: string, log: string[]): OpenedConsole & { emit(event: ConsoleEvent): void } {
  const listeners = new Set<(event: ConsoleEvent) => void>();
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    api: {
      call: () => Promise.reject(new ConsoleError('unsupported', name)),
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async close() {
      log.push(`closed ${name}`);
    },
  };
}

const NOTICE: ConsoleEvent = { type: 'notice', level: 'info', message: 'x', conversationId: null };

test('after a restart calls and events come from the new engine, and calls meanwhile wait for it', async () => {
  const log: string[] = [];
  const first = named('first', log);
  const second = named('second', log);
  const consoles = createConsoleSwitch(first);
  const events: string[] = [];
  consoles.api.subscribe((event) => events.push(event.type));
  await expect(consoles.api.call('getStorage', {})).rejects.toThrow('first');
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const restart = consoles.restart(async () => {
    await arrived;
    return second;
  });
  const waiting = consoles.api.call('getStorage', {}).catch((error: Error) => error.message);
  first.emit(NOTICE);
  arrive();
  await restart;
  expect(await waiting).toBe('second');
  first.emit(NOTICE);
  second.emit(NOTICE);
  expect(events.slice(-2)).toEqual(['console-restart', 'notice']);
  expect(log).toEqual(['closed first']);
  await consoles.close();
  expect(log).toEqual(['closed first', 'closed second']);
});

test('an engine that cannot be closed does not keep the next one from starting', async () => {
  const first: OpenedConsole = { ...named('first', []), close: () => Promise.reject(new Error('stuck')) };
  const consoles = createConsoleSwitch(first);
  await consoles.restart(async () => named('second', []));
  await expect(consoles.api.call('getStorage', {})).rejects.toThrow('second');
});

test('a closed console is not started again', async () => {
  const consoles = createConsoleSwitch(named('first', []));
  await consoles.close();
  await consoles.restart(async () => {
    throw new Error('must not be opened');
  });
  await expect(consoles.api.call('getStorage', {})).rejects.toThrow('first');
});
