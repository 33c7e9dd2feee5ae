/** I/O: a strict stand-in for the Gemini API, on 127.0.0.1. */
import type { FakeServer, RecordedRequest, Refusal, Reply } from './fake-server.ts';
import { hasLoneSurrogate, startFakeServer } from './fake-server.ts';
import { geminiChunks, geminiError, newGeminiMemory, refuseGemini } from './gemini-wire.ts';
import type { GeminiQuirks } from './gemini-wire.ts';
import type { ScriptedStep } from './script.ts';

export const GEMINI_TEST_KEY = 'AIzaTestCanary0123456789abcdefghijk';
const MODELS = ['gemini-3-pro-preview', 'gemini-3-flash-preview', 'gemini-2.5-flash', 'gemini-2.5-pro'];

export interface FakeGemini extends FakeServer {
  baseUrl: string;
  gemini(step: ScriptedStep, quirks?: GeminiQuirks, extra?: Partial<Reply>): Reply;
}

export async function startFakeGemini(): Promise<FakeGemini> {
  const memory = newGeminiMemory();
  const server = await startFakeServer({
    judge: (request) => {
      const refused = refuseKey(request);
      if (refused !== null) return { refusal: refused };
      const path = request.url.split('?')[0] ?? '';
      if (path === '/v1beta/models') return { answer: { body: { models: MODELS.map(modelEntry) } } };
      const model = /^\/v1beta\/models\/([^:]+):streamGenerateContent$/.exec(path)?.[1];
      if (model === undefined || request.method !== 'POST')
        return { refusal: geminiError(404, 'NOT_FOUND', 'Requested entity was not found.') };
      if (!MODELS.includes(model)) {
        return {
          refusal: geminiError(
            404,
            'NOT_FOUND',
            `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ModelService.ListModels.`,
          ),
        };
      }
      if (request.body['$unreadable'] === true || hasLoneSurrogate(request.body))
        return { refusal: geminiError(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.') };
      const broken = refuseGemini(request.body, model, memory);
      return broken === null ? null : { refusal: broken };
    },
  });
  return {
    ...server,
    baseUrl: server.origin,
    gemini: (step, quirks = {}, extra = {}) => ({ events: geminiChunks(step, memory, quirks), ...extra }),
  };
}

function modelEntry(name: string) {
  return {
    name: `models/${name}`,
    displayName: name,
    inputTokenLimit: 1_048_576,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}

function refuseKey(request: RecordedRequest): Refusal | null {
  if (request.url.includes('key=')) return geminiError(400, 'INVALID_ARGUMENT', 'a key belongs into a header, not into the address');
  const given = request.headers['x-goog-api-key'];
  if (given === undefined || given === '') {
    return geminiError(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers (callers without established identity).");
  }
  if (given === GEMINI_TEST_KEY) return null;
  // The real API answers a bad key with 400.
  return geminiError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ]);
}
