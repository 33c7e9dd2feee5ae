/** Does I/O: a small disk of its own that can really be full, where the system lets tests make one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PIECE_BYTES = 4_096;

export interface SmallDisk {
  folder: string;
  /** Takes every free byte. */
  fill(): Promise<void>;
  /** Gives them back. */
  empty(): Promise<void>;
  remove(): void;
}

/** null: this system does not let us mount (no root, no `sudo` without a password, not Linux). */
export function makeSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'nimbus-disk-'));
  const asRoot = (command: string, ...parameters: string[]): boolean => {
    const line = process.getuid?.() === 0 ? [command, ...parameters] : ['sudo', '-n', command, ...parameters];
    const [program = '', ...rest] = line;
    return spawnSync(program, rest, { stdio: 'ignore', timeout: 10_000 }).status === 0;
  };
  const owner = `uid=${process.getuid?.() ?? 0}`;
  if (process.platform !== 'linux' || !asRoot('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700,${owner}`, 'tmpfs', folder)) {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
  const ballast = path.join(folder, 'ballast');
  let pieces = 0;
  return {
    folder,
    fill: async () => {
      // Large pieces first; the last free page counts too.
      for (let bytes = megabytes << 20; bytes >= PIECE_BYTES; ) {
        try {
          await writeFile(`${ballast}-${pieces}`, Buffer.alloc(bytes));
          pieces += 1;
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
          await rm(`${ballast}-${pieces}`, { force: true });
          bytes = Math.floor(bytes / 2);
        }
      }
    },
    empty: async () => {
      for (let piece = 0; piece < pieces; piece += 1) await rm(`${ballast}-${piece}`, { force: true });
      pieces = 0;
    },
    remove: () => {
      asRoot('umount', folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
