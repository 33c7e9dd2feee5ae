// Where arrow keys lead in a list. Pure.

/** Index of the row to go to, or null when the key is not ours. -1 (nothing chosen yet) leads to the first or last row. */
export function nextRow(current: number, key: string, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return Math.min(count - 1, current + 1);
  if (key === 'ArrowUp') return current < 0 ? count - 1 : Math.max(0, current - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}
