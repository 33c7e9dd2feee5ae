// Draws resources/icon.png (1024 × 1024) from resources/icon.svg in Chromium. Run after a change of the drawing.
import './check-node.mjs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './system-parts.mjs';

const SIZE = 1024;
const resources = path.resolve(import.meta.dirname, '../resources');
const drawing = readFileSync(path.join(resources, 'icon.svg'), 'utf8');

const executablePath = findChromium();
if (executablePath === null) {
  console.error('a Chromium browser is needed: install chromium or set CHROMIUM to its program');
  process.exit(1);
}
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.setContent(
    `<style>body{margin:0;background:transparent}svg{display:block;width:${SIZE}px;height:${SIZE}px}</style>${drawing}`,
  );
  await page.screenshot({ path: path.join(resources, 'icon.png'), omitBackground: true });
} finally {
  await browser.close();
}
console.log('drew resources/icon.png');
