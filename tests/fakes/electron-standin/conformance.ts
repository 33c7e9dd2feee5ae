/** Type test: a public member of the stand-in that electron.d.ts lacks does not compile. */
import type * as Electron from 'electron';
import type * as Standin from './electron.ts';

type Extra<Ours, Theirs> = Exclude<keyof Ours, keyof Theirs>;
/** Compiles for `never` only. */
function nothingExtra<_Extra extends never>(): void {}

export function conformance(): void {
  nothingExtra<Exclude<Extra<typeof Standin, typeof Electron>, 'default' | '__standin'>>();
  nothingExtra<Extra<typeof Standin.app, Electron.App>>();
  nothingExtra<Extra<typeof Standin.app.commandLine, Electron.CommandLine>>();
  nothingExtra<Extra<typeof Standin.ipcMain, Electron.IpcMain>>();
  nothingExtra<Extra<typeof Standin.protocol, Electron.Protocol>>();
  nothingExtra<Extra<typeof Standin.session, typeof Electron.session>>();
  nothingExtra<Extra<typeof Standin.session.defaultSession, Electron.Session>>();
  nothingExtra<Extra<typeof Standin.session.defaultSession.webRequest, Electron.WebRequest>>();
  nothingExtra<Extra<typeof Standin.dialog, Electron.Dialog>>();
  nothingExtra<Extra<typeof Standin.shell, Electron.Shell>>();
  nothingExtra<Extra<typeof Standin.clipboard, Electron.Clipboard>>();
  nothingExtra<Extra<typeof Standin.safeStorage, Electron.SafeStorage>>();
  nothingExtra<Extra<typeof Standin.nativeTheme, Electron.NativeTheme>>();
  nothingExtra<Extra<typeof Standin.screen, Electron.Screen>>();
  nothingExtra<Extra<typeof Standin.net, Electron.Net>>();
  nothingExtra<Extra<typeof Standin.webContents, typeof Electron.webContents>>();
  nothingExtra<Exclude<Extra<Standin.BrowserWindow, Electron.BrowserWindow>, InsideWindow>>();
  nothingExtra<Exclude<Extra<Standin.BrowserWindow['webContents'], Electron.WebContents>, 'openHandler' | 'forget'>>();
  nothingExtra<Extra<typeof Standin.BrowserWindow, typeof Electron.BrowserWindow>>();
}

/** What the parts of the stand-in say to each other. */
type InsideWindow = 'page' | 'destroyed' | 'loading' | 'takeOwnNavigation' | 'mayNavigate' | 'openRequested' | 'deliver' | 'tryClose';
