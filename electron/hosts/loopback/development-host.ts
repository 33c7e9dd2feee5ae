/** Does I/O: development only, started by scripts/dev.mjs: the browser host from source, its page from a development server. Never bundled. */
import { securityHeaders } from '../page-security.ts';
import { developmentPage, developmentPolicy } from './development-page.ts';
import { runLoopback } from './loopback.ts';

const origin = process.env['NIMBUS_DEV_PAGE'] ?? '';
const session = process.env['NIMBUS_DEV_SESSION'] ?? '';
const policy = developmentPolicy(Number(new URL(origin).port));

process.exitCode = await runLoopback(process.argv.slice(2), {
  page: developmentPage(origin, securityHeaders(policy)),
  policy,
  // The open page stays signed in when the engine restarts after a change.
  session,
});
