/** Pure: the neutral form of a scripted model answer; each fake writes it in its own wire format. Scenario files hold lists of these. */

export interface ScriptedCall {
  name: string;
  /** An object, or text sent as it is. */
  arguments: Record<string, unknown> | string;
  /** Left out: the fake makes one where its API has ids. */
  id?: string;
}

export interface ScriptedStep {
  text?: string;
  calls?: ScriptedCall[];
  /** A reasoning item or thought signature comes with it. */
  reasoning?: boolean;
  refusal?: string;
  usage?: { input: number; cached?: number; output: number; reasoning?: number } | null;
}

/** A scenario file: what the customer asks and what the model does, turn by turn. */
export interface Scenario {
  about: string;
  turns: { question: string; steps: ScriptedStep[] }[];
}

/** Splits text into deltas of a few characters, at any UTF-16 position that is not inside a pair. */
export function deltas(text: string, size = 6): string[] {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}

export function argumentsText(call: ScriptedCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}
