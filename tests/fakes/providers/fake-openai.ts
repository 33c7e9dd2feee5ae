/** I/O: a strict stand-in for OpenAI: Responses, Chat Completions and the list of models, on 127.0.0.1. */
import type { FakeServer, RecordedRequest, Refusal, Reply } from './fake-server.ts';
import { hasLoneSurrogate, startFakeServer } from './fake-server.ts';
import { chatEvents, refuseChat } from './openai-chat-wire.ts';
import type { ChatQuirks } from './openai-chat-wire.ts';
import { newResponsesMemory, openAiError, refuseResponses, responsesEvents } from './openai-responses-wire.ts';
import type { ScriptedStep } from './script.ts';

export const OPENAI_TEST_KEY = 'sk-test-canary-0123456789abcdef';
const MODELS = ['gpt-5', 'gpt-5-mini', 'gpt-4o', 'gpt-4o-mini', 'local-model'];

export interface FakeOpenAi extends FakeServer {
  baseUrl: string;
  /** A reply for each step, in the format of the API. */
  responses(step: ScriptedStep, extra?: Partial<Reply>): Reply;
  chat(step: ScriptedStep, quirks?: ChatQuirks, extra?: Partial<Reply>): Reply;
}

/** Starts the fake. `key: null` is a local server that wants none. */
export async function startFakeOpenAi(options: { key?: string | null } = {}): Promise<FakeOpenAi> {
  const key = options.key === undefined ? OPENAI_TEST_KEY : options.key;
  const memory = newResponsesMemory();
  let answers = 0;
  const server = await startFakeServer({
    judge: (request) => {
      const refused = refuseAnything(request, key);
      if (refused !== null) return { refusal: refused };
      const path = request.url.split('?')[0];
      if (path === '/v1/models')
        return { answer: { body: { object: 'list', data: MODELS.map((id) => ({ id, object: 'model', owned_by: 'fake' })) } } };
      const broken =
        path === '/v1/responses'
          ? refuseResponses(request.body, memory)
          : path === '/v1/chat/completions'
            ? refuseChat(request.body)
            : openAiError(404, `Invalid URL (${request.method} ${request.url})`);
      return broken === null ? null : { refusal: broken };
    },
  });
  return {
    ...server,
    baseUrl: `${server.origin}/v1`,
    responses: (step, extra = {}) => ({ events: responsesEvents(step, memory), ...extra }),
    chat: (step, quirks = {}, extra = {}) => {
      answers += 1;
      return { events: chatEvents(step, answers, quirks), ...extra };
    },
  };
}

function refuseAnything(request: RecordedRequest, key: string | null): Refusal | null {
  const given = request.headers['authorization'] ?? '';
  if (key !== null && given !== `Bearer ${key}`) {
    if (given === '')
      return openAiError(401, "You didn't provide an API key. You need to provide your API key in an Authorization header.");
    const shown = given.replace('Bearer ', '');
    return openAiError(
      401,
      `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      'invalid_api_key',
    );
  }
  if (key !== null && request.url.includes(key)) return openAiError(400, 'a key belongs into a header, not into the address');
  if (request.method === 'GET') return null;
  if (request.body['$unreadable'] === true || hasLoneSurrogate(request.body)) {
    return openAiError(
      400,
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly.)",
    );
  }
  const model = String(request.body['model']);
  if (MODELS.includes(model)) return null;
  const status = request.url.startsWith('/v1/responses') ? 400 : 404;
  return openAiError(status, `The model \`${model}\` does not exist or you do not have access to it.`, 'model_not_found');
}
