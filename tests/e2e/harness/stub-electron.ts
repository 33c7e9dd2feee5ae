/** Makes a folder with the files of an Electron release but no Electron: packaging can be checked where the real one cannot be fetched. I/O. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Marks the fuse wire in Electron's binary; the fuse tool looks for it. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const WIRE_VERSION = 1;
/** One letter per fuse, as Electron 45 ships them: 1 on, 0 off. */
const SHIPPED_FUSES = '101100110';

const PROGRAMS = ['electron', 'chrome-sandbox', 'chrome_crashpad_handler'];
const FILES: Record<string, string> = { LICENSE: 'stub', 'LICENSES.chromium.html': 'stub', 'locales/en-US.pak': '', 'resources/.keep': '' };

export function makeStubElectron(folder: string, version: string): void {
  const wire = Buffer.concat([Buffer.from(FUSE_SENTINEL), Buffer.from([WIRE_VERSION, SHIPPED_FUSES.length]), Buffer.from(SHIPPED_FUSES)]);
  for (const [file, text] of Object.entries({ ...FILES, version })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  for (const program of PROGRAMS) {
    const script = Buffer.from('#!/bin/sh\nexit 1\n');
    writeFileSync(path.join(folder, program), program === 'electron' ? Buffer.concat([script, wire]) : script);
    chmodSync(path.join(folder, program), 0o755);
  }
}
