// `npm start`: builds if needed and opens the window; where no window can open, says why in one line and serves the console in the browser.
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { ensureBuilt, PROJECT } from './build-steps.mjs';
import { electronExecutable } from './electron-binary.mjs';

/** Electron that ends with an error this soon never showed a window. */
const START_MS = 15_000;
/** Exit codes of the window host itself: stopped, bad input, folder in use. */
const OWN_CODES = new Set([0, 2, 3]);

const argv = process.argv.slice(2);

/** Why no window can open here at all; null when one can be tried. */
function whyNoWindow() {
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display';
  if (process.getuid?.() === 0) return "Electron's sandbox does not run as root";
  return null;
}

/** Runs the window until it is closed. Resolves with its exit code, or with the reason why it never opened. */
function runWindow(executable) {
  const env = { ...process.env };
  delete env.ELECTRON_RUN_AS_NODE;
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(executable, [PROJECT, ...argv], { stdio: 'inherit', env });
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    const end = (result) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, forward);
      resolve(result);
    };
    child.on('error', (error) => end({ why: `Electron could not be started (${error.code ?? error.message})` }));
    child.on('exit', (code, signal) => {
      if ((code !== null && OWN_CODES.has(code)) || Date.now() - started > START_MS) end({ code: code ?? 1 });
      else end({ why: `Electron ended at once (${signal ?? `code ${code}`})` });
    });
  });
}

async function openWindow() {
  const why = whyNoWindow();
  if (why !== null) return { why };
  const found = await electronExecutable();
  return 'why' in found ? found : runWindow(found.executable);
}

async function main() {
  if (!(await ensureBuilt({ onlyIfNeeded: true }))) return 1;
  const { refuseArguments, runLoopback } = await import('../dist/loopback/loopback.js');
  const refused = refuseArguments(argv);
  if (refused !== null) return refused;
  if (!argv.includes('--browser')) {
    const window = await openWindow();
    if ('code' in window) return window.code;
    process.stderr.write(`No window: ${window.why}. Nimbus Console runs in the browser instead.\n`);
  }
  return runLoopback(argv);
}

process.exitCode = await main();
