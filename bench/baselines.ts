/** Pure: what libraries offer for trimming, used as they are, and two plain yardsticks. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import { type ModelMessage, pruneMessages } from 'ai';
import type { ChatMessage } from './chat-format.ts';
import type { ContextBuilder } from './replay.ts';
import { messageTokenCount } from './tokens.ts';

const WINDOW_MESSAGES = 20;

/** The newest 20 messages. */
export function slidingWindow(): ContextBuilder {
  return { name: `sliding window ${WINDOW_MESSAGES}`, build: (prior) => prior.slice(-WINDOW_MESSAGES) };
}

/** `trimMessages` of @langchain/core: newest messages up to the budget, starting at a customer's. */
export function langchainTrim(budgetTokens: number): ContextBuilder {
  return {
    name: '@langchain/core trimMessages',
    build: async (prior) => {
      const originals = new Map<BaseMessage, ChatMessage>();
      const converted = prior.map((message) => {
        const made = langchainMessage(message);
        originals.set(made, message);
        return made;
      });
      const byId = new Map(converted.map((message) => [message.id, message]));
      const kept = await trimMessages(converted, {
        maxTokens: budgetTokens,
        strategy: 'last',
        startOn: 'human',
        tokenCounter: (messages) =>
          messages.reduce((sum, message) => {
            const original = originals.get(message) ?? originals.get(byId.get(message.id) ?? message);
            return sum + (original === undefined ? 0 : messageTokenCount(original));
          }, 0),
      });
      return kept.flatMap((message) => originals.get(message) ?? originals.get(byId.get(message.id) ?? message) ?? []);
    },
  };
}

let made = 0;

function langchainMessage(message: ChatMessage): BaseMessage {
  made += 1;
  const id = `bench-${made}`;
  const content = message.content ?? '';
  if (message.role === 'tool') return new ToolMessage({ id, content, tool_call_id: message.tool_call_id ?? '' });
  if (message.role !== 'assistant') return new HumanMessage({ id, content });
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: parsed(call.function.arguments),
    type: 'tool_call' as const,
  }));
  return new AIMessage({ id, content, tool_calls: calls });
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** `pruneMessages` of ai: calls and results only in the newest messages, empty messages removed; it knows no budget. */
export function aiPrune(): ContextBuilder {
  return {
    name: 'ai pruneMessages',
    build: (prior) => {
      const pruned = pruneMessages({
        messages: prior.map(aiMessage),
        reasoning: 'all',
        toolCalls: 'before-last-3-messages',
        emptyMessages: 'remove',
      });
      return pruned.map(fromAi);
    },
  };
}

function aiMessage(message: ChatMessage): ModelMessage {
  if (message.role === 'tool') {
    return {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: message.tool_call_id ?? '',
          toolName: message.name ?? 'tool',
          output: { type: 'text', value: message.content ?? '' },
        },
      ],
    };
  }
  if (message.role !== 'assistant') return { role: 'user', content: message.content ?? '' };
  const text = message.content ?? '';
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...(message.tool_calls ?? []).map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.id,
        toolName: call.function.name,
        input: call.function.arguments,
      })),
    ],
  };
}

function fromAi(message: ModelMessage): ChatMessage {
  if (message.role === 'tool') {
    const [part] = message.content;
    const isResult = part !== undefined && part.type === 'tool-result';
    return {
      role: 'tool',
      content: isResult && part.output.type === 'text' ? part.output.value : '',
      tool_call_id: isResult ? part.toolCallId : '',
    };
  }
  if (message.role !== 'assistant') return { role: 'user', content: typeof message.content === 'string' ? message.content : '' };
  if (typeof message.content === 'string') return { role: 'assistant', content: message.content };
  const chat: ChatMessage = { role: 'assistant', content: message.content.map((part) => (part.type === 'text' ? part.text : '')).join('') };
  const calls = message.content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: String(part.input) } }]
      : [],
  );
  if (calls.length > 0) chat.tool_calls = calls;
  return chat;
}
