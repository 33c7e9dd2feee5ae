// Configuration: which folder may import what (docs/architecture.md). Every rule is an error; scripts/gates/imports.mjs runs it.

/** Packages that a layer may import, as resolved paths. */
const packages = (...names) => `node_modules/(@types/)?(${names.join('|')})/`;

const OWN_LAYERS = '^(electron|renderer|shared|tests|bench|scripts)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'files that import each other cannot be read alone; types count too',
      severity: 'error',
      from: { pathNot: '^tests/' },
      to: { circular: true },
    },
    {
      name: 'no-cycle-at-run-time',
      comment: 'tests may share types both ways, but not code',
      severity: 'error',
      from: { path: '^tests/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', comment: 'the import leads nowhere', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'shared-imports-shared-and-zod',
      comment: 'shared/ is plain data: no DOM, no Node, no other package than zod',
      severity: 'error',
      from: { path: '^shared/' },
      to: { pathNot: ['^shared/', packages('zod')] },
    },
    {
      name: 'engine-imports-engine-and-shared',
      comment: 'the engine is pure: whatever reaches the world comes in through a port of electron/engine/ports.ts',
      severity: 'error',
      from: { path: '^electron/engine/' },
      to: { pathNot: ['^electron/engine/', '^shared/', packages('zod', 'libphonenumber-js')] },
    },
    {
      name: 'models-import-ports-and-shared',
      comment: 'an adapter of a model knows its own folder, the ports and shared/',
      severity: 'error',
      from: { path: '^electron/models/' },
      to: { path: OWN_LAYERS, pathNot: ['^electron/models/', '^electron/engine/ports\\.ts$', '^shared/'] },
    },
    {
      name: 'storage-imports-ports-and-shared',
      comment: 'an adapter of storage knows its own folder, the ports and shared/',
      severity: 'error',
      from: { path: '^electron/storage/' },
      to: { path: OWN_LAYERS, pathNot: ['^electron/storage/', '^electron/engine/ports\\.ts$', '^shared/'] },
    },
    {
      name: 'hosts-import-compose-and-shared',
      comment: 'a host gets a ConsoleApi from electron/compose.ts and knows nothing behind it',
      severity: 'error',
      from: { path: '^electron/hosts/' },
      to: { path: OWN_LAYERS, pathNot: ['^electron/hosts/', '^electron/compose\\.ts$', '^shared/'] },
    },
    {
      name: 'renderer-imports-renderer-and-shared',
      comment: 'the page reaches the engine through a transport only',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: OWN_LAYERS, pathNot: ['^renderer/', '^shared/'] },
    },
    {
      name: 'renderer-without-node',
      comment: 'the page runs in a sandbox: there is no Node there',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'adapters-in-compose-only',
      comment: 'electron/compose.ts is the only place that names concrete adapters',
      severity: 'error',
      from: { path: '^electron/', pathNot: ['^electron/compose\\.ts$', '^electron/models/', '^electron/storage/'] },
      to: { path: '^electron/(models|storage)/' },
    },
    {
      name: 'product-without-tests',
      comment: 'product code does not import tests, benches or scripts',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/' },
      to: { path: '^(tests|bench|scripts)/' },
    },
    {
      name: 'electron-in-the-window-host-only',
      comment: 'electron is imported by main.ts, preload.ts and hosts/window/ only',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: ['^electron/(main|preload)\\.ts$', '^electron/hosts/window/'] },
      to: { path: ['^electron$', packages('electron')] },
    },
    {
      name: 'mysql2-in-its-adapter-only',
      comment: 'mysql2 is imported under electron/storage/mysql/ only',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: '^electron/storage/mysql/' },
      to: { path: packages('mysql2') },
    },
    {
      name: 'better-sqlite3-in-its-worker-only',
      comment: 'the worker thread of electron/storage/sqlite/ is the sole owner of the database file',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: '^electron/storage/sqlite/' },
      to: { path: packages('better-sqlite3') },
    },
    {
      name: 'no-undeclared-package',
      comment: 'a package is declared in package.json by the commit that first imports it',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|out|release|coverage)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
