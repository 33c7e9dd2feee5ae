/** I/O: texts → vectors through the provider's SDK, its retries off. Keys never appear in what is thrown. */
import type { Clock, Embedder, ModelAccess } from '../engine/ports.ts';
import { ConsoleError, fromErrorInfo } from '../../shared/errors.ts';
import type { Usage } from '../../shared/usage.ts';
import { GEMINI_BASE_URL, geminiClient, translateGeminiError } from './gemini.ts';
import { PROVIDER_LABELS } from './model-factory.ts';
import { hostOf, OPENAI_BASE_URL, openAiClient, translateOpenAiError } from './openai-client.ts';
import type { ErrorContext } from './provider-errors.ts';

/** Most texts per request: the smaller limit of the two APIs. */
const BATCH = 100;
/** Longest text that is sent, in UTF-16 units: no script needs more tokens per unit than the models' 8,192 allow. */
const LONGEST_TEXT = 8000;

type Purpose = 'document' | 'query';

/** null for providers that do not embed. */
export function createEmbedder(access: ModelAccess, clock: Clock): Embedder | null {
  const { provider, model } = access;
  if (provider === 'demo' || provider === 'tape') return null;
  const baseUrl = access.baseUrl ?? (provider === 'gemini' ? GEMINI_BASE_URL : OPENAI_BASE_URL);
  const context: ErrorContext = {
    label: PROVIDER_LABELS[provider],
    model,
    host: hostOf(baseUrl),
    secrets: access.apiKey === null ? [] : [access.apiKey],
  };
  const send = provider === 'gemini' ? embedByGemini : embedByOpenAi;
  return {
    provider,
    model,
    async embed(texts, purpose, signal) {
      const vectors: number[][] = [];
      let usage: Usage | null = null;
      for (let start = 0; start < texts.length; start += BATCH) {
        const batch = texts.slice(start, start + BATCH).map((text) => text.slice(0, LONGEST_TEXT).toWellFormed());
        const part = await send({ access, baseUrl, batch, purpose, signal }).catch((error: unknown) => {
          if (signal.aborted) throw new ConsoleError('cancelled', 'The embedding was stopped.');
          const failed = provider === 'gemini' ? translateGeminiError(error, context) : translateOpenAiError(error, context, clock.now());
          throw fromErrorInfo(failed.error);
        });
        vectors.push(...checked(part.vectors, batch.length, context));
        usage = part.inputTokens === null ? usage : withInput(usage, part.inputTokens);
      }
      return { vectors, usage };
    },
  };
}

interface Batch {
  access: ModelAccess;
  baseUrl: string;
  batch: string[];
  purpose: Purpose;
  signal: AbortSignal;
}

interface Part {
  vectors: number[][];
  inputTokens: number | null;
}

async function embedByOpenAi({ access, baseUrl, batch, signal }: Batch): Promise<Part> {
  const client = await openAiClient({ apiKey: access.apiKey ?? undefined, baseUrl, jsonBecomesEvent: false }, { touch: () => undefined });
  const reply = await client.embeddings.create({ model: access.model, input: batch, encoding_format: 'float' }, { signal });
  const ordered = reply.data.toSorted((left, right) => left.index - right.index);
  // Compatible servers may leave the usage out, whatever the type says.
  const usage: unknown = reply.usage;
  const tokens: unknown = typeof usage === 'object' && usage !== null ? Reflect.get(usage, 'prompt_tokens') : null;
  return { vectors: ordered.map((entry) => entry.embedding), inputTokens: typeof tokens === 'number' ? tokens : null };
}

async function embedByGemini({ access, baseUrl, batch, purpose, signal }: Batch): Promise<Part> {
  const client = await geminiClient(access.apiKey ?? '', baseUrl, { touch: () => undefined });
  const taskType = purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT';
  const reply = await client.models.embedContent({ model: access.model, contents: batch, config: { taskType, abortSignal: signal } });
  return { vectors: (reply.embeddings ?? []).map((entry) => entry.values ?? []), inputTokens: null };
}

/** A vector for each text, all of one length, or the failure of a provider that answered something else. */
function checked(vectors: number[][], expected: number, context: ErrorContext): number[][] {
  const size = vectors[0]?.length ?? 0;
  const sound =
    vectors.length === expected && size > 0 && vectors.every((vector) => vector.length === size && vector.every(Number.isFinite));
  if (!sound) throw new ConsoleError('model-unknown', `${context.label} did not answer with one vector per text.`);
  return vectors;
}

function withInput(usage: Usage | null, inputTokens: number): Usage {
  const before = usage?.inputTokens ?? 0;
  return { inputTokens: before + inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
}
