/** Does I/O: the life of the window host: one instance per data folder, engine, window, quit. */
import path from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import { toErrorInfo } from '../../../shared/errors.ts';
import { composeForPage, makeFolder, readConfig, redact } from '../../compose.ts';
import type { CommandForm, Config, OpenedConsole } from '../../compose.ts';
import { servePage } from './app-protocol.ts';
import { guardAllContents, guardSession } from './guards.ts';
import { createKeychainVault } from './key-vault.ts';
import { installMenu } from './menu.ts';
import { createSecureWindow, loadPage } from './secure-window.ts';
import { createValidatedIpc } from './validated-ipc.ts';

const DONE = 0;
const FAILED = 1;
const BAD_INPUT = 2;
const FOLDER_IN_USE = 3;
/** Quitting waits at most this long for the engine, in milliseconds. */
const QUIT_MS = 3_000;

const FORM: CommandForm = { flags: ['data-dir', 'strategy', 'set'], ignoreUnknown: true };

export interface WindowPaths {
  preload: string;
  pageFolder: string;
}

function exitCodeOf(code: string): number {
  if (code === 'folder-in-use') return FOLDER_IN_USE;
  return code === 'invalid-input' || code === 'unsupported' ? BAD_INPUT : FAILED;
}

/** Says why, in a dialog and on stderr, and ends. */
function fail(error: unknown): void {
  const info = toErrorInfo(error);
  const message = redact(info.message);
  process.stderr.write(`${message}\n`);
  dialog.showErrorBox('Nimbus Console cannot start', message);
  app.exit(exitCodeOf(info.code));
}

/** The window's own files are kept in the data folder too, so that "one instance" means one per data folder. */
function prepareDataFolder(config: Config): string {
  const folder = path.join(config.dataFolder, 'window');
  makeFolder(folder);
  app.setPath('userData', folder);
  return folder;
}

/** Closes the engine before the app goes, however long it takes up to QUIT_MS. */
function closeBeforeQuit(opened: OpenedConsole): void {
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    const end = (): void => {
      if (closed) return;
      closed = true;
      app.exit(DONE);
    };
    setTimeout(end, QUIT_MS);
    opened.close().then(end, end);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}

function showFirstWindow(): void {
  const window = BrowserWindow.getAllWindows()[0];
  if (window === undefined) return;
  if (window.isMinimized()) window.restore();
  window.focus();
}

async function openConsole(config: Config, paths: WindowPaths, stateFolder: string): Promise<void> {
  guardSession();
  servePage(paths.pageFolder);
  installMenu();
  const keyVault = createKeychainVault({ dataFolder: config.dataFolder, platform: config.platform });
  const opened = await composeForPage(config, { host: 'window', keyVault });
  closeBeforeQuit(opened);
  const ipc = createValidatedIpc(opened.api, installMenu);
  const open = async (): Promise<void> => {
    const window = createSecureWindow({ preload: paths.preload, stateFolder });
    ipc.attach(window.webContents);
    await loadPage(window);
  };
  app.on('second-instance', showFirstWindow);
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) void open().catch(fail);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  await open();
}

/** Runs the window host. Call before the app is ready; `argv` is what follows the program's own name. */
export async function runWindow(argv: readonly string[], paths: WindowPaths): Promise<void> {
  try {
    guardAllContents();
    const config = readConfig(argv, process.env, process.cwd(), FORM);
    const stateFolder = prepareDataFolder(config);
    if (!app.requestSingleInstanceLock()) {
      process.stderr.write(`Nimbus is already running on ${config.dataFolder}; its window was brought to the front\n`);
      app.exit(FOLDER_IN_USE);
      return;
    }
    await app.whenReady();
    await openConsole(config, paths, stateFolder);
  } catch (error) {
    fail(error);
  }
}
