// Runs a host from its source in this process: node run-from-source.mjs terminal|loopback ARGUMENTS.
const [host, ...argv] = process.argv.slice(2);
const { runTerminal, runLoopback } = await import(new URL(`../../electron/hosts/${host}/${host}.ts`, import.meta.url).href);
process.exitCode = await (host === 'terminal' ? runTerminal : runLoopback)(argv);
