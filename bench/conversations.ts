/** Reading conversations and probes from files, and joining conversations into longer ones. Does I/O only in `readConversations` and `readProbes`. */
import { readFileSync } from 'node:fs';
import type { ChatMessage } from './chat-format.ts';
import type { BenchConversation } from './replay.ts';

export interface Probe {
  /** From 0. */
  conversation: number;
  question: string;
  /** Indexes into the conversation's messages. */
  evidence: number[];
}

/** One conversation per line. Throws an Error `FILE line N: …` for a line that is none. */
export function readConversations(file: string): BenchConversation[] {
  return readLines(file, (value) => {
    const messages = value['messages'];
    if (!Array.isArray(messages)) throw new Error('has no "messages" list');
    return {
      system: typeof value['system'] === 'string' ? value['system'] : '',
      tools: Array.isArray(value['tools']) ? value['tools'] : [],
      messages: messages.filter((message: ChatMessage) => message.role !== 'system') as ChatMessage[],
    };
  });
}

export function readProbes(file: string): Probe[] {
  return readLines(file, (value) => {
    const { conversation, question, evidence } = value;
    if (typeof conversation !== 'number' || typeof question !== 'string' || !Array.isArray(evidence)) {
      throw new Error('is no {"conversation": n, "question": "…", "evidence": [indexes]}');
    }
    return { conversation, question, evidence: evidence as number[] };
  });
}

function readLines<T>(file: string, parse: (value: Record<string, unknown>) => T): T[] {
  const made: T[] = [];
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      made.push(parse(JSON.parse(line) as Record<string, unknown>));
    } catch (error) {
      throw new Error(`${file} line ${index + 1}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  return made;
}

/** The turns of a conversation; messages before the first user message are left out. */
export function turnsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'user') turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

/**
 * Joins conversations into ones of `turns` turns, in order. `seq` plays one after the other; `woven` cuts each in half and plays all first
 * halves, then all second halves. What is left over at the end and shorter than `turns` is kept only when nothing else is.
 */
export function chain(conversations: readonly BenchConversation[], turns: number, how: 'seq' | 'woven'): BenchConversation[] {
  const chains: BenchConversation[] = [];
  let group: ChatMessage[][][] = [];
  let count = 0;
  const close = (first: BenchConversation): void => {
    const joined = how === 'seq' ? group.flat() : [...group.flatMap(firstHalf), ...group.flatMap(secondHalf)];
    chains.push({ system: first.system, tools: first.tools, messages: joined.slice(0, turns).flat() });
    group = [];
    count = 0;
  };
  for (const conversation of conversations) {
    // Whole conversations only, but the last may be cut so that each chain has the same number of turns.
    const parts = turnsOf(conversation.messages).slice(0, turns - count);
    if (parts.length === 0) continue;
    group.push(parts);
    count += parts.length;
    if (count >= turns) close(conversation);
  }
  const [first] = conversations;
  if (chains.length === 0 && group.length > 0 && first !== undefined) close(first);
  return chains;
}

function firstHalf(turns: ChatMessage[][]): ChatMessage[][] {
  return turns.slice(0, Math.ceil(turns.length / 2));
}

function secondHalf(turns: ChatMessage[][]): ChatMessage[][] {
  return turns.slice(Math.ceil(turns.length / 2));
}
