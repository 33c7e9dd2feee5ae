/** Pure data: tools, their calls and their results. */

/** `read` changes nothing; `internal` writes our own records; `external` reaches the world and needs trust or a human. */
export type ToolEffect = 'read' | 'internal' | 'external';

/** JSON Schema as a plain object; adapters emit their provider's dialect from it. */
export type JsonSchema = { [key: string]: unknown };

/** What a model is told about a tool. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: JsonSchema;
  effect: ToolEffect;
}

/** The model's request. `arguments` is always an object; malformed ones never become a ToolCall that runs. */
export interface ToolCall {
  /** Unique within a conversation. */
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}
