/** Asks a model one question without tools, for the console itself. */
import { ConsoleError, fromErrorInfo } from '../../../shared/errors.ts';
import type { Usage } from '../../../shared/usage.ts';
import type { SentRequest } from '../archive/request-archive.ts';
import type { LanguageModel, ModelRequest } from '../ports.ts';

export interface ModelAnswer {
  text: string;
  /** False when the model was cut off. */
  complete: boolean;
  usage: Usage | null;
}

export interface AskWatch {
  usage: (usage: Usage | null) => Promise<unknown>;
  /** Keeps the request as it leaves. */
  sent: (request: ModelRequest) => SentRequest;
}

/** `text` goes as user data, `instruction` as system prompt. Rejects with the model's ConsoleError. `usage` is told also when it fails. */
export async function askModel(
  model: LanguageModel,
  ask: { instruction: string; text: string; conversationId: string },
  signal: AbortSignal,
  watch: AskWatch,
): Promise<ModelAnswer> {
  const { instruction, text, conversationId } = ask;
  const { usage, sent } = watch;
  const messages = [{ role: 'user' as const, content: text, origin: 'system', trust: 'untrusted' as const }];
  const request = { system: instruction, tools: [], messages, conversationId };
  const { onSent, close } = sent(request);
  try {
    for await (const event of model.stream(request, signal, onSent)) {
      if (event.type !== 'model-end') continue;
      await usage(event.usage);
      if (event.error !== null && event.outcome !== 'truncated') throw fromErrorInfo(event.error);
      return { text: event.text, complete: event.outcome === 'answered', usage: event.usage };
    }
  } finally {
    close();
  }
  throw new ConsoleError('model-interrupted', 'the model ended without an answer', { retryable: true });
}
