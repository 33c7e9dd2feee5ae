// Runs one compiled host in this process: node run-host.mjs terminal|loopback ARGUMENTS.
const [host, ...args] = process.argv.slice(2);
const dist = new URL(`../../../dist/${host}/${host}.js`, import.meta.url);
const { runTerminal, runLoopback } = await import(dist.href);
process.exitCode = await (host === 'terminal' ? runTerminal : runLoopback)(args);
