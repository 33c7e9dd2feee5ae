// Pure: counts in the JSON reports of vitest and Playwright. A skipped test is a problem: nothing is left out silently.

/**
 * @param {{ testResults?: { name: string; status: string; message?: string; assertionResults: { fullName: string; status: string }[] }[] }} report
 * @returns {{ passed: number; problems: string[] }}
 */
export function readVitestReport(report) {
  let passed = 0;
  const problems = [];
  for (const file of report.testResults ?? []) {
    const notPassed = file.assertionResults.filter((result) => result.status !== 'passed');
    passed += file.assertionResults.length - notPassed.length;
    for (const result of notPassed) problems.push(`${result.status}: ${file.name} > ${result.fullName}`);
    if (file.status !== 'passed' && notPassed.length === 0) problems.push(`failed: ${file.name} ${(file.message ?? '').split('\n')[0]}`);
  }
  return { passed, problems };
}

/**
 * @param {{ suites?: object[]; errors?: { message?: string }[] }} report
 * @returns {{ passed: number; problems: string[] }}
 */
export function readPlaywrightReport(report) {
  let passed = 0;
  const problems = (report.errors ?? []).map((error) => `e2e: ${(error.message ?? 'failed').split('\n')[0]}`);
  const visit = (suite, path) => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        if (test.status === 'expected') passed += 1;
        else problems.push(`${test.status}: ${[...path, spec.title].join(' > ')}`);
      }
    }
    for (const child of suite.suites ?? []) visit(child, [...path, child.title]);
  };
  for (const suite of report.suites ?? []) visit(suite, [suite.title]);
  return { passed, problems };
}
