/** Loads a tokenizer, else pure: token estimates that learn from reported usage, per model and kind of writing. */
import { z } from 'zod';
import type { TokenEstimator } from '../engine/ports.ts';
import { scriptShares, SCRIPTS } from './text-scripts.ts';

/** What was learned about one model; JSON, to be kept between starts. */
export interface Calibration {
  /** Tokens of this model per counted token, by script in the order of SCRIPTS. */
  factors: number[];
  /** How sure we are of them: the covariance, row by row. */
  covariance: number[];
  /** Relative errors of the newest predictions, as made before each was learned from. */
  errors: number[];
}

export interface EstimateAccuracy {
  /** Predictions that were compared with reported usage. */
  samples: number;
  /** 95th percentile of the relative error of the newest predictions; null without any. */
  p95Error: number | null;
}

export interface CalibratedEstimator extends TokenEstimator {
  /** Loads the tokenizer; until then `count` uses the given base. Resolves to false when it cannot be loaded. */
  load(): Promise<boolean>;
  /** Compares a prediction with what a provider reported for exactly this text, then learns from it. Ignores nonsense. */
  learn(text: string, reportedTokens: number): void;
  accuracy(): EstimateAccuracy;
  calibration(): Calibration;
}

export interface CalibratedOptions {
  /** PROVIDER/MODEL, for the name. */
  model: string;
  /** Counts until the tokenizer is loaded. */
  base: TokenEstimator;
  /** From an earlier start; anything that does not fit is ignored. */
  saved?: unknown;
}

const SIZE = SCRIPTS.length;
const calibrationSchema = z.object({
  factors: z.array(z.number().positive()).length(SIZE),
  covariance: z.array(z.number()).length(SIZE * SIZE),
  errors: z.array(z.number()),
});
/** How far a model's counts may lie from the tokenizer's before anything is known, as a standard deviation of the factor. */
const PRIOR_SPREAD = 0.5;
/** Scatter of one report around the true factor: framing, special tokens. */
const REPORT_SPREAD = 0.02;
/** How far factors may drift from report to report. */
const DRIFT = 0.002;
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 5;
const KEPT_ERRORS = 20;
/** Shorter texts say more about framing than about a factor. */
const LEAST_TOKENS = 16;

/** Makes the estimator of one model. */
export function createCalibratedEstimator(options: CalibratedOptions): CalibratedEstimator {
  const state = restore(options.saved);
  let counter: TokenEstimator = options.base;
  const predict = (text: string): { tokens: number; inputs: number[] } => {
    const counted = counter.count(text);
    const shares = scriptShares(text);
    const inputs = SCRIPTS.map((script) => counted * shares[script]);
    return { tokens: dot(inputs, state.factors), inputs };
  };
  return {
    name: `calibrated ${options.model}`,
    count: (text) => (text === '' ? 0 : Math.max(1, Math.round(predict(text).tokens))),
    load: async () => {
      const loaded = await loadTokenizer().catch(() => null);
      if (loaded === null) return false;
      counter = loaded;
      return true;
    },
    learn: (text, reportedTokens) => {
      if (!Number.isFinite(reportedTokens) || reportedTokens < LEAST_TOKENS || text === '') return;
      const { tokens, inputs } = predict(text);
      state.errors.push(Math.abs(tokens - reportedTokens) / reportedTokens);
      if (state.errors.length > KEPT_ERRORS) state.errors.shift();
      update(
        state,
        inputs.map((input) => input / reportedTokens),
      );
    },
    accuracy: () => ({ samples: state.errors.length, p95Error: percentile(state.errors, 0.95) }),
    calibration: () => structuredClone(state),
  };
}

function restore(saved: unknown): Calibration {
  const parsed = calibrationSchema.safeParse(saved);
  if (parsed.success) return structuredClone(parsed.data);
  const covariance = Array.from({ length: SIZE * SIZE }, (_, index) => (index % (SIZE + 1) === 0 ? PRIOR_SPREAD ** 2 : 0));
  return { factors: Array.from({ length: SIZE }, () => 1), covariance, errors: [] };
}

/** One step of a Kalman filter: the inputs, relative to the report, should have added up to 1. */
function update(state: Calibration, inputs: number[]): void {
  const { factors, covariance } = state;
  for (let index = 0; index < SIZE; index += 1) covariance[index * (SIZE + 1)] = at(covariance, index * (SIZE + 1)) + DRIFT ** 2;
  const spread = inputs.map((_, row) => dot(inputs, covariance.slice(row * SIZE, (row + 1) * SIZE)));
  const variance = REPORT_SPREAD ** 2 + dot(inputs, spread);
  const surprise = 1 - dot(inputs, factors);
  for (let row = 0; row < SIZE; row += 1) {
    const gain = at(spread, row) / variance;
    factors[row] = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, at(factors, row) + gain * surprise));
    for (let column = 0; column < SIZE; column += 1) {
      covariance[row * SIZE + column] = at(covariance, row * SIZE + column) - gain * at(spread, column);
    }
  }
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * at(b, index), 0);
}

function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** The tokenizer's merging is quadratic in the length of a word; a text without spaces is cut into pieces of this length. */
const PIECE_LENGTH = 256;
const LONG_WORD = new RegExp(`\\S{${PIECE_LENGTH + 1},}`, 'g');
/** Texts that come again with every request are counted once; together they may hold this many UTF-16 units. */
const CACHE_LENGTH = 4_000_000;

let tokenizer: Promise<TokenEstimator> | null = null;

/** The tokenizer of OpenAI's current models, 2 MB of ranks: loaded once, when first wanted. */
function loadTokenizer(): Promise<TokenEstimator> {
  tokenizer ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
    const cache = new Map<string, number>();
    let held = 0;
    const count = (text: string): number => {
      const known = cache.get(text);
      if (known !== undefined) return known;
      // Text that looks like a special token is only text here.
      const tokens = countTokens(splitLongWords(text), { disallowedSpecial: new Set() });
      if (held + text.length > CACHE_LENGTH) {
        cache.clear();
        held = 0;
      }
      cache.set(text, tokens);
      held += text.length;
      return tokens;
    };
    return { name: 'o200k_base', count };
  });
  return tokenizer;
}

/** Puts a space into every overlong word, between characters; costs about one token in a hundred there. */
function splitLongWords(text: string): string {
  return text.replaceAll(LONG_WORD, (word) => {
    const pieces: string[] = [];
    for (let start = 0; start < word.length; ) {
      let end = Math.min(word.length, start + PIECE_LENGTH);
      const last = word.charCodeAt(end - 1);
      if (end < word.length && last >= 0xd800 && last < 0xdc00) end -= 1;
      pieces.push(word.slice(start, end));
      start = end;
    }
    return pieces.join(' ');
  });
}
