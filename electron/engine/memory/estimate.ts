/** Pure: token estimates of messages and tools, over any estimator of text. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { NeutralMessage } from '../../../shared/conversation.ts';
import type { ToolSpec } from '../../../shared/tool.ts';
import type { TokenEstimator } from '../ports.ts';

/** Tokens a provider adds around one message: role and separators. */
export const MESSAGE_OVERHEAD_TOKENS = 4;
/** Tokens around one tool call besides its name and arguments: id and field names. */
export const CALL_OVERHEAD_TOKENS = 8;

/** Estimated tokens of one message as it travels: text, calls and what surrounds them. */
export function messageTokens(message: NeutralMessage, estimator: TokenEstimator): number {
  let tokens = MESSAGE_OVERHEAD_TOKENS + estimator.count(message.content);
  for (const call of message.toolCalls ?? []) {
    tokens += CALL_OVERHEAD_TOKENS + estimator.count(call.name) + estimator.count(JSON.stringify(call.arguments));
  }
  return tokens;
}

/** Estimated tokens of a list of messages. */
export function messagesTokens(messages: readonly ContextMessage[], estimator: TokenEstimator): number {
  let tokens = 0;
  for (const message of messages) tokens += messageTokens(message, estimator);
  return tokens;
}

/** Estimated tokens of the tool list. */
export function toolsTokens(tools: readonly ToolSpec[], estimator: TokenEstimator): number {
  let tokens = 0;
  for (const tool of tools) tokens += CALL_OVERHEAD_TOKENS + estimator.count(toolText(tool));
  return tokens;
}

/** The text of a tool that a model is told. */
export function toolText(tool: ToolSpec): string {
  return JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters });
}

export { scriptEstimator } from './script-estimator.ts';
