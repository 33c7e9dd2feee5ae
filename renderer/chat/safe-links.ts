// Which addresses in a message may become links, and what is shown of them. Pure.

const LONGEST_ADDRESS = 2048;
/** Characters that turn the direction of text: an address must read as what it is. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export type SafeLink = { kind: 'web'; href: string; host: string } | { kind: 'mail'; href: string; host: string };

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return TURNING.test(text);
}

/** https without user info, or mailto with only an address; null for anything else. */
export function safeLink(address: string | undefined): SafeLink | null {
  if (address === undefined || address.length > LONGEST_ADDRESS || hasControl(address)) return null;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (url.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname !== '') {
    return { kind: 'web', href: url.href, host: url.host };
  }
  if (url.protocol === 'mailto:' && url.search === '' && url.hash === '' && /^[^\s@,;]+@[^\s@,;]+$/u.test(url.pathname)) {
    return { kind: 'mail', href: url.href, host: url.pathname };
  }
  return null;
}

/** What stands where an image would be: its host, never the image. */
export function imageText(address: string | undefined, alternative: string | undefined): string {
  let host = 'no address';
  try {
    const url = new URL(address ?? '');
    host = url.host === '' ? url.protocol.replace(':', '') : url.host;
  } catch {
    host = 'no address';
  }
  const said = alternative === undefined || alternative.trim() === '' ? '' : ` ${alternative.trim()}`;
  return `[image: ${host}]${said}`;
}
