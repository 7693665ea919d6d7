// Requests that show no key, or one that is not known here, are counted by the address they come from: whoever tries keys, or has
// lost theirs, is told to wait before the database is asked. Only what failed counts in the end, so that somebody who brings a
// thousand people's good tokens from one address is no stranger, and a key that was good once is never kept waiting by its
// neighbours.
import type { FastifyReply } from 'fastify';
import { Refusal } from '../kernel/index.ts';
import { neighbourhoodOf } from './address.ts';
import type { Principal } from './auth.ts';
import { createLimiter, refuseHaste } from './rate-limit.ts';

export type Door = (address: string | null, reply: FastifyReply, look: () => Promise<Principal>) => Promise<Principal>;

export function createDoor(perMinute: number): Door {
  const limiter = createLimiter('address', perMinute);
  return async (address, reply, look) => {
    const name = address === null ? 'unknown' : neighbourhoodOf(address);
    const taken = limiter.take(name);
    if (taken && taken.retryAfterS !== null) {
      reply.headers(taken.headers).header('retry-after', String(taken.retryAfterS));
      return refuseHaste(taken.retryAfterS);
    }
    try {
      const principal = await look();
      limiter.giveBack(name);
      return principal;
    } catch (error) {
      // Trouble of ours is not their doing.
      if (!(error instanceof Refusal)) limiter.giveBack(name);
      else if (taken) reply.headers(taken.headers);
      throw error;
    }
  };
}
