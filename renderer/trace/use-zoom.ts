// The part of a timeline that is shown, moved by wheel, pinch, drag and keys. I/O: listens to the element it is given.
import { type KeyboardEvent, useEffect, useState } from 'react';
import { moveWindow, type TimeWindow, WHOLE, zoomAround, zoomWindow } from './timeline.ts';

/** Zoom of one step of a wheel (100 pixels) and of a key. */
const WHEEL_STEP = 1.25;
const KEY_STEP = 2;
const KEY_MOVE = 0.25;
/** A press that moves less than this selects; one that moves more drags. */
const DRAG_PX = 4;

export interface Zoom {
  window: TimeWindow;
  zoomed: boolean;
  /** Below 1: closer. Around `center` of the whole, or the middle of what is shown. */
  by: (factor: number, center?: number) => void;
  fit: () => void;
  /** Handles + - 0 ← →; true where the key was ours. */
  onKeyDown: (event: KeyboardEvent, center?: number) => boolean;
  /** The element with the bars. Ctrl or ⌘ with the wheel (which is how a pinch arrives) zooms, Shift or a sideways wheel moves. */
  setTrack: (element: HTMLElement | null) => void;
}

export function useZoom(): Zoom {
  const [window, setWindow] = useState<TimeWindow>(WHOLE);
  const [track, setTrack] = useState<HTMLElement | null>(null);
  useEffect(() => (track === null ? undefined : listen(track, setWindow)), [track]);
  const by = (factor: number, center?: number) =>
    setWindow((current) => zoomWindow(current, factor, center ?? (current.from + current.to) / 2));
  const fit = () => setWindow(WHOLE);
  const onKeyDown = (event: KeyboardEvent, center?: number): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === '+' || event.key === '=') by(1 / KEY_STEP, center);
    else if (event.key === '-') by(KEY_STEP, center);
    else if (event.key === '0') fit();
    else if (event.key === 'ArrowLeft') setWindow((current) => moveWindow(current, -KEY_MOVE));
    else if (event.key === 'ArrowRight') setWindow((current) => moveWindow(current, KEY_MOVE));
    else return false;
    event.preventDefault();
    return true;
  };
  return { window, zoomed: window.from > 0 || window.to < 1, by, fit, onKeyDown, setTrack };
}

function listen(track: HTMLElement, change: (next: (current: TimeWindow) => TimeWindow) => void): () => void {
  /** Where the bars are: the element is as wide as the grid, rows with names and numbers around it. */
  const area = () => (track.querySelector('.grid-lines') ?? track).getBoundingClientRect();
  const onWheel = (event: WheelEvent) => {
    const { left, width } = area();
    if (width === 0) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const at = Math.min(1, Math.max(0, (event.clientX - left) / width));
      change((current) => zoomAround(current, WHEEL_STEP ** (event.deltaY / 100), at));
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (sideways === 0 || (!event.shiftKey && Math.abs(event.deltaX) < Math.abs(event.deltaY))) return;
    event.preventDefault();
    change((current) => moveWindow(current, sideways / width));
  };
  let pressed: { x: number; dragging: boolean } | null = null;
  const onDown = (event: PointerEvent) => {
    if (event.button === 0) pressed = { x: event.clientX, dragging: false };
  };
  const onMove = (event: PointerEvent) => {
    if (pressed === null) return;
    const moved = event.clientX - pressed.x;
    if (!pressed.dragging && Math.abs(moved) < DRAG_PX) return;
    if (!pressed.dragging) track.setPointerCapture(event.pointerId);
    pressed = { x: event.clientX, dragging: true };
    const { width } = area();
    if (width > 0) change((current) => moveWindow(current, -moved / width));
  };
  const onUp = () => (pressed = null);
  track.addEventListener('wheel', onWheel, { passive: false });
  track.addEventListener('pointerdown', onDown);
  track.addEventListener('pointermove', onMove);
  track.addEventListener('pointerup', onUp);
  track.addEventListener('pointercancel', onUp);
  return () => {
    track.removeEventListener('wheel', onWheel);
    track.removeEventListener('pointerdown', onDown);
    track.removeEventListener('pointermove', onMove);
    track.removeEventListener('pointerup', onUp);
    track.removeEventListener('pointercancel', onUp);
  };
}
