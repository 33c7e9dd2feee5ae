// Pure data: words of the conversation list.
export const CONVERSATIONS = {};
