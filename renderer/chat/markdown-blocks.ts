// Splits streaming Markdown into blocks, so that only the last one is parsed again with every frame. Pure.
import { isLong, LONGEST_PARSED } from './markdown-guard.ts';

/** Blocks parsed while a text grows: each is compared with every frame. */
const MOST_LIVE_BLOCKS = 100;

const FENCE = /^ {0,3}(`{3,}|~{3,})/u;
const CONTINUES = /^(?:\s{2,}|\t|[-*+] |\d{1,9}[.)] |>|\|)/u;

/**
 * Blocks of a text, split at blank lines outside code fences. A list, quote or table stays together with its
 * continuation after a blank line. Joined with blank lines they say the same as the text.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let current: string[] = [];
  let fence: string | null = null;
  let blank = false;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && blank && current.length > 0 && !CONTINUES.test(line) && line.trim() !== '') {
      blocks.push(current.join('\n').trimEnd());
      current = [];
    }
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = null;
    }
    blank = fence === null && line.trim() === '';
    if (!blank || current.length > 0) current.push(line);
  }
  if (current.length > 0) blocks.push(current.join('\n').trimEnd());
  return blocks.filter((block) => block !== '');
}

/** The blocks that are parsed while a text grows, and the rest of it, plain, from where the text gets long. */
export function liveParts(text: string): { parsed: string[]; plain: string } {
  const blocks = splitBlocks(text);
  if (!isLong(text)) return { parsed: blocks, plain: '' };
  let length = 0;
  const long = blocks.findIndex((block, index) => {
    length += block.length;
    return length > LONGEST_PARSED || index >= MOST_LIVE_BLOCKS || isLong(block);
  });
  return long === -1 ? { parsed: blocks, plain: '' } : { parsed: blocks.slice(0, long), plain: blocks.slice(long).join('\n\n') };
}
