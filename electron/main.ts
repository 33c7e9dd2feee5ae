/** Does I/O: Electron's entry. What must happen before the app is ready happens here, in this order. */
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import { registerPageScheme } from './hosts/window/app-protocol.ts';
import { runWindow } from './hosts/window/window-host.ts';

/** Unpackaged, Electron is given the app's folder as its first argument. */
const OWN_ARGUMENTS = app.isPackaged ? 1 : 2;

app.enableSandbox();
registerPageScheme();
void runWindow(process.argv.slice(OWN_ARGUMENTS), {
  preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
  pageFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
});
