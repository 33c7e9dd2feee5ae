/** Pure: the parameters of a call, checked against the contract once, at the boundary. */
import { CONSOLE_API, isMethod } from '../../shared/console-api.ts';
import type { Method, Params } from '../../shared/console-api.ts';
import { ConsoleError } from '../../shared/errors.ts';
import { paramsIssueText } from '../../shared/issue-text.ts';

/** The parameters with defaults filled in. Throws ConsoleError `invalid-input`. */
export function parseParams<M extends Method>(method: M, params: unknown): Params<M> {
  const parsed = CONSOLE_API[method].params.safeParse(params);
  if (!parsed.success) throw new ConsoleError('invalid-input', paramsIssueText(method, parsed.error.issues[0]));
  return parsed.data as Params<M>;
}

/** A method of the contract, or ConsoleError `unsupported`. */
export function parseMethod(name: string): Method {
  if (!isMethod(name)) throw new ConsoleError('unsupported', 'there is no such call');
  return name;
}
