/** `npm run -s bench:memory`: all strategies and library baselines on the same conversations, as a table or JSON. Reads files, prints results. */
import { parseBenchArguments, type BenchArguments, USAGE } from './arguments.ts';
import { aiPrune, langchainTrim, slidingWindow } from './baselines.ts';
import { chain, type Probe, readConversations, readProbes } from './conversations.ts';
import { generate, type Generated } from './generator.ts';
import { longDialogues } from './long-dialogues.ts';
import { strategies } from './memory-strategies.ts';
import {
  type BenchConversation,
  cents,
  type ContextBuilder,
  emptyTotals,
  evidencePresent,
  type Prices,
  replay,
  type ReplayTotals,
} from './replay.ts';
import { plainBm25 } from './plain-bm25.ts';
import { Seeded } from './seeded.ts';
import { timeStrategy, type TimingRow } from './timing.ts';
import { countTokens } from './tokens.ts';

/** gpt-5-mini, dollars per million tokens, as of 2025-08-07. */
const PRICES: Prices = { input: 0.25, cached: 0.025, output: 2 };
const TIMED_MESSAGES = [100, 10_000, 100_000];

interface Row {
  strategy: string;
  budget: number | null;
  conversations: number;
  calls: number;
  promptTokens: number;
  warmCachedShare: number;
  coldCachedShare: number;
  warmCents: number;
  coldCents: number;
  refusedShare: number;
  carried: number | null;
  far: number | null;
  evidence: number | null;
  milliseconds: number;
}

interface Contender {
  name: string;
  /** Budgets that matter to it; null: it knows none. */
  budgets: (number | null)[];
  builder(budget: number): ContextBuilder;
}

function contenders(budgets: number[]): Contender[] {
  const own = Object.entries(strategies).map(
    ([name, strategy]): Contender => ({
      name: name === 'summary' ? 'summary (extractive, 300 tokens)' : name,
      budgets: name === 'full-replay' ? [null] : budgets,
      builder: (budget) => ({
        name,
        build: (prior, question, state) =>
          strategy.buildContext(prior, question, { budgetTokens: budget, countTokens, state: state as Record<string, unknown> }),
      }),
    }),
  );
  return [
    ...own,
    { name: '@langchain/core trimMessages', budgets, builder: langchainTrim },
    { name: 'ai pruneMessages', budgets: [null], builder: aiPrune },
    { name: 'plain BM25 (hits with neighbours)', budgets, builder: plainBm25 },
    { name: 'sliding window of 20', budgets: [null], builder: slidingWindow },
  ];
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

async function measure(
  contender: Contender,
  budget: number | null,
  conversations: BenchConversation[],
  probes: Probe[],
  probed: BenchConversation[],
): Promise<Row> {
  const totals = emptyTotals();
  const builder = contender.builder(budget ?? 0);
  for (const conversation of conversations) await replay(conversation, builder, totals);
  return { ...rowOf(contender.name, budget, totals), evidence: await evidenceShare(builder, probes, probed) };
}

function rowOf(strategy: string, budget: number | null, totals: ReplayTotals): Omit<Row, 'evidence'> {
  return {
    strategy,
    budget,
    conversations: totals.conversations,
    calls: totals.calls,
    promptTokens: Math.round(totals.promptTokens / Math.max(1, totals.calls)),
    warmCachedShare: totals.warmCachedTokens / Math.max(1, totals.promptTokens),
    coldCachedShare: totals.coldCachedTokens / Math.max(1, totals.promptTokens),
    warmCents: cents(totals, PRICES, 'warm') / Math.max(1, totals.conversations),
    coldCents: cents(totals, PRICES, 'cold') / Math.max(1, totals.conversations),
    refusedShare: totals.refusedCalls / Math.max(1, totals.calls),
    carried: share(totals.carried, totals.carriedOf),
    far: share(totals.far, totals.farOf),
    milliseconds: totals.buildMs / Math.max(1, totals.turns),
  };
}

/** Each probe is asked at the end of its conversation, with nothing kept from other probes. */
async function evidenceShare(builder: ContextBuilder, probes: Probe[], conversations: BenchConversation[]): Promise<number | null> {
  let present = 0;
  let all = 0;
  for (const probe of probes) {
    const messages = conversations[probe.conversation]?.messages ?? [];
    const evidence = probe.evidence.flatMap((index) => messages[index] ?? []);
    present += evidencePresent(await builder.build(messages, probe.question, {}), evidence);
    all += evidence.length;
  }
  return share(present, all);
}

function given(options: BenchArguments): Generated {
  if (options.input !== null) return { conversations: readConversations(options.input), probes: [] };
  return options.dialogues ? longDialogues(options.seed, options.count) : generate(options.seed, options.count);
}

/** Another order joins and weaves other conversations; null: as they are. */
function shuffled(conversations: BenchConversation[], seed: number | null): BenchConversation[] {
  return seed === null ? conversations : new Seeded(seed).shuffled(conversations);
}

/** The conversations to replay and the ones the probes are about. */
function material(options: BenchArguments): { replayed: BenchConversation[]; probes: Probe[]; probed: BenchConversation[] } {
  const made = given(options);
  const probes = options.probes === null ? made.probes : readProbes(options.probes);
  const wrong = probes.find((probe) => made.conversations[probe.conversation] === undefined);
  if (wrong !== undefined) throw new Error(`there is no conversation ${wrong.conversation} for the probe "${wrong.question}"`);
  const order = shuffled(made.conversations, options.shuffle);
  const joined = options.chain === null ? order : chain(order, options.chain, options.how);
  const replayed = options.probesOnly ? [] : joined;
  return { replayed, probes, probed: made.conversations };
}

const percent = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`);

function table(rows: readonly Row[]): string {
  const head = [
    'strategy',
    'budget',
    'prompt/call',
    'cached warm',
    'cold',
    '¢ warm',
    '¢ cold',
    'refused',
    'carried',
    'far',
    'evidence',
    'ms',
  ];
  const lines = rows.map((row) => [
    row.strategy,
    row.budget === null ? '–' : String(row.budget),
    String(row.promptTokens),
    percent(row.warmCachedShare),
    percent(row.coldCachedShare),
    row.warmCents.toFixed(2),
    row.coldCents.toFixed(2),
    percent(row.refusedShare),
    percent(row.carried),
    percent(row.far),
    percent(row.evidence),
    row.milliseconds.toFixed(2),
  ]);
  return aligned([head, ...lines]);
}

function aligned(cells: readonly string[][]): string {
  const widths = (cells[0] ?? []).map((_cell, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells
    .map((line) =>
      line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
    )
    .join('\n');
}

function timingTable(rows: readonly TimingRow[]): string {
  const lines = rows.map((row) => [
    row.strategy,
    String(row.budget),
    String(row.messages),
    row.withoutRecall.toFixed(2),
    row.milliseconds.toFixed(2),
  ]);
  return aligned([['strategy', 'budget', 'messages', 'ms without recall', 'ms with recall'], ...lines]);
}

async function timings(options: BenchArguments): Promise<TimingRow[]> {
  const rows: TimingRow[] = [];
  for (const [name, strategy] of Object.entries(strategies)) {
    if (name === 'full-replay' || !isWanted(name, options)) continue;
    for (const messages of TIMED_MESSAGES) rows.push(await timeStrategy(name, strategy, options.budgets.at(-1) ?? 0, messages));
  }
  return rows;
}

function isWanted(name: string, options: BenchArguments): boolean {
  return (
    options.strategies.length === 0 ||
    options.strategies.some((wanted) => name === wanted || name.startsWith(`${wanted} `) || name.includes(` ${wanted}`))
  );
}

async function main(argv: readonly string[]): Promise<void> {
  const options = parseBenchArguments(argv);
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const { replayed, probes, probed } = material(options);
  const chosen = contenders(options.budgets).filter((contender) => isWanted(contender.name, options));
  if (chosen.length === 0) throw new Error(`no strategy is called ${options.strategies.join(' or ')}`);
  const rows: Row[] = [];
  for (const contender of chosen) {
    for (const budget of contender.budgets) rows.push(await measure(contender, budget, replayed, probes, probed));
  }
  const timed = options.timing ? await timings(options) : [];
  if (options.json) {
    console.log(
      JSON.stringify({ prices: PRICES, chain: options.chain, how: options.how, conversations: replayed.length, rows, timings: timed }),
    );
    return;
  }
  console.log(table(rows));
  if (timed.length > 0) console.log(`\n${timingTable(timed)}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(`\n${USAGE}`);
  process.exitCode = 2;
}
