/** Pure: the parameters of a call, checked against the contract once, at the boundary. */
import { CONSOLE_API, isMethod } from '../../shared/console-api.ts';
import type { Method, Params } from '../../shared/console-api.ts';
import { ConsoleError } from '../../shared/errors.ts';

/** What is wrong, as `field: reason`, for the first thing that is. */
function firstProblem(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const issue = issues[0];
  if (issue === undefined) return 'invalid parameters';
  return issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`;
}

/** The parameters with defaults filled in. Throws ConsoleError `invalid-input`. */
export function parseParams<M extends Method>(method: M, params: unknown): Params<M> {
  const parsed = CONSOLE_API[method].params.safeParse(params);
  if (!parsed.success) throw new ConsoleError('invalid-input', firstProblem(parsed.error.issues));
  return parsed.data as Params<M>;
}

/** A method of the contract, or ConsoleError `unsupported`. */
export function parseMethod(name: string): Method {
  if (!isMethod(name)) throw new ConsoleError('unsupported', 'there is no such call');
  return name;
}
