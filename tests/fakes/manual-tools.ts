/** Tools whose calls a test answers itself, one by one. */
import type { ToolRegistry, ToolRun } from '../../electron/engine/tools/registry.ts';
import type { ToolCall, ToolEffect } from '../../shared/tool.ts';

export interface ManualTools extends ToolRegistry {
  /** Calls that wait for an answer, in order. */
  readonly waiting: {
    call: ToolCall;
    signal: AbortSignal;
    answer: (result: unknown, rest?: Partial<ToolRun>) => void;
    fail: (error: unknown) => void;
  }[];
  /** All calls that were ever begun. */
  readonly begun: string[];
}

export function createManualTools(tools: Record<string, ToolEffect>): ManualTools {
  const waiting: ManualTools['waiting'] = [];
  const begun: string[] = [];
  return {
    waiting,
    begun,
    specs: () =>
      Object.entries(tools).map(([name, effect]) => ({ name, description: name, effect, parameters: { type: 'object', properties: {} } })),
    run(call, scope) {
      begun.push(call.name);
      return new Promise((resolve, reject) => {
        waiting.push({
          call,
          signal: scope.signal,
          answer: (result, rest = {}) => resolve({ result, failed: false, events: [], ...rest }),
          fail: reject,
        });
      });
    },
  };
}
