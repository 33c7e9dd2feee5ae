/** Pure: the options of `npm run -s bench:memory`. */
import { parseArgs } from 'node:util';

export interface BenchArguments {
  input: string | null;
  probes: string | null;
  /** null: conversations as they are. */
  chain: number | null;
  how: 'seq' | 'woven';
  /** Seed of another order of the conversations; null: as they are. */
  shuffle: number | null;
  /** Long dialogues of two people in place of support conversations. */
  dialogues: boolean;
  /** Nothing is replayed. */
  probesOnly: boolean;
  /** Empty: all. */
  strategies: string[];
  budgets: number[];
  json: boolean;
  seed: number;
  count: number;
  timing: boolean;
  help: boolean;
}

export const USAGE = `npm run -s bench:memory -- [options]
  --input=FILE.jsonl    conversations, one a line: {"system": "…", "tools": […], "messages": […]} in OpenAI chat form
                        (default: the generator's own, see --seed and --count)
  --probes=FILE.jsonl   lines {"conversation": n, "question": "…", "evidence": [message indexes]}
  --chain=N             join conversations into ones of N turns
  --how=seq|woven       one after the other, or all first halves and then all second halves (default seq)
  --shuffle=N           put the conversations into another order first, by this seed
  --dialogues           the generator's long dialogues of two people in place of support conversations
  --probes-only         ask the probes and replay nothing
  --strategy=NAME,…     only these rows
  --budget=TOKENS,…     history budgets (default 1000,3000,8000)
  --seed=N --count=N    the generator's seed and number of conversations (default 7 and 24)
  --timing              also measure building at 100, 10,000 and 100,000 stored messages
  --json                one JSON object instead of the table`;

const DEFAULT_BUDGETS = '1000,3000,8000';

function wholeNumber(name: string, text: string | undefined, least: number): number {
  const value = Number(text);
  if (text === undefined || !Number.isInteger(value) || value < least)
    throw new Error(`--${name} needs a whole number from ${least}, not "${text ?? ''}"`);
  return value;
}

/** Throws an Error that says what to change. */
export function parseBenchArguments(argv: readonly string[]): BenchArguments {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      input: text,
      probes: text,
      chain: text,
      how: text,
      shuffle: text,
      dialogues: { type: 'boolean' },
      'probes-only': { type: 'boolean' },
      strategy: text,
      budget: text,
      seed: text,
      count: text,
      json: { type: 'boolean' },
      timing: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.how !== undefined && values.how !== 'seq' && values.how !== 'woven')
    throw new Error(`--how is seq or woven, not "${values.how}"`);
  return {
    input: values.input ?? null,
    probes: values.probes ?? null,
    chain: values.chain === undefined ? null : wholeNumber('chain', values.chain, 1),
    how: values.how ?? 'seq',
    shuffle: values.shuffle === undefined ? null : wholeNumber('shuffle', values.shuffle, 0),
    dialogues: values.dialogues ?? false,
    probesOnly: values['probes-only'] ?? false,
    strategies: (values.strategy ?? '').split(',').filter((name) => name !== ''),
    budgets: (values.budget ?? DEFAULT_BUDGETS).split(',').map((budget) => wholeNumber('budget', budget, 1)),
    json: values.json ?? false,
    seed: wholeNumber('seed', values.seed ?? '7', 0),
    count: wholeNumber('count', values.count ?? '24', 1),
    timing: values.timing ?? false,
    help: values.help ?? false,
  };
}
