// Pure data: the console's words in German, a file per feature.
import type { English } from '../english/index.ts';
import { SHELL } from './shell.ts';
import { STORAGE } from './storage.ts';
import { SYNC } from './sync.ts';

export const GERMAN: English = {
  shell: SHELL,
  storage: STORAGE,
  sync: SYNC,
};
