/** The `test` of all stories: a data folder per test, hosts that are stopped after it, pages that may break no policy. */
import { test as base, expect, type Page } from '@playwright/test';
import { launch, type LaunchedApp } from '../../fakes/electron-standin/launch.ts';
import { ConsolePage } from './console-page.ts';
import { hostEnvironment, startLoopback, temporaryFolder, type HostOptions, type Loopback } from './programs.ts';

type HostChoice = Omit<HostOptions, 'dataFolder'> & { dataFolder?: string };

interface Fixtures {
  dataFolder: string;
  /** Starts the browser host on the test's data folder. */
  startHost: (choice?: HostChoice) => Promise<Loopback>;
  /** Opens the console of a running host in a page of its own session. */
  openConsole: (host: Loopback, page?: Page) => Promise<ConsolePage>;
  /** Starts the compiled Electron app on the test's data folder. */
  startWindow: (choice?: HostChoice & { appFolder?: string; packaged?: boolean }) => Promise<LaunchedApp>;
  /** What pages did wrong; empty at the end of every story. */
  pageProblems: string[];
}

/** Notes uncaught errors, console errors and broken content security policy. */
export async function watchPage(page: Page, problems: string[]): Promise<void> {
  page.on('pageerror', (error) => problems.push(`uncaught in the page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
    if (message.text().startsWith('policy broken:')) problems.push(message.text());
  });
  const report = (): void => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.warn(`policy broken: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  };
  await page.addInitScript(report);
}

export const test = base.extend<Fixtures>({
  dataFolder: async ({}, provide) => {
    const folder = temporaryFolder();
    await provide(folder.path);
    folder.remove();
  },
  pageProblems: async ({}, provide) => {
    const problems: string[] = [];
    await provide(problems);
    expect(problems, 'what pages did wrong').toEqual([]);
  },
  startHost: async ({ dataFolder }, provide, info) => {
    const hosts: Loopback[] = [];
    await provide(async (choice = {}) => {
      const host = await startLoopback({ dataFolder, ...choice });
      hosts.push(host);
      return host;
    });
    await Promise.all(hosts.map((host) => host.stop('SIGKILL')));
    if (info.status !== info.expectedStatus) {
      await info.attach('browser host', { body: hosts.map((host) => host.output()).join('\n----\n'), contentType: 'text/plain' });
    }
  },
  openConsole: async ({ page, pageProblems }, provide) => {
    await provide(async (host, chosen = page) => {
      await watchPage(chosen, pageProblems);
      await chosen.goto(host.child.exitCode === null ? await host.freshLink() : host.link);
      const opened = new ConsolePage(chosen);
      await opened.ready();
      return opened;
    });
  },
  startWindow: async ({ dataFolder }, provide, info) => {
    const started: LaunchedApp[] = [];
    const folders: { remove(): void }[] = [];
    let output = '';
    await provide(async (choice = {}) => {
      const profile = temporaryFolder();
      folders.push(profile);
      const app = await launch({
        userData: profile.path,
        args: choice.args ?? [],
        env: hostEnvironment({ dataFolder, ...choice }),
        onOutput: (text) => (output += text),
        ...(choice.appFolder === undefined ? {} : { appFolder: choice.appFolder }),
        ...(choice.packaged === undefined ? {} : { packaged: choice.packaged }),
      });
      started.push(app);
      return app;
    });
    await Promise.all(started.map((app) => app.close()));
    for (const folder of folders) folder.remove();
    if (info.status !== info.expectedStatus) await info.attach('window host', { body: output, contentType: 'text/plain' });
  },
});

export { expect };
