/** Pure: the conversation that every host must carry, and what its answers say. */
import { expect } from '@playwright/test';

export const QUESTIONS = ['Can I get a refund for order #1043?', 'OK. What about my other order, 1042?', 'Yes please.'] as const;

/** The same answers in substance, whoever shows them. */
export function expectStory(answers: readonly string[]): void {
  const [first = '', second = '', third = ''] = answers;
  expect(first).toMatch(/1043/);
  expect(first).toMatch(/20 days/);
  expect(first).toMatch(/14[ -]days?/);
  expect(second).toMatch(/1042/);
  expect(second).toMatch(/11 (more )?days|11 days left/);
  expect(second).toMatch(/\?/);
  expect(third).toMatch(/5001/);
  expect(third).toMatch(/1042/);
}
