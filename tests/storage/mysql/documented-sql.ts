/** Does I/O: what docs/storage.md tells an administrator to run. */
import { readFile } from 'node:fs/promises';

export interface DocumentedSetUp {
  statements: string;
  /** `USER:PASSWORD` as the page names them. */
  administrator: string;
  runtime: string;
}

export async function contractSteps(): Promise<DocumentedSetUp> {
  const page = await readFile(new URL('../../../docs/storage.md', import.meta.url), 'utf8');
  const statements = /```sql\n([\s\S]*?CREATE USER[\s\S]*?)```/.exec(page)?.[1];
  const logins = [...page.matchAll(/mysql:\/\/([^:@\s]+:[^@\s]+)@127\.0\.0\.1/g)].map((match) => match[1] ?? '');
  const [administrator, runtime] = [...new Set(logins)];
  if (statements === undefined || administrator === undefined || runtime === undefined) throw new Error('docs/storage.md has no set-up');
  return { statements, administrator, runtime };
}
