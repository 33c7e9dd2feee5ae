/** One schema, two dialects: golden outputs. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../electron/engine/tools/registry.ts';
import { readCall } from '../../electron/models/tool-arguments.ts';
import { geminiTool, openAiTool } from '../../electron/models/tool-schemas.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import type { JsonSchema, ToolSpec } from '../../shared/tool.ts';
import { refuseGemini, newGeminiMemory } from '../fakes/providers/gemini-wire.ts';
import { refuseFunction } from '../fakes/providers/openai-responses-wire.ts';
import { testClock } from './support.ts';

const tool = (parameters: JsonSchema): ToolSpec => ({ name: 'f', description: 'd', effect: 'read', parameters });

const RICH = z
  .object({
    id: z.number().int().min(1).describe('The number'),
    kind: z.enum(['a', 'b']),
    note: z.string().min(1).max(9).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    tags: z.array(z.object({ name: z.string(), on: z.boolean().default(true) })).optional(),
    when: z.iso.datetime().nullable(),
    level: z.literal(3),
  })
  .strict();

describe('P25 tool schemas', () => {
  const schema = z.toJSONSchema(RICH, { io: 'input' }) as JsonSchema;

  it('P25 OpenAI strict: no other properties, all required, optional ones take null', () => {
    const { parameters, strict } = openAiTool(tool(schema));
    expect(strict).toBe(true);
    expect(refuseFunction('f', parameters, true)).toBeNull();
    expect(parameters).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['id', 'kind', 'note', 'either', 'tags', 'when', 'level'],
      properties: {
        id: { type: 'integer', minimum: 1, description: 'The number' },
        kind: { type: 'string', enum: ['a', 'b'] },
        note: { type: ['string', 'null'] },
        either: { type: ['string', 'number', 'null'] },
        tags: { type: ['array', 'null'], items: { required: ['name', 'on'], additionalProperties: false } },
        when: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        level: { const: 3 },
      },
    });
    expect(JSON.stringify(parameters)).not.toMatch(/\$schema|default|maxLength/);
  });

  it('P25 Gemini: upper-case types, nullable, no keyword it refuses', () => {
    const declaration = geminiTool(tool(schema));
    const body = { contents: [{ role: 'user', parts: [{ text: 'x' }] }], tools: [{ functionDeclarations: [declaration] }] };
    expect(refuseGemini(body, 'gemini-3-pro-preview', newGeminiMemory())).toBeNull();
    expect(declaration.parameters).toMatchObject({
      type: 'OBJECT',
      required: ['id', 'kind', 'when', 'level'],
      properties: {
        id: { type: 'INTEGER', minimum: 1 },
        kind: { type: 'STRING', enum: ['a', 'b'], format: 'enum' },
        either: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
        tags: { type: 'ARRAY', items: { type: 'OBJECT', properties: { on: { type: 'BOOLEAN' } } } },
        when: { type: 'STRING', format: 'date-time', nullable: true },
        level: { type: 'NUMBER', description: 'One of: 3.' },
      },
    });
    expect(JSON.stringify(declaration)).not.toMatch(/additionalProperties|\$schema|default/);
  });

  it('P25 every tool of the shop is accepted by both', () => {
    const ids = { uuid: () => 'x', conversationId: () => 'x' };
    for (const spec of createToolRegistry({ store: createInMemoryStore(), clock: testClock(), ids }).specs()) {
      const { name, parameters, strict } = openAiTool(spec);
      expect(strict).toBe(true);
      expect(refuseFunction(name, parameters, true)).toBeNull();
      const body = { contents: [{ role: 'user', parts: [{ text: 'x' }] }], tools: [{ functionDeclarations: [geminiTool(spec)] }] };
      expect(refuseGemini(body, 'gemini-3-pro-preview', newGeminiMemory())).toBeNull();
    }
  });

  it.each<[string, JsonSchema]>([
    ['an open map', { type: 'object', properties: { map: { type: 'object', additionalProperties: { type: 'string' } } } }],
    ['a tuple without items', { type: 'object', properties: { pair: { type: 'array' } } }],
    ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['a schema that refers to itself', { type: 'object', properties: { a: { $ref: '#' } } }],
    ['anything goes', {}],
  ])('P25 %s goes to OpenAI as it is, not strict, and to Gemini without refused keywords', (_name, parameters) => {
    const written = openAiTool(tool(parameters));
    expect(written.strict).toBe(false);
    expect(written.parameters).toMatchObject({ type: 'object', ...parameters });
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      tools: [{ functionDeclarations: [geminiTool(tool(parameters))] }],
    };
    expect(JSON.stringify(refuseGemini(body, 'gemini-3-pro-preview', newGeminiMemory()) ?? '')).not.toMatch(/Unknown name/);
  });

  it('P25 references are written out', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/size', description: 'outer' } },
      required: ['a'],
      $defs: { size: { type: 'integer' } },
    };
    expect(openAiTool(tool(schema)).parameters['properties']).toEqual({ a: { type: 'integer', description: 'outer' } });
    expect(geminiTool(tool(schema)).parameters?.['properties']).toEqual({ a: { type: 'INTEGER', description: 'outer' } });
  });

  it('P25 a tool without parameters has none for Gemini', () => {
    expect(geminiTool(tool({ type: 'object', properties: {} }))).toEqual({ name: 'f', description: 'd' });
  });
});

describe('P15 arguments', () => {
  const tools = [
    tool({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: ['string', 'null'] }, c: { type: 'object', properties: { d: { type: 'integer' } } } },
      required: ['b'],
    }),
  ];
  it('P15 P25 forced nulls go, real ones stay, whole numbers keep their digits', () => {
    expect(readCall('1', 'f', '{"a":null,"b":null,"c":{"d":null},"e":null}', tools).arguments).toEqual({ b: null, c: {}, e: null });
    expect(readCall('1', 'f', '{"a":7088992364139642880,"b":1.5}', tools).arguments).toEqual({ a: '7088992364139642880', b: 1.5 });
  });
  it.each([
    ['', {}],
    ['  ', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a":1', null],
    ['null', null],
    ['"text"', null],
    ['[]', null],
    [`{"a":"${'x'.repeat(65_536)}"}`, null],
  ])('P15 reads %j', (text, expected) => {
    expect(readCall('1', 'g', text.slice(0, 70_000), tools).arguments).toEqual(expected);
  });
});
