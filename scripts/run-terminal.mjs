// Starts a terminal command (chat, ask, show …), building first when the sources changed. stdout has the command's results only.
import './check-node.mjs';
import { ensureBuilt } from './build-steps.mjs';

if (await ensureBuilt({ onlyIfNeeded: true })) {
  const { runTerminal } = await import('../dist/terminal/terminal.js');
  process.exitCode = await runTerminal(process.argv.slice(2));
} else {
  process.exitCode = 1;
}
