/** Pure data: versions of the system prompt. */

/** One version; its text never changes, a change is a new version. */
export interface PromptVersion {
  version: string;
  text: string;
  /** Who wrote it. */
  author: string;
  /** Why; "" when nothing was said. */
  note: string;
  /** The version it was made from; null: the first one. */
  basedOn: string | null;
  /** UTC milliseconds. */
  createdAt: number;
  /** When it last became the standard; the newest of all is the active one. null: never. UTC milliseconds. */
  activatedAt: number | null;
}

export interface PromptVersionView extends PromptVersion {
  /** The standard of all conversations that chose none. */
  active: boolean;
  /** Comes with the console. */
  builtIn: boolean;
}
