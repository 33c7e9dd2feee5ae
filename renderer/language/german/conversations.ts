// Pure data: words of the conversation list.
import type { English } from '../english/index.ts';

export const CONVERSATIONS: English['conversations'] = {};
