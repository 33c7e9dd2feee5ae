/** Pure: what a tool of the shop is made of. */
import { z } from 'zod';
import type { ToolEffect, ToolSpec } from '../../../shared/tool.ts';
import type { Ticket } from '../../../shared/shop.ts';
import type { RecallIndexes } from '../archive/recall-indexes.ts';
import type { Clock, IdSource, Store } from '../ports.ts';
import type { ArticleVectors } from '../search/article-vectors.ts';

export interface ToolDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  /** Absent: help articles are searched by words only. */
  articleVectors?: ArticleVectors;
  /** Absent: earlier turns cannot be searched, and the tool for it is not there. */
  recall?: Pick<RecallIndexes, 'search'>;
}

/** Whom a call is for. Comes from the conversation, never from the model. */
export interface ToolScope {
  conversationId: string;
  /** The only customer whose records the tool may see; null: none. */
  customerId: string | null;
  turn: number;
  signal: AbortSignal;
  /** The call's entry in the ledger of side effects; absent: there is none. */
  action?: { key: string };
}

/** What a model reads when a tool could not do its work. */
export interface ToolFailure {
  error: 'invalid_arguments' | 'not_found' | 'no_customer' | 'unknown_tool' | 'unavailable';
  /** One sentence: what is wrong and what to do. */
  message: string;
}

export interface ToolOutput {
  result: Record<string, unknown> | ToolFailure;
  /** A ticket made by this call. */
  ticket?: Ticket;
  /** Set when the call asks for a human. */
  handoffReason?: string;
}

export interface Tool {
  readonly spec: ToolSpec;
  /** `input` is what the model sent; returns an `invalid_arguments` failure for what the schema refuses. Rejects only with what the store rejects. */
  run(input: unknown, scope: ToolScope): Promise<ToolOutput>;
}

interface ToolDefinition<Schema extends z.ZodObject> {
  name: string;
  description: string;
  effect: ToolEffect;
  schema: Schema;
  execute(input: z.output<Schema>, scope: ToolScope): Promise<ToolOutput>;
}

/** What a model is told it may send: the checked form, without coercions, so that it learns the plain one. */
function parametersOf(schema: z.ZodObject): ToolSpec['parameters'] {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'output' });
  return parameters;
}

/** `order_id: expected a whole number such as 1042` for every problem, joined; names the arguments that exist. */
function explain(schema: z.ZodObject, error: z.ZodError): string {
  const problems = error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `unknown argument ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    return issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message;
  });
  const names = Object.keys(schema.shape);
  const known = names.length === 0 ? 'This tool takes no arguments' : `The arguments are: ${names.join(', ')}`;
  return `${problems.join('; ')}. ${known}.`;
}

/** Joins schema and work into a tool. The schema must be a strict object with a description on every field. */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, effect, schema } = definition;
  return {
    spec: { name, description, effect, parameters: parametersOf(schema) },
    async run(input, scope) {
      const parsed = schema.safeParse(input);
      if (!parsed.success) return { result: { error: 'invalid_arguments', message: explain(schema, parsed.error) } };
      return definition.execute(parsed.data, scope);
    },
  };
}

/** The failure every tool gives that needs a customer when the conversation has none. */
export function noCustomer(): ToolOutput {
  return {
    result: {
      error: 'no_customer',
      message: 'This conversation belongs to no known customer, so no orders or tickets can be looked up. Offer to hand over to a human.',
    },
  };
}

/** The same words whether the record is somebody else's or does not exist, so that nothing can be learnt from them. */
export function notFound(what: 'order' | 'ticket', id: number): ToolOutput {
  const next = what === 'order' ? 'Ask for the number again or list the orders.' : 'Ask for the number of the ticket again.';
  return { result: { error: 'not_found', message: `This customer has no ${what} ${id}. ${next}` } };
}
