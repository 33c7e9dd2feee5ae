// Pure data: the console's words in English, a file per feature. Texts with a number or a name in them are functions.
import { CHAT } from './chat.ts';
import { CONVERSATIONS } from './conversations.ts';
import { PRIVACY } from './privacy.ts';
import { INSPECTOR } from './inspector.ts';
import { RECALL } from './recall.ts';
import { SHELL } from './shell.ts';
import { STORAGE } from './storage.ts';
import { SYNC } from './sync.ts';
import { TURNS } from './turns.ts';

export const ENGLISH = {
  chat: CHAT,
  conversations: CONVERSATIONS,
  privacy: PRIVACY,
  inspector: INSPECTOR,
  recall: RECALL,
  shell: SHELL,
  storage: STORAGE,
  sync: SYNC,
  turns: TURNS,
};

/** The same keys with texts of any wording: what every other language must fill. */
export type English = Wording<typeof ENGLISH>;

type Wording<T> = T extends string
  ? string
  : T extends (...parts: infer P) => string
    ? (...parts: P) => string
    : { [K in keyof T]: Wording<T[K]> };
