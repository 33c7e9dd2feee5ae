/** Does I/O: the files of the built page, and nothing outside their folder. */
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

export type PageFile = { kind: 'file'; body: Buffer; type: string } | { kind: 'missing' } | { kind: 'refused' };

/**
 * The path inside the folder that a URL path names; null when it is no plain path: an escape, a control character, a backslash, an encoded slash,
 * or broken percent-encoding.
 */
export function plainPath(urlPath: string): string | null {
  if (/%(?:2f|5c|00)/i.test(urlPath)) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (!decoded.startsWith('/') || decoded.includes('\\') || /\p{Cc}/u.test(decoded)) return null;
  if (decoded === '/') return 'index.html';
  const parts = decoded.slice(1).split('/');
  return parts.includes('..') || parts.includes('.') ? null : parts.join('/');
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

/** Reads what the URL path names. Links that lead out of the folder are refused. */
export async function readPageFile(folder: string, urlPath: string): Promise<PageFile> {
  const relative = plainPath(urlPath);
  if (relative === null) return { kind: 'refused' };
  // Hidden files are no part of the page.
  if (relative.split('/').some((part) => part === '' || part.startsWith('.'))) return { kind: 'missing' };
  const file = path.join(folder, relative);
  if (!isInside(folder, file)) return { kind: 'refused' };
  try {
    if (!isInside(await realpath(folder), await realpath(file))) return { kind: 'refused' };
    return { kind: 'file', body: await readFile(file), type: TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream' };
  } catch {
    return { kind: 'missing' };
  }
}
