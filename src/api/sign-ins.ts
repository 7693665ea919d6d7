// Who came in, and who was not let in: for the record, noted in memory and written by a loop of its own, so that no request waits
// for it. Bounded on both sides: of a key or an end user one sign-in an address (of IPv6, a network of 64 bits) and day; of what was
// refused one event a minute for each credential and address, of at most ten addresses, the rest together. A secret that belongs
// to nobody names no tenant whose record it could be on: metrics and the log have it.
import type { RefusedSignIn, SignIn, Engine } from '../engine.ts';
import type { Attribution, Loop } from '../kernel/index.ts';
import { neighbourhoodOf } from './address.ts';
import type { Principal } from './auth.ts';

type Origin = Omit<Attribution, 'actor'>;

export interface SignIns {
  readonly loop: Loop;
  /** `name`: of its key or account. */
  accepted(name: string, principal: Principal, origin: Origin): void;
  refused(refused: RefusedSignIn, origin: Origin): void;
  /** The loop's last run, and no more after it. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
const MOST_REMEMBERED = 10_000;
const MOST_ADDRESSES = 10;
const MOST_CREDENTIALS = 1_000;

interface Tries extends RefusedSignIn, Origin {
  times: number;
}

export function createSignIns(usance: Engine, everyMs: number): SignIns {
  /** Until when nothing more is said of who came from where. */
  const known = new Map<string, number>();
  let came: SignIn[] = [];
  /** By credential, then by address. */
  let tried = new Map<string, Map<string, Tries>>();

  const loop = usance.createLoop({
    name: 'sign-ins',
    pollMs: everyMs,
    async runOnce() {
      const refused = [...tried.values()].flatMap((byAddress) => [...byAddress.values()]);
      const accepted = came;
      [came, tried] = [[], new Map()];
      if (accepted.length === 0 && refused.length === 0) return { counts: { accepted: 0, refused: 0 } };
      await usance.recordSignIns(accepted, refused).catch((error: unknown) => {
        came = [...accepted, ...came].slice(0, MOST_REMEMBERED);
        throw error;
      });
      return { counts: { accepted: accepted.length, refused: refused.length } };
    },
  });
  return {
    loop,
    accepted(name, { signIn }, origin) {
      const nowMs = performance.now();
      const key = `${name} ${origin.ip === null ? '' : neighbourhoodOf(origin.ip)}`;
      if ((known.get(key) ?? -Infinity) > nowMs) return;
      known.delete(key);
      known.set(key, nowMs + DAY_MS);
      if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value ?? '');
      if (came.length < MOST_REMEMBERED) came.push({ ...origin, ...signIn });
    },
    refused(refused, origin) {
      const credential = `${refused.tenantId} ${refused.resourceId}`;
      const byAddress = tried.get(credential) ?? new Map<string, Tries>();
      if (byAddress.size === 0 && tried.size >= MOST_CREDENTIALS) return;
      tried.set(credential, byAddress);
      const own = origin.ip ?? '';
      const isOneTooMany = !byAddress.has(own) && byAddress.size >= MOST_ADDRESSES;
      const ip = isOneTooMany ? '' : own;
      const times = (byAddress.get(ip)?.times ?? 0) + 1;
      byAddress.set(ip, { ...refused, ...origin, ip: ip === '' ? null : ip, times });
    },
    async close() {
      await loop.stop();
      // It is worth a try, not a failure: the database may be what is away.
      if (came.length + tried.size > 0) await loop.runOnce().catch(() => undefined);
    },
  };
}
