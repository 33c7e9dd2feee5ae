/** Does I/O: starts the browser host, prints its link, serves until it is told to stop. */
import { fileURLToPath } from 'node:url';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import { composeForPage, readConfig, redact } from '../../compose.ts';
import type { CommandForm, Config } from '../../compose.ts';
import { startLoopback } from './loopback-server.ts';
import type { LoopbackHost, LoopbackOptions } from './loopback-server.ts';
import { openBrowser } from './open-browser.ts';

const DONE = 0;
const FAILED = 1;
const BAD_INPUT = 2;
const FOLDER_IN_USE = 3;
/** Closing takes at most this long, in milliseconds. */
const CLOSE_MS = 3_000;

const FORM: CommandForm = { flags: ['data-dir', 'strategy', 'set', 'port', 'browser', 'no-open', 'help'] };

const USAGE = 'npm start -- [--browser] [--port=N] [--no-open] [--data-dir=FOLDER] [--strategy=NAME] [--set=KEY=VALUE]';

/** The built page: beside the bundle, or in dist/ when this runs from its source. */
function pageFolder(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../dist/renderer' : '../renderer', import.meta.url));
}

function readPort(config: Config): number {
  const text = config.flags.value('port');
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new ConsoleError('invalid-input', '--port is a number from 0 (any free port) to 65535');
  return port;
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Resolves when the person or the system asks the host to stop; Enter prints a fresh link meanwhile. */
function untilStopped(host: LoopbackHost): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.stdin.pause();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    process.stdin.setEncoding('utf8');
    process.stdin.on('error', () => undefined);
    process.stdin.on('data', (text: string) => {
      if (text.includes('\n')) note(`Nimbus Console: ${host.freshLink()}`);
    });
  });
}

async function serve(config: Config, development: LoopbackOptions['development']): Promise<void> {
  const port = readPort(config);
  const opened = await composeForPage(config, { host: 'loopback' });
  try {
    const host = await startLoopback({
      api: opened.api,
      pageFolder: pageFolder(),
      port,
      ...(development === undefined ? {} : { development }),
    });
    const link = host.freshLink();
    process.stdout.write(`Nimbus Console: ${link}\n`);
    note('The link works once, within 5 minutes. Enter prints a fresh one, Ctrl-C ends Nimbus Console.');
    if (!config.flags.has('no-open')) openBrowser(link);
    await untilStopped(host);
    setTimeout(() => process.exit(FAILED), CLOSE_MS).unref();
    await host.close();
  } finally {
    await opened.close();
  }
}

function readArguments(argv: readonly string[]): Config {
  const config = readConfig(argv, process.env, process.cwd(), FORM);
  if (config.words.length > 0) throw new ConsoleError('invalid-input', `"${config.words.join(' ')}" is not understood; usage: ${USAGE}`);
  readPort(config);
  return config;
}

/** Tells what went wrong and gives the exit code for it. */
function report(error: unknown): number {
  const info = toErrorInfo(error);
  note(redact(info.message));
  if (info.code === 'folder-in-use') return FOLDER_IN_USE;
  return info.code === 'invalid-input' || info.code === 'unsupported' ? BAD_INPUT : FAILED;
}

/** For `npm start`, before it chooses a host: the exit code when these arguments end it (wrong, or asking for help), else null. */
export function refuseArguments(argv: readonly string[]): number | null {
  try {
    if (!readArguments(argv).flags.has('help')) return null;
    process.stdout.write(`usage: ${USAGE}\n`);
    return DONE;
  } catch (error) {
    return report(error);
  }
}

/** Serves the console on 127.0.0.1 and resolves with the exit code: 0 stopped, 1 failed, 2 bad input, 3 the data folder is in use. */
export async function runLoopback(argv: readonly string[], development?: LoopbackOptions['development']): Promise<number> {
  // A reader of the link that goes away is no reason to stop.
  process.stdout.on('error', () => undefined);
  try {
    await serve(readArguments(argv), development);
    return DONE;
  } catch (error) {
    return report(error);
  }
}
