/** Does I/O: how well token estimates fit after three calls. Prints one line per kind of writing and says which counts are recorded. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scriptEstimator } from '../electron/engine/memory/estimate.ts';
import { createCalibratedEstimator } from '../electron/models/calibrated-estimator.ts';
import { SAMPLE_KINDS, sampleText, seededRandom, simulatedProvider } from './token-samples.ts';
import type { SampleKind } from './token-samples.ts';
import { countTokens } from './tokens.ts';

const RUNS = 40;
const LEARNING_CALLS = 3;
const PREDICTIONS = 10;

export interface EstimateErrors {
  /** 95th percentile of the relative error before anything was learned. */
  before: number;
  /** The same after three calls. */
  after: number;
}

function percentile(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;
}

/** Simulated: seeded providers, three reports each, then predictions. */
export async function measureKind(kind: SampleKind, runs = RUNS): Promise<EstimateErrors> {
  const before: number[] = [];
  const after: number[] = [];
  for (let seed = 1; seed <= runs; seed += 1) {
    const random = seededRandom(seed * 7919);
    const report = simulatedProvider(countTokens, random);
    const estimator = createCalibratedEstimator({ model: `simulated/${seed}`, base: scriptEstimator });
    await estimator.load();
    const errorOf = (text: string) => {
      const reported = report(text);
      return Math.abs(estimator.count(text) - reported) / reported;
    };
    for (let call = 0; call < LEARNING_CALLS; call += 1) {
      const text = sampleText(kind, random);
      before.push(...(call === 0 ? [errorOf(text)] : []));
      estimator.learn(text, report(text));
    }
    for (let call = 0; call < PREDICTIONS; call += 1) after.push(errorOf(sampleText(kind, random)));
  }
  return { before: percentile(before), after: percentile(after) };
}

/** Recorded: request bodies and the input tokens OpenAI reported for them, when the shared cases are beside the project. */
function recordedLines(): string[] {
  const folder = fileURLToPath(new URL('../../shared/cases/providers/', import.meta.url));
  const cases = [
    ['oai-resp-stream-tool', 0],
    ['oai-resp-stream-tool', 1],
    ['oai-resp-reasoning-tools', 0],
    ['oai-chat-stream-tool', 0],
    ['oai-chat-stream-tool', 1],
  ] as const;
  if (!existsSync(folder)) return ['recorded   none: the shared cases are not here'];
  return cases.map(([id, index]) => {
    const read = (name: string) => (existsSync(`${folder}bodies/${name}`) ? readFileSync(`${folder}bodies/${name}`, 'utf8') : '');
    const request = JSON.parse(read(`${id}.${index}.request.json`)) as Record<string, unknown>;
    const response = read(`${id}.${index}.response.sse`) || read(`${id}.${index}.response.json`);
    const reported = [...response.matchAll(/"(?:input|prompt)_tokens":\s*(\d+)/g)].at(-1)?.[1] ?? '?';
    const text = JSON.stringify([request['instructions'] ?? '', request['input'] ?? request['messages'], request['tools'] ?? []]);
    return `recorded   ${id} #${index}: ~${countTokens(text)} counted, ${reported} reported (uncalibrated)`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  for (const kind of SAMPLE_KINDS) {
    const { before, after } = await measureKind(kind);
    process.stdout.write(
      `simulated  ${kind.padEnd(9)} P95 error ${percent(before).padStart(7)} before, ${percent(after).padStart(6)} after 3 calls\n`,
    );
  }
  for (const line of recordedLines()) process.stdout.write(`${line}\n`);
  process.stdout.write(
    `simulated = o200k tokenizer × a seeded factor per script (0.75–1.35), ±1.5 % scatter, fixed framing; ${RUNS} providers per line\n`,
  );
}
