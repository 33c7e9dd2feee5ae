/** Configuration of the e2e stories: the compiled hosts, driven in the system's Chromium. */
import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/system-parts.mjs';
import { CHROMIUM_ARGUMENTS } from './tests/fakes/electron-standin/chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/e2e',
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: {
      executablePath: findChromium() ?? '/usr/bin/chromium',
      args: CHROMIUM_ARGUMENTS,
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});
