/** Does I/O: where the window was, kept between starts. Parsing is pure and takes any text. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../compose.ts';

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowState {
  /** null: let the system choose the place. */
  place: { x: number; y: number } | null;
  width: number;
  height: number;
  maximized: boolean;
}

export const LEAST_WIDTH = 900;
export const LEAST_HEIGHT = 600;
const DEFAULT: WindowState = { place: null, width: 1360, height: 860, maximized: false };
/** So much of the window must be on a screen, or it could not be dragged back. */
const LEAST_VISIBLE = 100;

const whole = z.number().int().min(-100_000).max(100_000);
const stateSchema = z.object({ x: whole, y: whole, width: whole, height: whole, maximized: z.boolean() });

function isReachable(bounds: Bounds, screens: readonly Bounds[]): boolean {
  return screens.some((screen) => {
    const width = Math.min(bounds.x + bounds.width, screen.x + screen.width) - Math.max(bounds.x, screen.x);
    const height = Math.min(bounds.y + bounds.height, screen.y + screen.height) - Math.max(bounds.y, screen.y);
    return width >= LEAST_VISIBLE && height >= LEAST_VISIBLE;
  });
}

/** Pure: saved text → a state that fits the screens there are now. */
export function parseWindowState(text: string | null, screens: readonly Bounds[]): WindowState {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return DEFAULT;
  }
  const parsed = stateSchema.safeParse(value);
  if (!parsed.success) return DEFAULT;
  const { x, y, maximized } = parsed.data;
  const width = Math.max(LEAST_WIDTH, parsed.data.width);
  const height = Math.max(LEAST_HEIGHT, parsed.data.height);
  return { place: isReachable({ x, y, width, height }, screens) ? { x, y } : null, width, height, maximized };
}

function stateFile(folder: string): string {
  return path.join(folder, 'window-state.json');
}

export function readWindowState(folder: string, screens: readonly Bounds[]): WindowState {
  let text: string | null = null;
  try {
    text = readFileSync(stateFile(folder), 'utf8');
  } catch {
    // The first start, or a file that cannot be read: the default place will do.
  }
  return parseWindowState(text, screens);
}

/** Best effort: a window that forgets its place is no failure. */
export function writeWindowState(folder: string, bounds: Bounds, maximized: boolean): void {
  try {
    makeFolder(folder);
    writeFileSync(stateFile(folder), JSON.stringify({ ...bounds, maximized }));
  } catch {
    // See above.
  }
}
