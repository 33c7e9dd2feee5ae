// Limits the page checks before the engine does. Pure. A type-only link to the contract keeps its schema library out of the page.

/** Longest message, in UTF-16 units; the same number as MAX_MESSAGE_LENGTH of the contract (a test compares them). */
export const MESSAGE_LIMIT = 100_000;
