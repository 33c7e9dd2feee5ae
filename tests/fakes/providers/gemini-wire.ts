/** Pure: scripted steps as Gemini stream chunks, and the rules the real API refuses requests with. */
import type { Refusal } from './fake-server.ts';
import type { SseEvent } from './framing.ts';
import type { ScriptedStep } from './script.ts';
import { deltas } from './script.ts';

type Json = Record<string, unknown>;

const SENTINEL = 'skip_thought_signature_validator';

/** What a server remembers of its own answers. */
export interface GeminiMemory {
  counter: number;
  /** Signature → the part it was issued on, as JSON. */
  signatures: Map<string, string>;
  /** Call ids it gave. */
  ids: Set<string>;
}

export function newGeminiMemory(): GeminiMemory {
  return { counter: 0, signatures: new Map(), ids: new Set() };
}

export interface GeminiQuirks {
  /** Where the signature of a step with reasoning goes; default: the first call, or the last text. */
  signatureOn?: 'own-chunk' | 'last-empty-part';
  /** The API gives ids to its calls. */
  withIds?: boolean;
  finishReason?: string | null;
  /** A last chunk with one empty text part. */
  emptyLastPart?: boolean;
}

/** Serialises `value` with keys in a fixed order, to compare parts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function sign(part: Json, memory: GeminiMemory): Json {
  const signature = Buffer.from(`signature ${memory.counter}/${memory.signatures.size} Ünï`).toString('base64');
  const signed = { ...part, thoughtSignature: signature };
  memory.signatures.set(signature, canonical(signed));
  return signed;
}

/** The whole stream of one step. */
export function geminiChunks(
  step: ScriptedStep,
  memory: GeminiMemory,
  quirks: GeminiQuirks = {},
  model = 'gemini-3-pro-preview',
): SseEvent[] {
  memory.counter += 1;
  const texts: Json[] = deltas(step.text ?? '').map((text) => ({ text }));
  const calls: Json[] = (step.calls ?? []).map((call, index) => {
    const id = `gemini-${memory.counter}-${index}`;
    if (quirks.withIds === true) memory.ids.add(id);
    const args = typeof call.arguments === 'string' ? (JSON.parse(call.arguments) as unknown) : call.arguments;
    return { functionCall: { ...(quirks.withIds === true ? { id } : {}), name: call.name, args } };
  });
  const extra: Json[] = [];
  if (step.reasoning === true) {
    if (calls[0] !== undefined) calls[0] = sign(calls[0], memory);
    else if (quirks.signatureOn === undefined) texts[texts.length - 1] = sign(texts.at(-1) ?? { text: '' }, memory);
    if (quirks.signatureOn !== undefined) extra.push(sign({ text: '' }, memory));
  }
  const groups = [...texts.map((part) => [part]), ...(calls.length > 0 ? [calls] : []), ...extra.map((part) => [part])];
  const finish = quirks.finishReason === undefined ? 'STOP' : quirks.finishReason;
  if (quirks.emptyLastPart === true) groups.push([{ text: '' }]);
  if (groups.length === 0) groups.push([]);
  return groups.map((parts, index): SseEvent => {
    const last = index === groups.length - 1;
    const content = parts.length === 0 ? { role: 'model' } : { parts, role: 'model' };
    return {
      data: {
        candidates: [{ content, ...(last && finish !== null ? { finishReason: finish } : {}), index: 0 }],
        ...(step.usage === null ? {} : { usageMetadata: usageOf(step, last) }),
        modelVersion: model,
        responseId: `response-${memory.counter}`,
      },
    };
  });
}

/** Numbers of the chunks before the last one are partial, as the API sends them. */
function usageOf(step: ScriptedStep, last: boolean): Json {
  const usage = step.usage ?? { input: 100, output: 20 };
  const thoughts = usage.reasoning ?? 0;
  const output = last ? usage.output - thoughts : 1;
  return {
    promptTokenCount: usage.input,
    ...(usage.cached === undefined ? {} : { cachedContentTokenCount: usage.cached }),
    candidatesTokenCount: output,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    totalTokenCount: usage.input + output + thoughts,
  };
}

export function geminiError(status: number, word: string, message: string, details: Json[] = []): Refusal {
  return { status, body: { error: { code: status, message, status: word, ...(details.length > 0 ? { details } : {}) } } };
}

const invalid = (message: string) => geminiError(400, 'INVALID_ARGUMENT', message);
const SCHEMA_KEYS = [
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'properties',
  'required',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'anyOf',
  'propertyOrdering',
  'example',
];

/** The first rule a request breaks; null when it is accepted. */
export function refuseGemini(body: Json, model: string, memory: GeminiMemory): Refusal | null {
  const unknown = Object.keys(body).find(
    (key) => !['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings'].includes(key),
  );
  if (unknown !== undefined) return invalid(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`);
  for (const tool of (body['tools'] ?? []) as Json[]) {
    for (const declaration of (tool['functionDeclarations'] ?? []) as Json[]) {
      const problem = declaration['parameters'] === undefined ? null : schemaProblem(declaration['parameters'] as Json, 'parameters');
      if (problem !== null)
        return invalid(`Invalid JSON payload received. ${problem} at 'tools[0].function_declarations[0].${String(declaration['name'])}'`);
    }
  }
  const contents = body['contents'];
  if (!Array.isArray(contents) || contents.length === 0) return invalid('* GenerateContentRequest.contents: contents is not specified');
  return refuseContents(contents as Json[], model, memory);
}

function schemaProblem(schema: Json, where: string): string | null {
  const unknown = Object.keys(schema).find((key) => !SCHEMA_KEYS.includes(key));
  if (unknown !== undefined) return `Unknown name "${unknown}" at '${where}': Cannot find field.`;
  const type = schema['type'];
  if (type !== undefined && (typeof type !== 'string' || !/^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/.test(type)))
    return `${where}.type: invalid value`;
  if (type === 'OBJECT' && Object.keys((schema['properties'] ?? {}) as Json).length === 0)
    return `${where}.properties: should be non-empty for OBJECT type`;
  if (type === 'ARRAY' && schema['items'] === undefined) return `${where}.items: missing field`;
  if (schema['enum'] !== undefined && type !== 'STRING') return `${where}.enum: only allowed for STRING type`;
  for (const name of (schema['required'] ?? []) as string[]) {
    if ((schema['properties'] as Json | undefined)?.[name] === undefined) return `${where}.required: property is not defined`;
  }
  const inner = [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Json>),
    ...(schema['items'] === undefined ? [] : [['items', schema['items'] as Json] as const]),
  ];
  for (const [name, property] of inner) {
    const problem = schemaProblem(property, `${where}.${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

const partsOf = (content: Json | undefined) => (content?.['parts'] ?? []) as Json[];
const callsOf = (content: Json | undefined) =>
  partsOf(content).flatMap((part) => (part['functionCall'] === undefined ? [] : [part['functionCall'] as Json]));
const responsesOf = (content: Json | undefined) =>
  partsOf(content).flatMap((part) => (part['functionResponse'] === undefined ? [] : [part['functionResponse'] as Json]));

function refuseContents(contents: Json[], model: string, memory: GeminiMemory): Refusal | null {
  if (contents[0]?.['role'] !== 'user') return invalid('Please ensure that the first content is from the user.');
  if (contents.at(-1)?.['role'] !== 'user') return invalid('Please ensure that multiturn requests end with a user role.');
  for (const [index, content] of contents.entries()) {
    const before = contents[index - 1];
    const broken = refuseParts(content, index) ?? refusePairing(content, before, contents[index + 1], memory);
    if (broken !== null) return broken;
  }
  return refuseSignatures(contents, model, memory);
}

function refuseParts(content: Json, index: number): Refusal | null {
  if (content['role'] !== 'user' && content['role'] !== 'model') return invalid('Please use a valid role: user, model.');
  const parts = partsOf(content);
  if (parts.length === 0) return invalid(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`);
  for (const part of parts) {
    const kinds = ['text', 'functionCall', 'functionResponse'].filter((kind) => part[kind] !== undefined);
    if (kinds.length !== 1) return invalid(`contents[${index}].parts: must have one initialized field`);
    if (part['text'] === '' && part['thoughtSignature'] === undefined)
      return invalid('Unable to submit request because it must have a text parameter.');
    const response = (part['functionResponse'] as Json | undefined)?.['response'];
    if (kinds[0] === 'functionResponse' && (response === null || typeof response !== 'object' || Array.isArray(response)))
      return invalid('function_response.response: must be an object');
  }
  return null;
}

function refusePairing(content: Json, before: Json | undefined, after: Json | undefined, memory: GeminiMemory): Refusal | null {
  const calls = callsOf(content);
  const responses = responsesOf(content);
  if (calls.length > 0) {
    if (before?.['role'] !== 'user')
      return invalid('Please ensure that function call turn comes immediately after a user turn or after a function response turn.');
    if (responsesOf(after).length !== calls.length)
      return invalid(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
  }
  if (responses.length === 0) return null;
  const asked = callsOf(before);
  if (asked.length !== responses.length)
    return invalid('Please ensure that function response turn comes immediately after a function call turn.');
  for (const [index, response] of responses.entries()) {
    if (response['name'] !== asked[index]?.['name']) return invalid('function response name does not match the function call');
    const id = response['id'] as string | undefined;
    if (id !== undefined && (!memory.ids.has(id) || id !== asked[index]?.['id']))
      return invalid(`function response id ${id} was never given`);
    if (id === undefined && asked[index]?.['id'] !== undefined) return invalid('function response id is missing');
  }
  return null;
}

/** Signatures only as issued and where they were; in the active turn of Gemini 3 on the first call of every step. */
function refuseSignatures(contents: Json[], model: string, memory: GeminiMemory): Refusal | null {
  const start = contents.findLastIndex(
    (content) => content['role'] === 'user' && partsOf(content).some((part) => part['text'] !== undefined),
  );
  const checks = /gemini-[3-9]/.test(model);
  for (const [index, content] of contents.entries()) {
    for (const part of partsOf(content)) {
      const signature = part['thoughtSignature'] as string | undefined;
      if (signature === undefined || signature === SENTINEL) continue;
      const issued = memory.signatures.get(signature);
      if (issued === undefined) return invalid('Corrupted thought signature.');
      if (issued !== canonical(part)) return invalid('Thought signature is not valid for this part.');
    }
    const first = partsOf(content).find((part) => part['functionCall'] !== undefined);
    if (checks && index > start && first !== undefined && first['thoughtSignature'] === undefined) {
      return invalid(
        `Function call is missing a thought_signature in functionCall parts. Function call \`default_api:${String((first['functionCall'] as Json)['name'])}\`, position ${index + 1}.`,
      );
    }
  }
  return null;
}
