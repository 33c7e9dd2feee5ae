/** What the desktop offers: dialogs, menus, shell, clipboard, key store, appearance. Nothing is shown; tests replace answers and read the record. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { record, runtime } from './runtime.ts';
import { strict } from './strict.ts';

/** Options are the last argument: a window may come before them. */
function asked(kind: string, given: unknown[]): void {
  record.dialogs.push({ kind, options: given.at(-1) });
}

export const dialog = strict('dialog', {
  showOpenDialog: async (...given: unknown[]) => {
    asked('open', given);
    return { canceled: true, filePaths: [] as string[] };
  },
  showSaveDialog: async (...given: unknown[]) => {
    asked('save', given);
    return { canceled: true, filePath: '' };
  },
  showMessageBox: async (...given: unknown[]) => {
    asked('message', given);
    return { response: 0, checkboxChecked: false };
  },
  showMessageBoxSync: (...given: unknown[]) => {
    asked('message', given);
    return 0;
  },
  showErrorBox: (title: string, content: string) => asked('error', [{ title, content }]),
});

export const shell = strict('shell', {
  openExternal: async (url: string, _options?: unknown) => void record.opened.push(url),
  openPath: async (file: string) => {
    record.opened.push(file);
    return '';
  },
  showItemInFolder: (file: string) => void record.opened.push(file),
  beep() {},
});

interface ItemOptions {
  id?: string;
  label?: string;
  role?: string;
  type?: string;
  submenu?: ItemOptions[] | Menu;
  click?: (...given: unknown[]) => void;
  enabled?: boolean;
  visible?: boolean;
  accelerator?: string;
  [option: string]: unknown;
}

export class MenuItem {
  [option: string]: unknown;
  constructor(options: ItemOptions) {
    Object.assign(this, { enabled: true, visible: true, label: '', type: 'normal' }, options);
    if (Array.isArray(options.submenu)) this['submenu'] = Menu.buildFromTemplate(options.submenu);
  }
}

export class Menu {
  private static current: Menu | null = null;
  static setApplicationMenu(menu: Menu | null): void {
    Menu.current = menu;
  }
  static getApplicationMenu(): Menu | null {
    return Menu.current;
  }
  static buildFromTemplate(template: ItemOptions[]): Menu {
    const menu = new Menu();
    for (const options of template) menu.append(new MenuItem(options));
    return menu;
  }
  readonly items: MenuItem[] = [];
  append(item: MenuItem): void {
    this.items.push(item);
  }
  popup(_options?: unknown): void {}
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      if (item['id'] === id) return item;
      const inside = item['submenu'] instanceof Menu ? item['submenu'].getMenuItemById(id) : null;
      if (inside) return inside;
    }
    return null;
  }
}

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }
  private readonly options: unknown;
  constructor(options: unknown) {
    super();
    this.options = options;
  }
  show(): void {
    record.notifications.push(this.options);
  }
  close(): void {}
}

let clipboardText = '';
export const clipboard = strict('clipboard', {
  writeText: (text: string) => void (clipboardText = text),
  readText: () => clipboardText,
  clear: () => void (clipboardText = ''),
});

class NativeTheme extends EventEmitter {
  themeSource = 'system';
  shouldUseDarkColors = false;
  shouldUseHighContrastColors = false;
}
export const nativeTheme = strict('nativeTheme', new NativeTheme());

const display = {
  id: 1,
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1040 },
  workAreaSize: { width: 1920, height: 1040 },
  scaleFactor: 1,
};
export const screen = strict(
  'screen',
  Object.assign(new EventEmitter(), {
    getPrimaryDisplay: () => display,
    getAllDisplays: () => [display],
    getDisplayMatching: (_bounds: unknown) => display,
  }),
);

const keyFile = path.join(runtime.userData, 'standin-key');
function key(): Buffer {
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  return readFileSync(keyFile);
}
const hasKeyring = process.env['STANDIN_NO_KEYRING'] !== '1';
export const safeStorage = strict('safeStorage', {
  isAsyncEncryptionAvailable: async () => hasKeyring,
  encryptStringAsync: async (text: string) => safeStorage.encryptString(text),
  decryptStringAsync: async (sealed: Buffer) => ({ shouldReEncrypt: false, result: safeStorage.decryptString(sealed) }),
  isEncryptionAvailable: () => hasKeyring,
  getSelectedStorageBackend: () => (hasKeyring ? 'gnome_libsecret' : 'basic_text'),
  encryptString(text: string) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key(), nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptString(sealed: Buffer) {
    const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(-16));
    return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
  },
});

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
export const net = strict('net', {
  isOnline: () => false,
  /** Files only: a test's app reaches nothing outside. */
  async fetch(address: string | URL | Request) {
    const url = new URL(address instanceof Request ? address.url : address);
    if (url.protocol !== 'file:') throw new Error(`net::ERR_INTERNET_DISCONNECTED ${url.protocol}//${url.host}`);
    const file = fileURLToPath(url);
    const bytes = await readFile(file).catch(() => {
      throw new Error('net::ERR_FILE_NOT_FOUND');
    });
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' } });
  },
});

export const nativeImage = strict('nativeImage', {
  createFromPath: (file: string) => strict('NativeImage', { isEmpty: () => !existsSync(file) }),
  createEmpty: () => strict('NativeImage', { isEmpty: () => true }),
});
export const powerMonitor = strict('powerMonitor', Object.assign(new EventEmitter(), { getSystemIdleTime: () => 0 }));
export const crashReporter = strict('crashReporter', { start(_options: unknown) {} });
