/** Stories of the window host: the compiled main and preload under the Electron stand-in (real Electron with ELECTRON_REAL=1). */
import { ConsolePage } from './harness/console-page.ts';
import { expectStory, QUESTIONS } from './harness/story.ts';
import { expect, test, watchPage } from './harness/test.ts';

const CUSTOMER = 'Jonas Lindqvist';

test('the three-turn conversation in the window; the app ends cleanly and starts again with everything there', async ({
  startWindow,
  pageProblems,
}) => {
  const app = await startWindow();
  const page = await app.firstWindow();
  await watchPage(page, pageProblems);
  const console = new ConsolePage(page);
  await console.ready();
  await console.startConversation(CUSTOMER);
  const answers: string[] = [];
  for (const [index, question] of QUESTIONS.entries()) answers.push(await console.ask(question, index + 1));
  expectStory(answers);
  await app.close();
  expect(app.process().exitCode).toBe(0);

  const again = new ConsolePage(await (await startWindow()).firstWindow());
  await again.ready();
  await again.rows().first().click();
  expect(await again.answer(3)).toBe(answers[2]);
});

test('[E2][E4][E5][E13][E14][E20] the page gets one frozen bridge, no Node, no permission, no other place and no second window', async ({
  startWindow,
}) => {
  const app = await startWindow();
  const page = await app.firstWindow();
  await new ConsolePage(page).ready();
  const seen = await page.evaluate(() => {
    const bridge = (window as unknown as { consoleBridge: object }).consoleBridge;
    return {
      keys: Object.keys(bridge).toSorted(),
      frozen: Object.isFrozen(bridge),
      leaked: ['require', 'process', 'ipcRenderer', 'electron', 'Buffer', 'global'].filter((name) => name in window),
    };
  });
  expect(seen).toEqual({ keys: ['call', 'onCommand', 'onEvents', 'setMenu'], frozen: true, leaked: [] });

  const address = page.url();
  await page.evaluate(() => {
    window.open('https://elsewhere.invalid/');
    location.href = 'https://elsewhere.invalid/';
  });
  await page.waitForTimeout(500);
  expect(page.url()).toBe(address);
  const record = await app.evaluate(({ BrowserWindow, __standin }) => ({
    windows: BrowserWindow.getAllWindows().length,
    ...__standin.record,
  }));
  expect(record.windows).toBe(1);
  expect(record.sandboxEnabled).toBe(true);
  expect(record.opened).toEqual([]);
  expect(record.permissions.filter((permission) => permission !== 'clipboard-write' && permission !== 'notifications')).toEqual([]);
  const foreign = record.requested.filter((url) => !url.startsWith('app://') && !url.startsWith('https://elsewhere.invalid/'));
  expect(foreign).toEqual([]);
});

test('[E3][E17] bad calls are refused in words; a page that replaces built-ins breaks nothing', async ({ startWindow }) => {
  const app = await startWindow();
  const page = await app.firstWindow();
  await new ConsolePage(page).ready();
  const replies = await page.evaluate(async () => {
    const { consoleBridge } = window as unknown as {
      consoleBridge: { call(method: string, params: unknown): Promise<{ ok: boolean; error?: { code: string } }> };
    };
    const { parse } = JSON;
    const { push } = Array.prototype;
    JSON.parse = () => {
      throw new Error('replaced');
    };
    Array.prototype.push = () => 0;
    const calls: [string, unknown][] = [
      ['getAppInfo', {}],
      ['noSuchMethod', {}],
      ['openConversation', { conversationId: '../../etc/passwd' }],
      ['sendMessage', { conversationId: '0'.repeat(32), messageId: 'x'.repeat(8), text: ' ' }],
      ['listConversations', { limit: 1_000_000 }],
      ['constructor', {}],
    ];
    const got: string[] = [];
    for (const [method, params] of calls) {
      const reply = await consoleBridge.call(method, params);
      got[got.length] = reply.ok ? 'ok' : (reply.error?.code ?? 'no code');
    }
    JSON.parse = parse;
    Array.prototype.push = push;
    return got;
  });
  expect(replies[0]).toBe('ok');
  expect(replies.slice(1)).not.toContain('ok');
  expect(replies.slice(1)).not.toContain('internal');
});

test('[E7][E18] the page comes from the app with its policy; nothing outside its folder is served', async ({ startWindow }) => {
  const app = await startWindow();
  const page = await app.firstWindow();
  await new ConsolePage(page).ready();
  const answers = await page.evaluate(async () => {
    const get = async (path: string) => {
      const response = await fetch(path).catch(() => null);
      return { status: response?.status ?? 0, policy: response?.headers.get('content-security-policy') ?? '' };
    };
    return Promise.all(['/', '/no-such-file.js', '/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json'].map(get));
  });
  expect(answers.map((answer) => answer.status >= 400)).toEqual([false, true, true, true]);
  for (const answer of answers) {
    expect(answer.policy).toContain("default-src 'none'");
    expect(answer.policy).toContain("require-trusted-types-for 'script'");
    expect(answer.policy).not.toContain('unsafe');
  }
  const broken = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const seen: string[] = [];
        document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
        const image = document.createElement('img');
        image.src = 'https://elsewhere.invalid/a.png';
        document.body.append(image);
        const style = document.createElement('style');
        style.textContent = 'body { color: red }';
        document.head.append(style);
        setTimeout(() => resolve(seen), 500);
      }),
  );
  expect(broken).toContain('img-src');
  expect(broken.some((directive) => directive.startsWith('style-src'))).toBe(true);
});

test('[X1] a second window on the same data folder ends with 3', async ({ startWindow }) => {
  const app = await startWindow();
  await new ConsolePage(await app.firstWindow()).ready();
  const second = await startWindow().then(
    (started) => new Promise<number | null>((resolve) => started.process().once('exit', (code) => resolve(code))),
    (error: unknown) => Number(/ended with (\d+)/.exec(String(error))?.[1] ?? Number.NaN),
  );
  expect(second).toBe(3);
});
