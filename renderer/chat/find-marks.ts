// Paints the places of a text in the turns that are drawn, without changing them. I/O: the page's text and its highlights.
import { comparable, placesOf } from '../../shared/find-text.ts';

const FOUND = 'found';
const CURRENT = 'found-current';
/** Where the words of a turn stand: questions, answers, and the open parts of tool cards. */
const PARTS = '.bubble, .body, .io dt, .io dd, .io pre, .tool summary code';
/** Words of the console inside them. */
const OURS = 'button:not(.link), .host, .plain-note, .vh, .code-bar';
/** A text does not run from one of these into the next. */
const BLOCKS = 'p, li, td, th, pre, dt, dd, .bubble, .body, summary';

export interface PaintedTurn {
  /** Places in the order they are read. */
  ranges: Range[];
}

function textNodes(part: Element): { block: Element | null; nodes: Text[] }[] {
  const groups: { block: Element | null; nodes: Text[] }[] = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement === null || node.parentElement.closest(OURS) !== null) continue;
    const block = node.parentElement.closest(BLOCKS);
    const last = groups.at(-1);
    if (last !== undefined && last.block === block) last.nodes.push(node);
    else groups.push({ block, nodes: [node] });
  }
  return groups;
}

/** The node and the place in it of a place in the joined text. */
function pointAt(nodes: readonly Text[], place: number, isEnd: boolean): { node: Text; offset: number } | null {
  let left = place;
  for (const node of nodes) {
    if (left < node.data.length || (isEnd && left === node.data.length)) return { node, offset: left };
    left -= node.data.length;
  }
  return null;
}

export function rangesIn(article: Element, wanted: string): Range[] {
  const ranges: Range[] = [];
  for (const part of article.querySelectorAll(PARTS)) {
    // A part inside a part is read with the outer one.
    if (part.parentElement?.closest(PARTS) !== null) continue;
    for (const { nodes } of textNodes(part)) {
      const text = nodes.map((node) => node.data).join('');
      for (const place of placesOf(comparable(text), wanted)) {
        const [from, to] = [pointAt(nodes, place.start, false), pointAt(nodes, place.end, true)];
        if (from === null || to === null) continue;
        const range = document.createRange();
        range.setStart(from.node, from.offset);
        range.setEnd(to.node, to.offset);
        ranges.push(range);
      }
    }
  }
  return ranges;
}

/** Paints all drawn places; returns that of the current one where it is drawn. An empty `wanted` clears. */
export function paintPlaces(frame: Element, wanted: string, current: { turn: number; inTurn: number } | null): Range | null {
  if (wanted === '') {
    CSS.highlights.delete(FOUND);
    CSS.highlights.delete(CURRENT);
    return null;
  }
  const all: Range[] = [];
  let chosen: Range | null = null;
  for (const article of frame.querySelectorAll('[data-turn]')) {
    const ranges = rangesIn(article, wanted);
    if (current !== null && article.getAttribute('data-turn') === String(current.turn)) {
      chosen = ranges[Math.min(current.inTurn, ranges.length - 1)] ?? null;
    }
    all.push(...ranges);
  }
  CSS.highlights.set(FOUND, new Highlight(...all));
  CSS.highlights.set(CURRENT, chosen === null ? new Highlight() : new Highlight(chosen));
  return chosen;
}

/** Opens what is folded in a turn, so that words in it can be seen. True where something was opened. */
export function unfold(article: Element): boolean {
  let opened = false;
  for (const details of article.querySelectorAll('details:not([open])')) {
    details.setAttribute('open', '');
    opened = true;
  }
  for (const button of article.querySelectorAll<HTMLButtonElement>('.plain-note button[aria-expanded="false"]')) {
    button.click();
    opened = true;
  }
  return opened;
}

/** Scrolls a range into the middle of the frame, and sideways where it stands in something that scrolls by itself. */
export function showRange(frame: Element, range: Range): void {
  const inner = range.startContainer.parentElement?.closest('pre, .table-scroll');
  if (inner) {
    const [box, at] = [inner.getBoundingClientRect(), range.getBoundingClientRect()];
    if (at.left < box.left || at.right > box.right) inner.scrollLeft += at.left - box.left - box.width / 3;
    if (at.top < box.top || at.bottom > box.bottom) inner.scrollTop += at.top - box.top - box.height / 3;
  }
  const [view, place] = [frame.getBoundingClientRect(), range.getBoundingClientRect()];
  if (place.top < view.top + 48 || place.bottom > view.bottom - 24) frame.scrollTop += place.top - view.top - view.height / 3;
}
