/** Looks for keys wherever the console could have left them: files, output, frames, pages. I/O. */
import { expect, type Page } from '@playwright/test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Loopback } from './programs.ts';

export interface Frames {
  received: string[];
  sent: string[];
}

/** Keeps every WebSocket frame of the page from now on. */
export function watchFrames(page: Page): Frames {
  const frames: Frames = { received: [], sent: [] };
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => frames.received.push(payload.toString()));
    socket.on('framesent', ({ payload }) => frames.sent.push(payload.toString()));
  });
  return frames;
}

/** All that a page holds and keeps. */
export async function pageContents(page: Page): Promise<string> {
  const kept = await page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea, select')].map((field) => Reflect.get(field, 'value') as unknown);
    return JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie, fields]);
  });
  return `${await page.content()}\n${kept}`;
}

/** X3 X4: no key in what came to the page, in the page, in what the host said, or in any file of its folder. */
export async function expectNoKeys(
  keys: readonly string[],
  places: { page: Page; frames: Frames; host: Loopback; folder: string },
): Promise<void> {
  const { page, frames, host, folder } = places;
  expect(frames.received.length).toBeGreaterThan(0);
  const contents = await pageContents(page);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  expect(files.some((file) => file.endsWith('.sqlite') || file.endsWith('.db'))).toBe(true);
  for (const key of keys) {
    expect(frames.received.filter((frame) => frame.includes(key))).toEqual([]);
    expect(contents.includes(key), 'a key in the page').toBe(false);
    expect(host.output().includes(key), 'a key in the output').toBe(false);
    for (const file of files)
      if (statSync(file).isFile()) expect(readFileSync(file, 'latin1').includes(key), `a key in ${file}`).toBe(false);
  }
}
