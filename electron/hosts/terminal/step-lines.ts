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
    if (event.type === 'context-built') return memoryLine(event);
    if (event.type === 'tool-call') calls.set(event.call.id, event.call);
    if (event.type === 'tool-result') return resultLines(event);
    return plainLines(event);
  };
}

/** Lines that need nothing but their event. */
function plainLines(event: ConsoleEvent): string[] {
  if (event.type === 'model-end') return event.outcome === 'tool-calls' ? [] : [modelLine(event.step, event.outcome, event.ms)];
  if (event.type === 'retry-start') {
    return [cleanLine(`[step ${event.step}] attempt ${event.attempt} in ${Math.round(event.delayMs)} ms: ${event.reason}`)];
  }
  if (event.type === 'step-limit') return [`[step ${event.steps}] step limit reached: ${event.steps} step${event.steps === 1 ? '' : 's'}`];
  if (event.type === 'time-limit') return [`time limit reached: ${event.seconds} s`];
  if (event.type === 'notice') return [cleanLine(`notice: ${event.message}`)];
  if (event.type === 'api-error') return [cleanLine(`[step ${event.step}] error: ${event.error.message} (${event.error.code})`)];
  return [];
}

function modelLine(step: number, outcome: string, ms: number): string {
  return outcome === 'answered'
    ? `[step ${step}] model answered (${Math.round(ms)} ms)`
    : `[step ${step}] model ended: ${cleanLine(outcome)} (${Math.round(ms)} ms)`;
}
