/** I/O: plays every fault against the fakes and prints one line per fault with its outcome, then a count. Exits 1 when one differs. */
import { runFault, startFakes } from './fault-runner.ts';
import { FAULTS } from './fault-table.ts';

const fakes = await startFakes();
let differ = 0;
try {
  for (const fault of FAULTS) {
    const { got, requests, problems } = await runFault(fault, fakes);
    const tries = requests === 1 ? '1 request' : `${requests} requests`;
    const kept = got.end.error !== null && got.end.text !== '' ? ', partial text kept' : '';
    const verdict = problems.length === 0 ? 'ok' : `DIFFERS: ${problems.join('; ')}`;
    if (problems.length > 0) differ += 1;
    process.stdout.write(
      `${fault.rule.padEnd(4)} ${fault.api.padEnd(9)} ${fault.name.padEnd(74)} → ${got.end.outcome} (${tries}${kept})  ${verdict}\n`,
    );
  }
} finally {
  await fakes.close();
}
process.stdout.write(`${FAULTS.length} faults, ${FAULTS.length - differ} as expected, ${differ} different\n`);
process.exitCode = differ === 0 ? 0 : 1;
