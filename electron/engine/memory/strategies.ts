/** Pure: every memory strategy by its name. */
import type { StrategyName } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { recentTurns } from './recent-turns.ts';
import { stable } from './stable.ts';
import type { MemoryStrategy } from './strategy.ts';

const STRATEGIES: Partial<Record<StrategyName, MemoryStrategy>> = { 'recent-turns': recentTurns, stable };

/** The strategy of this name. Throws a ConsoleError `unsupported` for one this version does not have. */
export function memoryStrategy(name: StrategyName): MemoryStrategy {
  const strategy = STRATEGIES[name];
  if (strategy === undefined)
    throw new ConsoleError('unsupported', `The memory strategy "${name}" is not part of this version; choose recent-turns.`);
  return strategy;
}
