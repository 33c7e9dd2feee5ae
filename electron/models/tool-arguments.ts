/** Pure: reads a model's tool calls (P15–P17) without ever repairing what it meant. */
import type { ModelToolCall } from '../engine/ports.ts';
import type { JsonSchema, ToolSpec } from '../../shared/tool.ts';

/** Longest arguments of one call, in UTF-16 units; more is an error result, never run. */
export const MAX_ARGUMENTS_LENGTH = 64 * 1024;

/** A JSON number that a double cannot hold stays text, digit by digit: ids must not change. */
function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}

/** Parses JSON, whole numbers beyond 2^53 as text. Throws SyntaxError. */
export function parseJsonKeepingDigits(text: string): unknown {
  return JSON.parse(text, keepDigits);
}

/** The arguments as an object; null when the text is no JSON object or too long. Blank text means no arguments. */
export function parseArguments(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  if (text.length > MAX_ARGUMENTS_LENGTH) return null;
  try {
    const value = parseJsonKeepingDigits(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Collects one call's argument text up to just above the cap, so that an endless call cannot fill the memory. */
export function appendArguments(collected: string, delta: string): string {
  return collected.length > MAX_ARGUMENTS_LENGTH ? collected : collected + delta;
}

/** Builds the neutral call. Nulls that the strict dialect forced on optional parameters are left out again (P25). */
export function readCall(id: string, name: string, argumentsText: string, tools: readonly ToolSpec[]): ModelToolCall {
  const parsed = parseArguments(argumentsText);
  const schema = tools.find((tool) => tool.name === name)?.parameters;
  return {
    id,
    name,
    argumentsText: argumentsText.slice(0, MAX_ARGUMENTS_LENGTH).toWellFormed(),
    arguments: parsed === null || schema === undefined ? parsed : dropForcedNulls(parsed, schema),
  };
}

function dropForcedNulls(values: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = asSchema(schema['properties']) ?? {};
  const kept = Object.entries(values).filter(([key, value]) => {
    if (value !== null || required.includes(key)) return true;
    return properties[key] === undefined || allowsNull(asSchema(properties[key]) ?? {});
  });
  return Object.fromEntries(
    kept.map(([key, value]) => {
      const inner = asSchema(properties[key]);
      return inner !== null && asSchema(value) !== null ? [key, dropForcedNulls(value as Record<string, unknown>, inner)] : [key, value];
    }),
  );
}

function asSchema(value: unknown): JsonSchema | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonSchema) : null;
}

/** True when the schema itself takes null. */
export function allowsNull(schema: JsonSchema): boolean {
  const type = schema['type'];
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (Array.isArray(schema['enum']) && schema['enum'].includes(null)) return true;
  const options = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(options) && options.some((option) => allowsNull(asSchema(option) ?? {}));
}

/** An id nobody in `used` has: the provider's when it is usable, else one of ours. Adds it to `used`. */
export function uniqueCallId(offered: string, used: Set<string>, makeId: () => string): string {
  let id = offered;
  while (id === '' || used.has(id)) id = makeId();
  used.add(id);
  return id;
}
