/** Pure: the whole next request in parts, for the meter and the inspector. */
import {
  CONTEXT_PARTS,
  type ContextMessage,
  type ContextPart,
  type ContextPlan,
  type PartSize,
  type PlanEntry,
  type RequestForecast,
} from '../../../shared/compaction.ts';
import type { NeutralMessage } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { ToolSpec } from '../../../shared/tool.ts';
import type { TokenEstimator } from '../ports.ts';
import { messageTokens, toolText, toolsTokens } from './estimate.ts';
import { phpChars } from './php-measure.ts';

export interface ForecastInput {
  plan: ContextPlan;
  /** The system prompt of the request, with tenant facts left out. */
  system: string;
  tools: readonly ToolSpec[];
  /** The running turn so far: the question, and the calls and results after it. */
  current: readonly NeutralMessage[];
  model: string;
  /** null: unknown. */
  windowTokens: number | null;
  promptVersion: string;
  /** Room kept for the answer, in tokens. */
  reserveTokens: number;
  estimator: TokenEstimator;
  settings: Settings;
}

/** Parts in wire order, those without text left out; `reserve` always, `free` where the window is known. `totalTokens` counts text only. */
export function forecastRequest(input: ForecastInput): RequestForecast {
  const { plan, estimator } = input;
  const sizes = new Map<ContextPart, { characters: number; tokens: number }>();
  const add = (part: ContextPart, characters: number, tokens: number): void => {
    const size = sizes.get(part) ?? { characters: 0, tokens: 0 };
    sizes.set(part, { characters: size.characters + characters, tokens: size.tokens + tokens });
  };
  if (input.system !== '') add('system', input.system.length, estimator.count(input.system));
  for (const tool of input.tools) add('tools', toolText(tool).length, toolsTokens([tool], estimator));
  const parts = partFinder(plan);
  for (const message of plan.messages) add(parts(message), phpChars(message), messageTokens(message, estimator));
  for (const message of input.current) add('current', phpChars(message), messageTokens(message, estimator));
  let totalTokens = 0;
  for (const size of sizes.values()) totalTokens += size.tokens;
  sizes.set('reserve', { characters: 0, tokens: input.reserveTokens });
  if (input.windowTokens !== null) {
    sizes.set('free', { characters: 0, tokens: Math.max(0, input.windowTokens - totalTokens - input.reserveTokens) });
  }
  return {
    plan,
    parts: CONTEXT_PARTS.flatMap((part): PartSize[] => {
      const size = sizes.get(part);
      return size === undefined ? [] : [{ part, ...size }];
    }),
    totalTokens,
    windowTokens: input.windowTokens,
    model: input.model,
    promptVersion: input.promptVersion,
  };
}

/** Which part of the request a message of the plan belongs to. */
function partFinder(plan: ContextPlan): (message: ContextMessage) => ContextPart {
  const entries = new Map(plan.entries.map((entry) => [entry.turn, entry]));
  return (message) => {
    switch (message.kind) {
      case 'summary':
        return 'summary';
      case 'ledger':
        return 'ledger';
      case 'digest':
        return 'compacted';
      case 'recalled':
      case 'memory':
        return 'recalled';
      case undefined:
        return storedPart(message, entries);
    }
  };
}

function storedPart(message: ContextMessage, entries: ReadonlyMap<number, PlanEntry>): ContextPart {
  const entry = message.turn === undefined ? undefined : entries.get(message.turn);
  if (entry?.pinned === true) return 'pinned';
  return entry?.disposition === 'compacted' ? 'compacted' : 'full';
}
