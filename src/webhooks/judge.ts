// What the response to a delivery means.
import type { FailureHints, FailureCode } from '../jobs/index.ts';

export type Judged =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: FailureCode; readonly error: string; readonly hints: FailureHints };

const GONE = 410;
/** The statuses whose Retry-After is honoured. */
const BUSY = new Set([429, 503]);

export function judgeStatus(status: number, retryAfter: string | null, now: Date): Judged {
  if (status >= 200 && status < 300) return { ok: true };
  if (status === GONE)
    return {
      ok: false,
      code: 'ENDPOINT_GONE',
      error: 'the endpoint answered 410 and is being disabled',
      hints: { permanent: true },
    };
  const redirects = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  const retryAfterMs = BUSY.has(status) ? parseRetryAfter(retryAfter, now) : undefined;
  return {
    ok: false,
    code: 'DELIVERY_REFUSED',
    error: `the endpoint answered ${status}${redirects}`,
    hints: { retryAfterMs },
  };
}

/** Milliseconds to wait; undefined if the header says none. */
export function parseRetryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * 1_000;
  // Only the form of RFC 9110: Date.parse would read many texts as a date.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
