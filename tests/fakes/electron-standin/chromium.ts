/** Data: how tests start the system's Chromium. The stand-in and the loopback stories use the same arguments. */

export const CHROMIUM_ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
];
