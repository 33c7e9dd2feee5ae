/** Asks a model one question without tools, for the console itself. */
import { ConsoleError, fromErrorInfo } from '../../../shared/errors.ts';
import type { Usage } from '../../../shared/usage.ts';
import type { LanguageModel } from '../ports.ts';

export interface ModelAnswer {
  text: string;
  /** False when the model was cut off. */
  complete: boolean;
  usage: Usage | null;
}

/** `text` goes as user data, `instruction` as system prompt. Rejects with the model's ConsoleError. `onUsage` is told also when it fails. */
export async function askModel(
  model: LanguageModel,
  ask: { instruction: string; text: string; conversationId: string },
  signal: AbortSignal,
  onUsage: (usage: Usage | null) => Promise<unknown>,
): Promise<ModelAnswer> {
  const { instruction, text, conversationId } = ask;
  const messages = [{ role: 'user' as const, content: text, origin: 'system', trust: 'untrusted' as const }];
  for await (const event of model.stream({ system: instruction, tools: [], messages, conversationId }, signal)) {
    if (event.type !== 'model-end') continue;
    await onUsage(event.usage);
    if (event.error !== null && event.outcome !== 'truncated') throw fromErrorInfo(event.error);
    return { text: event.text, complete: event.outcome === 'answered', usage: event.usage };
  }
  throw new ConsoleError('model-interrupted', 'the model ended without an answer', { retryable: true });
}
