// Requests that show no key, or one that is not known here, are counted by the address they come from: a caller that tries keys,
// or asks for paths that do not exist, is told to wait before the database is asked or a body is read. A request with a good key
// does not count in the end, so a thousand end users behind one address are no strangers, and a key that was good once is
// never kept waiting by its neighbours.
import type { FastifyReply } from 'fastify';
import { Refusal } from '../kernel/index.ts';
import { neighbourhoodOf } from './address.ts';
import type { Principal } from './auth.ts';
import { createLimiter, refuseHaste } from './rate-limit.ts';

export interface Door {
  /** Counts a look at a key that this process does not know; a good one is given back. */
  ask<P extends Principal>(address: string | null, reply: FastifyReply, look: () => Promise<P>): Promise<P>;
  /** Counts a request that no key is asked of. Throws a Refusal where there were too many. */
  take(address: string | null, reply: FastifyReply): void;
}

export function createDoor(perMinute: number): Door {
  const limiter = createLimiter('address', perMinute);
  const nameOf = (address: string | null): string => (address === null ? 'unknown' : neighbourhoodOf(address));
  const take = (name: string, reply: FastifyReply): Readonly<Record<string, string>> => {
    const taken = limiter.take(name);
    if (!taken) return {};
    if (taken.retryAfterS === null) return taken.headers;
    reply.headers(taken.headers).header('retry-after', String(taken.retryAfterS));
    return refuseHaste(taken.retryAfterS);
  };
  return {
    async ask(address, reply, look) {
      const name = nameOf(address);
      const headers = take(name, reply);
      try {
        const principal = await look();
        limiter.giveBack(name);
        return principal;
      } catch (error) {
        // An error of this server is not the caller's doing.
        if (error instanceof Refusal) reply.headers(headers);
        else limiter.giveBack(name);
        throw error;
      }
    },
    take(address, reply) {
      take(nameOf(address), reply);
    },
  };
}
