/** Pure: events of a run → the lines on stderr. The forms are fixed: people and programs read them. */
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import type { ToolCall } from '../../../shared/tool.ts';
import { cleanLine } from './text-cleaning.ts';

/** Turns events into lines; keeps the calls that wait for their result. One per run. */
export function createStepLines(): (event: ConsoleEvent) => string[] {
  const calls = new Map<string, ToolCall>();
  let memoryShown = false;

  const memoryLine = (event: Extract<ConsoleEvent, { type: 'context-built' }>): string[] => {
    // Every step builds its context; what was loaded is the same for the whole run.
    if (memoryShown) return [];
    memoryShown = true;
    const lines = [`[step 0] memory: ${event.plan.messages.length} earlier messages loaded (${event.plan.characters} chars)`];
    return [...lines, ...event.plan.notices.map((notice) => `[step 0] notice: ${cleanLine(notice)}`)];
  };

  const resultLines = (event: Extract<ConsoleEvent, { type: 'tool-result' }>): string[] => {
    const call = calls.get(event.callId);
    calls.delete(event.callId);
    const asked = call === undefined ? '' : JSON.stringify(call.arguments);
    return [
      cleanLine(`[step ${event.step}] ${event.name}(${asked}) ${Math.round(event.ms)} ms`),
      cleanLine(`[step ${event.step}] result: ${event.result}`),
    ];
  };

  return (event) => {
    switch (event.type) {
      case 'context-built':
        return memoryLine(event);
      case 'tool-call':
        calls.set(event.call.id, event.call);
        return [];
      case 'tool-result':
        return resultLines(event);
      case 'model-end':
        return event.outcome === 'tool-calls' ? [] : [modelLine(event.step, event.outcome, event.ms)];
      case 'retry-start':
        return [cleanLine(`[step ${event.step}] attempt ${event.attempt} in ${Math.round(event.delayMs)} ms: ${event.reason}`)];
      case 'step-limit':
        return [`[step ${event.steps}] step limit reached: ${event.steps} steps`];
      case 'time-limit':
        return [`time limit reached: ${event.seconds} s`];
      case 'api-error':
        return [cleanLine(`[step ${event.step}] error: ${event.error.message} (${event.error.code})`)];
      default:
        return [];
    }
  };
}

function modelLine(step: number, outcome: string, ms: number): string {
  return outcome === 'answered'
    ? `[step ${step}] model answered (${Math.round(ms)} ms)`
    : `[step ${step}] model ended: ${cleanLine(outcome)} (${Math.round(ms)} ms)`;
}
