/** Does I/O: serves the built page as app://console, with the security headers on every answer; file: addresses answer nothing. */
import { protocol } from 'electron';
import { readPageFile } from '../page-files.ts';
import { contentSecurityPolicy, securityHeaders } from '../page-security.ts';
import { PAGE_HOST, PAGE_SCHEME } from './page-address.ts';

/** Must run before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

function answer(status: number, body: Uint8Array<ArrayBuffer> | string, type: string): Response {
  return new Response(body, { status, headers: { ...securityHeaders(contentSecurityPolicy()), 'content-type': type } });
}

const PLAIN = 'text/plain; charset=utf-8';

/** One request for the page. Never rejects. */
export async function answerPageRequest(folder: string, request: Request): Promise<Response> {
  const url = URL.parse(request.url);
  if (url === null || url.host !== PAGE_HOST) return answer(404, 'not found', PLAIN);
  if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'reading only', PLAIN);
  const file = await readPageFile(folder, url.pathname);
  if (file.kind === 'refused') return answer(400, 'no such path', PLAIN);
  if (file.kind === 'missing') return answer(404, 'not found', PLAIN);
  return answer(200, new Uint8Array(file.body), file.type);
}

/** Must run once the app is ready. */
export function servePage(folder: string): void {
  protocol.handle(PAGE_SCHEME, (request) => answerPageRequest(folder, request));
  protocol.handle('file', () => answer(403, 'files are not served', PLAIN));
}
