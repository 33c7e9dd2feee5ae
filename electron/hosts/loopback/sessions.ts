/** One-time links and the sessions they open. Holds secrets in memory only; uses the random source and a clock. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** A link is good for this long, once. */
export const LINK_MS = 5 * 60_000;
/** Oldest sessions are forgotten beyond this many. */
const MOST_SESSIONS = 16;
const SECRET_BYTES = 32;

export const SESSION_COOKIE = 'session';

export interface Sessions {
  /** A new token; the one before stops working. */
  freshToken(): string;
  /** A session id for a good token, which is used up; null for any other. */
  open(token: string): string | null;
  /** True for a request that carries the cookie of a session. */
  accepts(cookieHeader: string | undefined): boolean;
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Takes as long for a wrong secret as for the right one. */
function same(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Values of every cookie called `session`; another program on this machine may have set a second one. */
function cookieValues(header: string | undefined): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
}

/** `fixed` is development only: the one session that every link opens, known again after a restart. */
export function createSessions(now: () => number, fixed?: string): Sessions {
  let link: { token: string; madeAt: number } | null = null;
  const ids: string[] = fixed === undefined ? [] : [fixed];
  return {
    freshToken() {
      link = { token: secret(), madeAt: now() };
      return link.token;
    },
    open(token) {
      if (link === null || now() - link.madeAt > LINK_MS || !same(token, link.token)) return null;
      link = null;
      if (fixed !== undefined) return fixed;
      const id = secret();
      ids.push(id);
      if (ids.length > MOST_SESSIONS) ids.shift();
      return id;
    },
    accepts: (header) => cookieValues(header).some((value) => ids.some((id) => same(value, id))),
  };
}
