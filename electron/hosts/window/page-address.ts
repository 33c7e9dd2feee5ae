/** Pure: the address of our page in the window. */

export const PAGE_SCHEME = 'app';
export const PAGE_HOST = 'console';
export const PAGE_URL = `${PAGE_SCHEME}://${PAGE_HOST}/`;

/** True for our own page and its files only; not for `about:blank`, an empty address or another host of the scheme. */
export function isOurPage(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  return url.protocol === `${PAGE_SCHEME}:` && url.host === PAGE_HOST && url.username === '' && url.password === '';
}
