/** Pure: whether keys and conversations sent to an address would travel unencrypted. */

/** True for `http:` to a host that is not this machine. Takes a parsed URL. */
export function isUnprotected(url: { protocol: string; hostname: string }): boolean {
  return url.protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
