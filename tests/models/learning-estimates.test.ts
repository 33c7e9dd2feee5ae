/** One estimator that follows the model at work. */
import { describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../electron/engine/ports.ts';
import { createLearningEstimates } from '../../electron/models/learning-estimates.ts';
import { sampleText, seededRandom } from '../../bench/token-samples.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { collect, requestOf, user } from './support.ts';

const base = { name: 'quarters', count: (text: string) => Math.ceil(text.length / 4) };

/** A model that reports a fixed number of tokens per UTF-16 unit of what it was sent. */
function reporting(provider: string, perUnit: number): LanguageModel {
  return {
    provider,
    model: 'm',
    label: 'a test model',
    windowTokens: null,
    async *stream(request) {
      const units =
        request.system.length +
        JSON.stringify(request.tools).length +
        request.messages.reduce((sum, message) => sum + message.content.length, 0);
      const usage = {
        inputTokens: Math.round(units * perUnit),
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 1,
        reasoningTokens: 0,
      };
      yield { type: 'model-end', outcome: 'answered', text: 'ok', calls: [], raw: null, usage, finishReason: 'stop', error: null };
    },
  };
}

async function ask(model: LanguageModel, random: () => number, times: number, raw?: ContextMessage['providerRaw']): Promise<void> {
  for (let call = 0; call < times; call += 1) {
    const answer: ContextMessage = { role: 'assistant', content: 'Yes.', ...(raw === undefined ? {} : { providerRaw: raw }) };
    await collect(model, requestOf([user(sampleText('English', random)), answer, user('And now?')]));
  }
}

describe('learning estimates', () => {
  it('counts as the base until a model reports, then as that model, each model by itself', async () => {
    const estimates = createLearningEstimates({ base });
    const random = seededRandom(3);
    const text = sampleText('English', random);
    expect(estimates.estimator.count(text)).toBe(base.count(text));
    const dear = estimates.watch(reporting('openai', 0.4));
    const cheap = estimates.watch(reporting('gemini', 0.2));
    expect(dear).toMatchObject({ provider: 'openai', model: 'm', label: 'a test model' });
    await ask(dear, random, 5);
    const asDear = estimates.estimator.count(text);
    expect(asDear / text.length).toBeGreaterThan(0.34);
    expect(estimates.accuracy()).toMatchObject({ model: 'openai/m', samples: 5 });
    await ask(cheap, random, 5);
    expect(estimates.estimator.count(text)).toBeLessThan(asDear * 0.7);
    await ask(estimates.watch(reporting('demo', 9)), random, 1);
    expect(estimates.estimator.count(text)).toBe(base.count(text));
    expect(estimates.accuracy()).toEqual({ model: null, samples: 0, p95Error: null });
  }, 60_000);

  it('does not learn from requests with sealed parts that nobody can count', async () => {
    const estimates = createLearningEstimates({ base });
    const raw = { provider: 'openai', model: 'm', body: '[{"type":"reasoning","encrypted_content":"x"}]' };
    await ask(estimates.watch(reporting('openai', 5)), seededRandom(4), 3, raw);
    expect(estimates.accuracy().samples).toBe(0);
  });

  it('goes on from what an earlier start learned', async () => {
    const random = seededRandom(5);
    const first = createLearningEstimates({ base });
    await ask(first.watch(reporting('openai', 0.4)), random, 4);
    const second = createLearningEstimates({ base, saved: JSON.parse(JSON.stringify(first.calibrations())) as Record<string, unknown> });
    await ask(second.watch(reporting('openai', 0.4)), random, 1);
    expect(second.calibrations()['openai/m']?.errors.at(-1)).toBeLessThan(0.1);
  });
});
