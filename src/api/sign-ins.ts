// Accepted callers and rejected credentials for the audit log, buffered in memory and written by a loop, so that no request waits for it. Both are bounded, so that no
// caller can flood the log: one sign-in a day for each key or end user and address (for IPv6, a network of 64 bits); one event a minute for each rejected credential and
// address, for at most ten addresses, and one for all others together. An unknown secret belongs to no tenant, so it is only in the metrics and the log of the process.
import type { RefusedSignIn, SignIn, Engine } from '../engine.ts';
import type { Loop, Origin } from '../kernel/index.ts';
import { neighbourhoodOf } from './address.ts';
import type { Principal } from './auth.ts';

export interface SignIns {
  readonly loop: Loop;
  /** `name`: the id of the key or account. */
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
  /** When the sign-in of a key or end user from an address is recorded again. */
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
      // If the database is what is away, what is buffered is lost.
      if (came.length + tried.size > 0) await loop.runOnce().catch(() => undefined);
    },
  };
}
