/** Log lines without secrets. Pure, except that createLogger writes through the function it is given. */
import type { Logger } from './engine/ports.ts';

/** What must never be readable in a log or an error, whoever wrote it there. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[A-Za-z0-9_*.-]{4,}/g, 'sk-…'],
  [/\bAIza[A-Za-z0-9_*-]{4,}/g, 'AIza…'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 …'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/]*@/gi, '$1:…@'],
  [/([?&#](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi, '$1…'],
];

/** The text with keys, bearer tokens and DSN passwords replaced by `…`. `known` are secret values to remove wherever they stand. */
export function redact(text: string, known: readonly string[] = []): string {
  let result = text;
  for (const secret of known) if (secret.length >= 4) result = result.replaceAll(secret, '…');
  for (const [pattern, replacement] of SECRETS) result = result.replace(pattern, replacement);
  return result;
}

function describe(details: Record<string, unknown>): string {
  try {
    return JSON.stringify(details, (_key, value: unknown) => {
      if (value instanceof Error) return value.message;
      return typeof value === 'bigint' ? String(value) : value;
    });
  } catch {
    return '[details that cannot be written]';
  }
}

/** A Logger that writes one redacted line per message. Never throws. */
export function createLogger(write: (line: string) => void, known: readonly string[] = []): Logger {
  const log = (level: string, message: string, details?: Record<string, unknown>): void => {
    const line = details === undefined ? `${level}: ${message}` : `${level}: ${message} ${describe(details)}`;
    try {
      write(redact(line.replaceAll(/[\r\n]+/g, ' '), known));
    } catch {
      // A log that cannot be written must not stop what is logged about.
    }
  };
  return {
    warn: (message, details) => log('warning', message, details),
    error: (message, details) => log('error', message, details),
  };
}

/** Tells each error once, however many parts of the program met it. */
export function withoutRepeats(logger: Logger): Logger {
  const told = new Set<string>();
  const isNew = (message: string, details?: Record<string, unknown>): boolean => {
    const error = details?.['error'];
    const key = typeof error === 'string' ? error.replace(/^ConsoleError: /, '') : `${message} ${describe(details ?? {})}`;
    if (told.has(key)) return false;
    told.add(key);
    return true;
  };
  return {
    warn: (message, details) => {
      if (isNew(message, details)) logger.warn(message, details);
    },
    error: (message, details) => {
      if (isNew(message, details)) logger.error(message, details);
    },
  };
}
