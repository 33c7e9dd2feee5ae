/** Does I/O: the only place that opens something outside the console. Nothing opens without the person's yes to the full address. */
import { dialog, shell } from 'electron';
import type { BrowserWindow } from 'electron';

const MAX_LINK_LENGTH = 2048;
const OPEN = 1;

/** A link that may be offered: https, or a mail address without a prepared text. */
export interface ExternalLink {
  url: string;
  /** What the person decides by. */
  target: string;
}

/** Pure. null for every other scheme, user names in the address, control characters and overlong links. */
export function parseExternalLink(text: string): ExternalLink | null {
  if (text.length > MAX_LINK_LENGTH || /[\p{Cc}\p{Cf}\s]/u.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:' && url.host !== '') return { url: url.href, target: url.host };
  if (url.protocol === 'mailto:' && url.search === '' && url.hash === '' && /^[^@,?%]+@[^@,?%]+$/.test(url.pathname)) {
    return { url: url.href, target: url.pathname };
  }
  return null;
}

/** Asks, then opens. Resolves to whether it was opened. */
export async function openExternalLink(window: BrowserWindow, text: string): Promise<boolean> {
  const link = parseExternalLink(text);
  if (link === null || window.isDestroyed()) return false;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    buttons: ['Cancel', 'Open'],
    defaultId: 0,
    cancelId: 0,
    title: 'Open a link',
    message: `Open ${link.target} outside Nimbus Console?`,
    detail: link.url,
    noLink: true,
  });
  if (response !== OPEN) return false;
  await shell.openExternal(link.url);
  return true;
}
