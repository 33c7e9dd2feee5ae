// Builds of everything that runs in Node or Electron's main process: vite build -c vite.node.config.ts --mode main|preload|terminal|loopback.
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The worker threads that own the SQLite files stand beside every bundle that opens a store. */
const WORKERS = {
  'sqlite-worker': 'electron/storage/sqlite/sqlite-worker.ts',
  'sync-worker': 'electron/storage/sync/sync-worker.ts',
};

const BUILDS: Record<string, { entries: Record<string, string>; format: 'es' | 'cjs' }> = {
  main: { entries: { main: 'electron/main.ts', ...WORKERS }, format: 'es' },
  // A sandboxed preload cannot import: it is one CommonJS file.
  preload: { entries: { preload: 'electron/preload.ts' }, format: 'cjs' },
  terminal: { entries: { terminal: 'electron/hosts/terminal/terminal.ts', ...WORKERS }, format: 'es' },
  loopback: { entries: { loopback: 'electron/hosts/loopback/loopback.ts', ...WORKERS }, format: 'es' },
};

// The last two are optional speed-ups of ws, which works without them.
const EXTERNAL = ['electron', 'better-sqlite3', 'bufferutil', 'utf-8-validate'];

export default defineConfig(({ mode }) => {
  const build = BUILDS[mode];
  if (build === undefined) throw new Error(`unknown build "${mode}"; the builds are ${Object.keys(BUILDS).join(', ')}`);
  const root = fileURLToPath(new URL('.', import.meta.url));
  const extension = build.format === 'cjs' ? 'cjs' : 'js';
  return {
    root,
    publicDir: false,
    envDir: false,
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      outDir: `dist/${mode}`,
      emptyOutDir: true,
      target: 'node22',
      minify: false,
      sourcemap: build.format === 'es',
      reportCompressedSize: false,
      rollupOptions: {
        input: build.entries,
        external: [...EXTERNAL, ...builtinModules, /^node:/],
        output: {
          format: build.format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: '[name]-[hash].js',
          exports: 'named',
        },
      },
    },
  };
});
