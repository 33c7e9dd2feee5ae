/** Does I/O: starts consoles as processes of their own that die at named places. */
import { startChildProgram } from '../child-program.ts';
import type { Child } from '../child-program.ts';

export interface ChildPlan {
  folder: string;
  url: string;
  story: 'answer' | 'long-answer' | 'ticket' | 'two-calls' | 'thinking';
  text: string;
  leaseMs: number;
  /** `POINT KIND` of the store's fault points, or a place in the engine; "": it goes on until it is killed. */
  dieAt: string;
}

export function startConsole(plan: ChildPlan): Child {
  return startChildProgram(new URL('./children/console.ts', import.meta.url), [JSON.stringify(plan)]);
}

/** Runs a console until it has died at its place, and gives the conversation it had. */
export async function dyingConsole(plan: ChildPlan): Promise<string> {
  const child = startConsole(plan);
  const conversation = await child.line('conversation ');
  const signal = await child.ended;
  if (signal !== 'SIGKILL') throw new Error(`the console did not die by SIGKILL but by ${String(signal)}: ${child.problems()}`);
  return conversation.slice('conversation '.length);
}
