/** I/O: a strict stand-in for the embedding half of both APIs on 127.0.0.1. Texts about the same thing get vectors that are alike. */
import type { FakeServer, RecordedRequest, Refusal } from './providers/fake-server.ts';
import { startFakeServer } from './providers/fake-server.ts';

export const EMBEDDING_KEY = 'sk-embed-canary-0123456789abcdef';
const OPENAI_LIMIT = 2048;
const GEMINI_LIMIT = 100;

/** Words that mean the same, one dimension each. */
const CONCEPTS: readonly RegExp[] = [
  /\b(?:ship\w*|deliver\w*|parcel\w*|package\w*|dispatch\w*|courier|carrier)\b/gi,
  /\b(?:refund\w*|money back|reimburse\w*|return\w*)\b/gi,
  /\b(?:warrant\w*|guarantee\w*|repair\w*|broken|faulty|defect\w*)\b/gi,
  /\b(?:password|sign-in|log ?in|account|credentials)\b/gi,
  /\b(?:privacy|personal data|delet\w*|erase|gdpr)\b/gi,
  /\b(?:pay\w*|card|bank|paypal|invoice)\b/gi,
  /\b(?:customs|dut(?:y|ies)|abroad|overseas|international)\b/gi,
];

export function conceptVector(text: string): number[] {
  return CONCEPTS.map((concept) => text.match(concept)?.length ?? 0).concat(0.01);
}

export interface FakeEmbeddings extends FakeServer {
  /** For OPENAI_BASE_URL. */
  openaiUrl: string;
  /** Texts that were embedded, by request. */
  embedded(): string[][];
}

export async function startFakeEmbeddings(options: { fails?: () => Refusal | null } = {}): Promise<FakeEmbeddings> {
  const server = await startFakeServer({
    judge(request) {
      const failure = options.fails?.() ?? null;
      if (failure !== null) return { refusal: failure };
      const texts = textsOf(request);
      if (!Array.isArray(texts)) return { refusal: texts };
      const vectors = texts.map(conceptVector);
      if (request.url.startsWith('/v1/')) {
        const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
        const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
        return {
          answer: { body: { object: 'list', model: request.body['model'], data, usage: { prompt_tokens: tokens, total_tokens: tokens } } },
        };
      }
      return { answer: { body: { embeddings: vectors.map((values) => ({ values })) } } };
    },
  });
  return {
    ...server,
    openaiUrl: `${server.origin}/v1`,
    embedded: () => server.modelRequests().flatMap((request) => (request.refusal === null ? [textsOf(request) as string[]] : [])),
  };
}

function refusal(status: number, message: string): Refusal {
  return { status, body: { error: { message, type: 'invalid_request_error', code: null, status: 'INVALID_ARGUMENT' } } };
}

function textsOf(request: RecordedRequest): string[] | Refusal {
  const path = request.url.split('?')[0] ?? '';
  const isOpenAi = path === '/v1/embeddings';
  const key = isOpenAi ? request.headers['authorization']?.replace('Bearer ', '') : request.headers['x-goog-api-key'];
  if (key !== EMBEDDING_KEY) return refusal(401, `Incorrect API key provided: ${key ?? ''}.`);
  if (!isOpenAi && !/^\/v1beta\/models\/[^:/]+:batchEmbedContents$/.test(path))
    return refusal(404, `Invalid URL (${request.method} ${path})`);
  const texts = isOpenAi ? request.body['input'] : geminiTexts(request.body['requests']);
  if (!Array.isArray(texts) || texts.length === 0) return refusal(400, 'input must be a list of texts');
  if (texts.length > (isOpenAi ? OPENAI_LIMIT : GEMINI_LIMIT)) return refusal(400, 'too many texts in one request');
  if (texts.some((text) => typeof text !== 'string' || text === '' || !text.isWellFormed()))
    return refusal(400, 'a text is empty or broken');
  return texts as string[];
}

function geminiTexts(requests: unknown): unknown {
  if (!Array.isArray(requests)) return null;
  return requests.map((one: unknown) => {
    const { content, taskType } = one as { content?: { parts?: { text?: string }[] }; taskType?: string };
    return taskType === 'RETRIEVAL_QUERY' || taskType === 'RETRIEVAL_DOCUMENT' ? (content?.parts?.[0]?.text ?? '') : null;
  });
}
