/** Does I/O: the only place that makes a window. */
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { PAGE_URL } from './page-address.ts';
import { LEAST_HEIGHT, LEAST_WIDTH, readWindowState, writeWindowState } from './window-state.ts';

/** Shown until the page has drawn itself; the page's own background. */
const DARK = '#15181d';
const LIGHT = '#ffffff';

export interface SecureWindowOptions {
  /** Absolute path of the preload bundle. */
  preload: string;
  /** Folder where the window's place is kept. */
  stateFolder: string;
}

/** A sandboxed window for our page, where it last was. It shows itself when the page is ready. */
export function createSecureWindow(options: SecureWindowOptions): BrowserWindow {
  const state = readWindowState(
    options.stateFolder,
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    width: state.width,
    height: state.height,
    ...state.place,
    minWidth: LEAST_WIDTH,
    minHeight: LEAST_HEIGHT,
    title: 'Nimbus Console',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? DARK : LIGHT,
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      // A middle click would open a window.
      disableBlinkFeatures: 'Auxclick',
      devTools: !app.isPackaged,
    },
  });
  if (state.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => writeWindowState(options.stateFolder, window.getNormalBounds(), window.isMaximized()));
  return window;
}

export function loadPage(window: BrowserWindow): Promise<void> {
  return window.loadURL(PAGE_URL);
}
