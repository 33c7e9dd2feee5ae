/** Tests of the counting behind the last line of npm test. Pure. */
import { expect, test } from 'vitest';
import { readPlaywrightReport, readVitestReport } from '../../scripts/test-reports.mjs';

test('vitest: passed, failed, skipped and files that did not load', () => {
  const assertion = (status: string, fullName: string) => ({ status, fullName });
  const report = {
    testResults: [
      { name: 'a.test.ts', status: 'passed', assertionResults: [assertion('passed', 'one'), assertion('passed', 'two')] },
      { name: 'b.test.ts', status: 'failed', assertionResults: [assertion('failed', 'three'), assertion('pending', 'four')] },
      { name: 'c.test.ts', status: 'failed', message: 'cannot find module\nat x', assertionResults: [] },
    ],
  };
  expect(readVitestReport(report)).toEqual({
    passed: 2,
    problems: ['failed: b.test.ts > three', 'pending: b.test.ts > four', 'failed: c.test.ts cannot find module'],
  });
});

test('vitest: a report without results counts nothing', () => {
  expect(readVitestReport({})).toEqual({ passed: 0, problems: [] });
});

test('playwright: nested suites, flaky, skipped and errors outside tests', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const report = {
    errors: [{ message: 'no such browser\nmore' }],
    suites: [
      {
        title: 'chat.spec.ts',
        specs: [spec('one', 'expected')],
        suites: [{ title: 'stop', specs: [spec('two', 'unexpected'), spec('three', 'flaky')] }],
      },
      { title: 'list.spec.ts', specs: [spec('four', 'skipped'), spec('five', 'expected')] },
    ],
  };
  expect(readPlaywrightReport(report)).toEqual({
    passed: 2,
    problems: [
      'e2e: no such browser',
      'unexpected: chat.spec.ts > stop > two',
      'flaky: chat.spec.ts > stop > three',
      'skipped: list.spec.ts > four',
    ],
  });
});
