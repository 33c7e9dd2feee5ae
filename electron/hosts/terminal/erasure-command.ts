/** Does I/O: `forget-customer` removes every copy about a customer and prints the proof. */
import type { ErasureCounts, ErasureProof } from '../../../shared/erasure.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { COMMON_FLAGS, DONE } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { cleanLine, toJson } from './text-cleaning.ts';

/** Texts are left somewhere; a failure ends with other codes. */
const MATCHES_LEFT = 4;

async function runForgetCustomer({ api, config, output }: CommandContext): Promise<number> {
  const { flags, words } = config;
  const [customerId = ''] = words;
  if (!flags.has('dry-run') && !flags.has('yes')) {
    throw new ConsoleError('invalid-input', 'This cannot be undone. See what goes with --dry-run, then say --yes.');
  }
  const preview = await api.call('previewForgetCustomer', { customerId });
  if (preview.name === null && Object.keys(preview.counts).length === 0) {
    throw new ConsoleError(
      'not-found',
      `Nothing is known about a customer "${cleanLine(customerId)}". Customers are named by their id, such as C-1001.`,
    );
  }
  if (flags.has('dry-run')) {
    if (flags.has('json')) output.raw(toJson(preview));
    else {
      output.result('nothing was changed; this would be removed:');
      tellCounts(preview.counts, (line) => output.result(line));
    }
    return DONE;
  }
  const { proof } = await api.call('forgetCustomer', { customerId });
  if (flags.has('json')) output.raw(toJson(proof));
  else for (const line of proofLines(proof)) output.result(cleanLine(line));
  return proof.matches.length === 0 ? DONE : MATCHES_LEFT;
}

function tellCounts(counts: ErasureCounts, tell: (line: string) => void): void {
  const entries = Object.entries(counts);
  if (entries.length === 0) tell('  nothing about this customer');
  for (const [table, count] of entries) tell(`  ${table}: ${count}`);
}

function proofLines({ removed, copies, scanned, matches }: ErasureProof): string[] {
  const lines = ['removed:'];
  tellCounts(removed, (line) => lines.push(line));
  const { files, bytes, columns, texts } = scanned;
  lines.push(
    `copies: ${copies.cleaned} cleaned, ${copies.deleted} deleted`,
    `looked for ${texts} texts in ${files} files (${bytes} bytes) and ${columns} columns of the database`,
    matches.length === 0 ? 'nothing is left' : 'left:',
    ...matches.map(({ place, count, reason }) => `  ${place}: ${count} (${reason})`),
  );
  return lines;
}

export const forgetCustomer: Command = {
  usage: 'forget-customer CUSTOMER_ID [--dry-run] [--yes] [--json]',
  form: { flags: [...COMMON_FLAGS, 'dry-run', 'yes', 'json'] },
  words: 1,
  readOnly: false,
  run: runForgetCustomer,
};
