/** Pure: every memory strategy by its name. */
import type { StrategyName } from '../../../shared/conversation.ts';
import { recentTurns } from './recent-turns.ts';
import { stable } from './stable.ts';
import type { MemoryStrategy } from './strategy.ts';
import { summary } from './summary.ts';

const STRATEGIES: Record<StrategyName, MemoryStrategy> = { 'recent-turns': recentTurns, summary, stable };

/** The strategy of this name. */
export function memoryStrategy(name: StrategyName): MemoryStrategy {
  return STRATEGIES[name];
}
