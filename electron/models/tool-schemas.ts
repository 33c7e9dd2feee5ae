/** Pure: one JSON Schema per tool, two dialects (P25): OpenAI's strict one and Gemini's OpenAPI subset. */
import type { JsonSchema, ToolSpec } from '../../shared/tool.ts';
import { allowsNull } from './tool-arguments.ts';

/** Keywords OpenAI's strict mode takes beside structure. */
const STRICT_KEYWORDS = [
  'title',
  'description',
  'enum',
  'const',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
];
const STRICT_FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const GEMINI_KEYWORDS = ['title', 'description', 'minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern'];
const GEMINI_FORMATS: Record<string, string[]> = {
  string: ['enum', 'date-time'],
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};
/** A schema that refers to itself cannot be written out; deeper than this it is refused. */
const MAX_DEPTH = 24;

function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function typesOf(schema: JsonSchema): string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one): one is string => typeof one === 'string');
  if (isSchema(schema['properties'])) return ['object'];
  return isSchema(schema['items']) ? ['array'] : [];
}

/** Follows a local `#/…` reference; null when it leads nowhere. */
function resolve(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema | null {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  if (!reference.startsWith('#') || depth > MAX_DEPTH) return null;
  let target: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target = isSchema(target) ? target[key] : undefined;
  }
  if (!isSchema(target)) return null;
  const { $ref: _reference, ...beside } = schema;
  return resolve({ ...target, ...beside }, root, depth + 1);
}

/**
 * A tool for OpenAI. Strict where the schema can be written in the strict subset: no other properties, all required, optional ones take null.
 * A schema that cannot (open maps, tuples, unknown references) goes as it is with `strict: false`.
 */
export function openAiTool(tool: ToolSpec): { name: string; description: string; parameters: JsonSchema; strict: boolean } {
  const strict = strictSchema(tool.parameters, tool.parameters, 0);
  const isObject = strict !== null && strict['type'] === 'object';
  const { $schema: _dialect, ...loose } = tool.parameters;
  return {
    name: tool.name,
    description: tool.description,
    parameters: isObject ? strict : { type: 'object', properties: {}, ...loose },
    strict: isObject,
  };
}

function strictSchema(given: JsonSchema, root: JsonSchema, depth: number): JsonSchema | null {
  const schema = depth > MAX_DEPTH ? null : resolve(given, root, depth);
  if (schema === null) return null;
  const result: JsonSchema = {};
  for (const keyword of STRICT_KEYWORDS) {
    if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
  }
  if (typeof result['format'] === 'string' && !STRICT_FORMATS.includes(result['format'])) delete result['format'];
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) {
    const written = options.map((option) => (isSchema(option) ? strictSchema(option, root, depth + 1) : null));
    return written.includes(null) ? null : { ...result, anyOf: written };
  }
  if (schema['allOf'] !== undefined || schema['not'] !== undefined) return null;
  const types = typesOf(schema);
  if (types.length === 0 && result['enum'] === undefined && result['const'] === undefined) return null;
  if (types.length > 0) result['type'] = types.length === 1 ? types[0] : types;
  if (types.includes('object')) return strictObject(schema, result, root, depth);
  if (types.includes('array')) {
    const items = isSchema(schema['items']) ? strictSchema(schema['items'], root, depth + 1) : null;
    return items === null ? null : { ...result, items };
  }
  return result;
}

function strictObject(schema: JsonSchema, result: JsonSchema, root: JsonSchema, depth: number): JsonSchema | null {
  const open = schema['additionalProperties'];
  if (isSchema(open) || open === true || schema['patternProperties'] !== undefined) return null;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties: JsonSchema = {};
  for (const [name, property] of Object.entries(isSchema(schema['properties']) ? schema['properties'] : {})) {
    const written = isSchema(property) ? strictSchema(property, root, depth + 1) : null;
    if (written === null) return null;
    properties[name] = required.includes(name) ? written : withNull(written);
  }
  return { ...result, properties, required: Object.keys(properties), additionalProperties: false };
}

function withNull(schema: JsonSchema): JsonSchema {
  if (allowsNull(schema)) return schema;
  const type = schema['type'];
  if (schema['const'] !== undefined || type === undefined || type === 'object') {
    return Array.isArray(schema['anyOf'])
      ? { ...schema, anyOf: [...schema['anyOf'], { type: 'null' }] }
      : { anyOf: [schema, { type: 'null' }] };
  }
  const types = [...(Array.isArray(type) ? type : [type]), 'null'];
  return { ...schema, type: types, ...(Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {}) };
}

/** A function declaration for Gemini; without parameters the key is left out, an empty object is refused there. */
export function geminiTool(tool: ToolSpec): { name: string; description: string; parameters?: JsonSchema } {
  const schema = geminiSchema(tool.parameters, tool.parameters, 0);
  const properties = schema['properties'];
  const empty = !isSchema(properties) || Object.keys(properties).length === 0;
  return { name: tool.name, description: tool.description, ...(empty ? {} : { parameters: schema }) };
}

function geminiSchema(given: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  const schema = depth > MAX_DEPTH ? null : resolve(given, root, depth);
  // What cannot be written is left open: a text that the tool's own check reads.
  if (schema === null) return { type: 'STRING' };
  const result: JsonSchema = {};
  for (const keyword of GEMINI_KEYWORDS) {
    if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
  }
  if (allowsNull(schema)) result['nullable'] = true;
  const options = Array.isArray(schema['anyOf'] ?? schema['oneOf']) ? ((schema['anyOf'] ?? schema['oneOf']) as unknown[]) : [];
  const written = options.filter(isSchema).filter((option) => option['type'] !== 'null');
  const [only] = written;
  if (only !== undefined && written.length === 1) return { ...geminiSchema(only, root, depth + 1), ...result };
  if (written.length > 1) return { ...result, anyOf: written.map((option) => geminiSchema(option, root, depth + 1)) };
  return { ...result, ...geminiTyped(schema, result, root, depth) };
}

function geminiTyped(schema: JsonSchema, result: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length > 1) return { anyOf: types.map((type) => geminiSchema({ ...schema, type }, root, depth + 1)) };
  const type = types[0] ?? 'string';
  const typed: JsonSchema = { type: type.toUpperCase() };
  const values = Array.isArray(schema['enum']) ? schema['enum'] : schema['const'] === undefined ? [] : [schema['const']];
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length > 0) Object.assign(typed, { enum: texts, format: 'enum' });
  else if (values.length > 0)
    typed['description'] = `${typeof result['description'] === 'string' ? result['description'] : ''} One of: ${values.join(', ')}.`.trim();
  const format = schema['format'];
  if (texts.length === 0 && typeof format === 'string' && GEMINI_FORMATS[type]?.includes(format)) typed['format'] = format;
  if (typeof schema['exclusiveMinimum'] === 'number' && result['minimum'] === undefined) {
    typed['minimum'] = schema['exclusiveMinimum'] + (type === 'integer' ? 1 : 0);
  }
  if (typeof schema['exclusiveMaximum'] === 'number' && result['maximum'] === undefined) {
    typed['maximum'] = schema['exclusiveMaximum'] - (type === 'integer' ? 1 : 0);
  }
  if (type === 'array') typed['items'] = isSchema(schema['items']) ? geminiSchema(schema['items'], root, depth + 1) : { type: 'STRING' };
  if (type === 'object') Object.assign(typed, geminiObject(schema, root, depth));
  return typed;
}

function geminiObject(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  const properties = Object.entries(isSchema(schema['properties']) ? schema['properties'] : {});
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => properties.some(([known]) => known === name))
    : [];
  return {
    ...(properties.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            properties.map(([name, property]) => [name, geminiSchema(isSchema(property) ? property : {}, root, depth + 1)]),
          ),
        }),
    ...(required.length === 0 ? {} : { required }),
  };
}
