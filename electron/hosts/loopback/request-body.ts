/** Does I/O: reads what a request sent, within bounds. */
import type { IncomingMessage } from 'node:http';

/** Beyond this a sender is cut off instead of being read to the end. */
const MOST_DRAINED_BYTES = 64 * 1024 * 1024;

/** The body as text; null when it is larger than `mostBytes` (it is then read to its end, up to a bound, but not kept). */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_DRAINED_BYTES) request.destroy();
      else if (bytes > mostBytes) chunks = [];
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(bytes > mostBytes ? null : Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the connection closed before the request ended')));
  });
}
