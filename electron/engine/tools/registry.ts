/** I/O through the store port: all tools of the shop, and the one place that runs them. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { Ticket } from '../../../shared/shop.ts';
import type { ToolCall, ToolSpec } from '../../../shared/tool.ts';
import { checkRefundEligibilityTool } from './check-refund-eligibility.ts';
import { createSupportTicketTool } from './create-support-ticket.ts';
import { getOrderTool } from './get-order.ts';
import { getTicketTool } from './get-ticket.ts';
import { handoffToHumanTool } from './handoff-to-human.ts';
import { listOrdersTool } from './list-orders.ts';
import { recallConversationTool } from './recall-conversation.ts';
import { searchHelpCenterTool } from './search-help-center.ts';
import type { Tool, ToolDeps, ToolOutput, ToolScope } from './tool.ts';

export interface ToolRun {
  /** A JSON value for the model; `{error, message}` where the tool could not do its work. */
  result: unknown;
  /** True when `result` is such an error. */
  failed: boolean;
  events: ('handoff' | 'ticket')[];
  ticket?: Ticket;
  handoffReason?: string;
}

export interface ToolRegistry {
  /** What a model is told, always in the same order. */
  specs(): ToolSpec[];
  /** Runs one call. Failures come back as data; rejects only with a ConsoleError `cancelled` when the scope's signal is aborted. */
  run(call: ToolCall, scope: ToolScope): Promise<ToolRun>;
}

function cancelled(): ConsoleError {
  return new ConsoleError('cancelled', 'The tool call was stopped.');
}

/** A broken store must not end the conversation. The cause stays out: it may hold paths, and a model cannot act on it. */
function unavailable(name: string): ToolOutput {
  return {
    result: {
      error: 'unavailable',
      message: `${name} does not work at the moment because the shop's records cannot be reached. Tell the customer, and suggest trying again later.`,
    },
  };
}

function toRun({ result, ticket, handoffReason }: ToolOutput): ToolRun {
  const events: ToolRun['events'] = [];
  if (ticket !== undefined) events.push('ticket');
  if (handoffReason !== undefined) events.push('handoff');
  return {
    result,
    failed: 'error' in result,
    events,
    ...(ticket === undefined ? {} : { ticket }),
    ...(handoffReason === undefined ? {} : { handoffReason }),
  };
}

/** The tools of the shop over one store. */
export function createToolRegistry(deps: ToolDeps): ToolRegistry {
  const tools: readonly Tool[] = [
    listOrdersTool(deps),
    getOrderTool(deps),
    checkRefundEligibilityTool(deps),
    searchHelpCenterTool(deps),
    createSupportTicketTool(deps),
    getTicketTool(deps),
    handoffToHumanTool(),
    ...(deps.recall === undefined ? [] : [recallConversationTool(deps.recall)]),
  ];
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));

  async function outputOf(call: ToolCall, scope: ToolScope): Promise<ToolOutput> {
    const tool = byName.get(call.name);
    if (tool === undefined) {
      const message = `There is no tool "${call.name}". The tools are ${[...byName.keys()].join(', ')}.`;
      return { result: { error: 'unknown_tool', message } };
    }
    try {
      return await tool.run(call.arguments, scope);
    } catch {
      if (scope.signal.aborted) throw cancelled();
      return unavailable(call.name);
    }
  }

  return {
    specs: () => tools.map(({ spec }) => structuredClone(spec)),
    async run(call, scope) {
      if (scope.signal.aborted) throw cancelled();
      return toRun(await outputOf(call, scope));
    },
  };
}
