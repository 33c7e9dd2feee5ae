/** `node --import register.ts dist/main/main.js`: import and require of `electron` get the stand-in. Changes the process's module resolution. */
import { registerHooks } from 'node:module';

const standin = new URL('electron.ts', import.meta.url).href;
const NAMES = new Set(['electron', 'electron/main', 'electron/common']);

registerHooks({
  resolve: (specifier, context, next) =>
    NAMES.has(specifier) ? { url: standin, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
});
