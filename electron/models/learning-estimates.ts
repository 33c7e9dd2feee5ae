/** Pure apart from loading the tokenizer: one estimator for the engine that follows the model at work and learns from what it reports. */
import type { LanguageModel, ModelEvent, ModelRequest, TokenEstimator } from '../engine/ports.ts';
import { createCalibratedEstimator } from './calibrated-estimator.ts';
import type { CalibratedEstimator, Calibration, EstimateAccuracy } from './calibrated-estimator.ts';

export interface LearningEstimates {
  /** Counts as the model that was asked last; as the base before any was, and for models that report nothing. */
  estimator: TokenEstimator;
  /** The same model; what it reports is learned from. */
  watch(model: LanguageModel): LanguageModel;
  /** Of the model that was asked last; `model` is null before any was. */
  accuracy(): EstimateAccuracy & { model: string | null };
  /** By `PROVIDER/MODEL`, to be kept between starts. */
  calibrations(): Record<string, Calibration>;
}

export interface LearningOptions {
  base: TokenEstimator;
  /** From `calibrations()` of an earlier start. */
  saved?: Readonly<Record<string, unknown>>;
}

/** Tokens around each message and each call; estimates of requests add them by themselves, so they are not learned. */
const MESSAGE_OVERHEAD_TOKENS = 4;
const CALL_OVERHEAD_TOKENS = 8;
/** Scripted and recorded models report nothing that is true of another model. */
const UNCOUNTED_PROVIDERS = ['demo', 'tape'];

export function createLearningEstimates({ base, saved = {} }: LearningOptions): LearningEstimates {
  const known = new Map<string, CalibratedEstimator>();
  let current: { name: string; estimator: CalibratedEstimator } | null = null;
  const estimatorOf = (name: string): CalibratedEstimator => {
    const estimator = known.get(name) ?? createCalibratedEstimator({ model: name, base, saved: saved[name] });
    known.set(name, estimator);
    return estimator;
  };
  const follow = (model: LanguageModel): CalibratedEstimator | null => {
    if (UNCOUNTED_PROVIDERS.includes(model.provider)) {
      current = null;
      return null;
    }
    const name = nameOf(model);
    current = { name, estimator: estimatorOf(name) };
    return current.estimator;
  };
  /** What was learned earlier holds from the start on, once the tokenizer it was learned with is there. */
  const applySaved = async (model: LanguageModel): Promise<void> => {
    if (await estimatorOf(nameOf(model)).load()) current ??= { name: nameOf(model), estimator: estimatorOf(nameOf(model)) };
  };
  return {
    estimator: {
      name: 'learned from reports',
      count: (text) => current?.estimator.count(text) ?? base.count(text),
      accuracy: () => current?.estimator.accuracy() ?? { samples: 0, p95Error: null },
    },
    watch: (model) => {
      if (saved[nameOf(model)] !== undefined) void applySaved(model);
      return {
        ...model,
        stream: (...call) => watched(model, follow(model), ...call),
      };
    },
    accuracy: () => ({ model: current?.name ?? null, ...(current?.estimator.accuracy() ?? { samples: 0, p95Error: null }) }),
    calibrations: () => Object.fromEntries([...known].map(([name, estimator]) => [name, estimator.calibration()])),
  };
}

function nameOf(model: LanguageModel): string {
  return `${model.provider}/${model.model}`;
}

async function* watched(
  model: LanguageModel,
  estimator: CalibratedEstimator | null,
  ...call: Parameters<LanguageModel['stream']>
): AsyncGenerator<ModelEvent> {
  const [request] = call;
  for await (const event of model.stream(...call)) {
    if (event.type === 'model-end' && event.usage !== null && estimator !== null && !holdsHiddenTokens(request)) {
      // Learned with the tokenizer only: factors over another count would not fit it.
      const reported = event.usage.inputTokens - overheadTokens(request);
      if (await estimator.load()) estimator.learn(requestText(request), reported);
    }
    yield event;
  }
}

/** Sealed reasoning and signatures are billed as input, but nobody can count them. */
function holdsHiddenTokens(request: ModelRequest): boolean {
  return request.messages.some((message) => /"(?:thoughtSignature|encrypted_content)"/.test(message.providerRaw?.body ?? ''));
}

function overheadTokens({ messages, tools }: ModelRequest): number {
  const calls = messages.reduce((sum, message) => sum + (message.toolCalls?.length ?? 0), tools.length);
  return messages.length * MESSAGE_OVERHEAD_TOKENS + calls * CALL_OVERHEAD_TOKENS;
}

/** All text a request carries, in the order it is sent. */
function requestText({ system, tools, messages }: ModelRequest): string {
  const toolTexts = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  const texts = messages.map((message) => {
    const calls = (message.toolCalls ?? []).map((call) => `${call.name}${JSON.stringify(call.arguments)}`);
    return [message.content, ...calls].join('\n');
  });
  return [system, ...toolTexts, ...texts].join('\n');
}
