// How often somebody may ask: a bucket for every key, every end user and every address of strangers that holds a minute's requests and refills evenly. Kept
// in memory, by each process for itself: with three of them the limit is three times as high, and none of them asks another
// before it answers. What a bucket is worth keeping for is one number, the instant it will be full again.
// The headers are those of draft-ietf-httpapi-ratelimit-headers: a policy by name, and what is left of it.
import { refuse } from '../kernel/index.ts';

export interface RateLimits {
  /** Requests a minute of one API key; 0 for no limit. */
  readonly perKey: number;
  /** Requests a minute of one end user, with all of their tokens together; 0 for no limit. */
  readonly perUser: number;
  /** Requests a minute from one address that show no key or token that is good; 0 for no limit. */
  readonly perAddress: number;
  /** Sign-ins of the dashboard a minute from one address, default 10; 0 for no limit. */
  readonly signIns?: number;
}

export interface Taken {
  /** `RateLimit-Policy` and `RateLimit`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where it was allowed. */
  readonly retryAfterS: number | null;
}

export interface Limiter {
  /** Null where there is no limit. `cost`: how many requests it counts as, default 1. More, counted after the first, is at most the rest of a full bucket. */
  take(name: string, cost?: number): Taken | null;
  /** What was taken last turned out not to count. */
  giveBack(name: string): void;
}

const WINDOW_MS = 60_000;
/** Beyond so many, who has not asked for longest is forgotten, as if their bucket were full. */
const MOST_REMEMBERED = 10_000;

export function createLimiter(policy: string, quota: number): Limiter {
  if (quota === 0) return { take: () => null, giveBack: () => undefined };
  const full = new Map<string, number>();
  const costMs = WINDOW_MS / quota;
  const policyHeader = `"${policy}";q=${quota};w=${WINDOW_MS / 1_000}`;
  const take = (name: string, cost = 1): Taken => {
    const ownMs = (cost > 1 ? Math.min(cost, quota - 1) : cost) * costMs;
    const nowMs = performance.now();
    const emptyMs = Math.max((full.get(name) ?? 0) - nowMs, 0);
    const allowed = emptyMs + ownMs <= WINDOW_MS;
    const nextMs = allowed ? emptyMs + ownMs : emptyMs;
    full.delete(name);
    full.set(name, nowMs + nextMs);
    if (full.size > MOST_REMEMBERED) full.delete(full.keys().next().value ?? '');
    const remaining = Math.floor((WINDOW_MS - nextMs) / costMs);
    return {
      headers: {
        'ratelimit-policy': policyHeader,
        ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(nextMs / 1_000)}`,
      },
      retryAfterS: allowed ? null : Math.ceil((emptyMs + ownMs - WINDOW_MS) / 1_000),
    };
  };
  return {
    take,
    giveBack(name) {
      const until = full.get(name);
      if (until !== undefined) full.set(name, until - costMs);
    },
  };
}

export function refuseHaste(retryAfterS: number): never {
  return refuse('RATE_LIMITED/requests', { seconds: retryAfterS });
}
