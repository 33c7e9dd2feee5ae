/** Pure data: the one error family that crosses every boundary of the console. */

/** Closed list; a new code is a change of the contract. */
export const ERROR_CODES = [
  'invalid-input', // what was asked for has the wrong form; the message says what to do
  'not-found', // no such conversation, customer, run …
  'conflict', // someone else changed it first
  'busy', // the thing asked for is running already
  'folder-in-use', // another engine holds the data folder
  'not-saved', // the write did not reach the disk; the caller still has the text
  'storage', // reading or writing failed for another reason
  'read-only', // the store is open for reading only
  'unsupported', // this host or build cannot do it
  'forbidden', // refused by policy
  'model-auth',
  'model-quota',
  'model-rate-limited',
  'model-overloaded',
  'model-invalid-request',
  'model-context-too-long',
  'model-blocked',
  'model-interrupted',
  'model-unknown',
  'cancelled', // stopped on purpose
  'internal', // a bug of ours
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The plain-data form of a ConsoleError: what IPC, traces and storage carry. */
export interface ErrorInfo {
  code: ErrorCode;
  /** One sentence for a person, without secrets, that says what to do where something can be done. */
  message: string;
  /** True when the same request may succeed later without a change. */
  retryable: boolean;
}

/** Every failure that leaves a port or a service is one of these; vendor errors are translated once, in their adapter. */
export class ConsoleError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConsoleError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The plain-data form of anything thrown. Unknown errors become `internal` and keep their message. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof ConsoleError) return { code: error.code, message: error.message, retryable: error.retryable };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error), retryable: false };
}

/** The way back: an ErrorInfo that crossed a boundary becomes a ConsoleError again. */
export function fromErrorInfo(info: ErrorInfo): ConsoleError {
  return new ConsoleError(info.code, info.message, { retryable: info.retryable });
}
