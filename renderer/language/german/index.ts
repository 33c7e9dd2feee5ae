// Pure data: the console's words in German, a file per feature.
import type { English } from '../english/index.ts';
import { SHELL } from './shell.ts';

export const GERMAN: English = {
  shell: SHELL,
};
