/** Pure: rows of system prompts and the objects they stand for. Times are UTC milliseconds here. */
import type { PromptVersion } from '../../shared/prompts.ts';

export interface PromptRow {
  version: string;
  content: string;
  author: string;
  note: string;
  based_on: string | null;
  created_at: number;
  activated_at: number | null;
}

export const PROMPT_COLUMNS = 'version, content, author, note, based_on, created_at, activated_at';
/** Newest first. */
export const PROMPT_ORDER = 'created_at DESC, version DESC';

export function promptRow(prompt: PromptVersion): PromptRow & Record<string, string | number | null> {
  return {
    version: prompt.version,
    content: prompt.text,
    author: prompt.author,
    note: prompt.note,
    based_on: prompt.basedOn,
    created_at: prompt.createdAt,
    activated_at: prompt.activatedAt,
  };
}

export function promptOf(row: PromptRow): PromptVersion {
  return {
    version: row.version,
    text: row.content,
    author: row.author,
    note: row.note,
    basedOn: row.based_on,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
  };
}
