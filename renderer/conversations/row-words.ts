// What a row of the conversation list says about who acts next. Pure.
import { words } from '../language/language.ts';
import type { ConversationSummary } from '../../shared/conversation.ts';
import { oneLine } from '../ui/format.ts';

export type RowGlyph = 'working' | 'answered' | 'person' | 'failed' | 'stopped' | 'new';

export interface RowWords {
  glyph: RowGlyph;
  word: string;
  tone: 'quiet' | 'warn' | 'bad' | 'accent';
}

/** `connected`: false while the engine cannot be reached, so that nobody knows what a running answer does. */
export function rowWords(summary: ConversationSummary, connected = true): RowWords {
  if (summary.handoffReason !== null || summary.turnState === 'handed-off')
    return { glyph: 'person', word: words().rows.waitingHuman, tone: 'warn' };
  switch (summary.turnState) {
    case null:
      return { glyph: 'new', word: words().rows.noMessages, tone: 'quiet' };
    case 'running':
      if (!connected) return { glyph: 'stopped', word: words().rows.lost, tone: 'warn' };
      return { glyph: 'working', word: words().rows.running, tone: 'accent' };
    case 'waiting-approval':
      return { glyph: 'person', word: words().rows.waitingApproval, tone: 'warn' };
    case 'answered':
      return { glyph: 'answered', word: words().rows.answered, tone: 'quiet' };
    case 'stopped':
      return { glyph: 'stopped', word: words().rows.stopped, tone: 'quiet' };
    case 'interrupted':
      return { glyph: 'failed', word: words().rows.interrupted, tone: 'warn' };
    case 'failed':
      return { glyph: 'failed', word: words().rows.failed, tone: 'bad' };
  }
}

export function rowName(summary: ConversationSummary): string {
  return summary.customerName ?? summary.actor?.id ?? words().rows.visitor;
}

/** The last text, and who said it where that was not the customer. */
export function rowText(summary: ConversationSummary): { by: string; text: string } {
  const text = oneLine(summary.lastText === '' ? summary.title : summary.lastText, 120);
  if (text === '') return { by: '', text: words().rows.fresh };
  return { by: summary.lastRole === 'assistant' ? 'Nimbus: ' : '', text };
}
