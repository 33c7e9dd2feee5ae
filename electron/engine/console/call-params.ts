/** Pure: parameters of a call, checked. */
import type { Method, Params, ParsedParams } from '../../../shared/console-api.ts';
import { CONSOLE_API, isMethod } from '../../../shared/console-api.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { paramsIssueText } from '../../../shared/issue-text.ts';

/** Hosts check what comes from outside; callers inside the process get defaults and the same clear refusal. Throws `invalid-input`. */
export function parseParams<M extends Method>(method: M, params: Params<M>): ParsedParams<M> {
  if (!isMethod(method)) throw new ConsoleError('invalid-input', `There is no call "${String(method)}".`);
  const parsed = CONSOLE_API[method].params.safeParse(params);
  if (parsed.success) return parsed.data as ParsedParams<M>;
  throw new ConsoleError('invalid-input', parsed.error.issues.map((issue) => paramsIssueText(method, issue)).join('; '));
}
