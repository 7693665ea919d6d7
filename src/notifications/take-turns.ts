// Takes the turns of a channel one after the other, so that those of this process do not find the channel locked by one another. If another
// transaction has it, it may be that of another worker, or the end of an attempt: it is tried again after a moment, in which no connection is held.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/index.ts';
import { isLastingError } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { gatherDue } from './gather.ts';
import type { Gather, Taken, TurnKey } from './turn-store.ts';
import { takeTurn } from './turn-store.ts';

const RETRIES_MS = [20, 80];
const BOUNDED = { probes: true };
const nothing: Gather = () => Promise.resolve(new Map());

export interface TurnOrder extends TurnKey {
  readonly workerId: Uuid;
  /** The execution is of a live tenant. */
  readonly isLive: boolean;
}
export type TakeTurn = (order: TurnOrder) => Promise<Taken | 'deleted' | 'locked'>;

export interface TurnOptions {
  /** Executions that wait could not be left to a summary together: each takes its own turn. Called once for a channel. */
  readonly onTrouble: (channelId: Uuid, error: unknown) => void;
}

export function turnsOf(db: Database, { onTrouble }: TurnOptions): TakeTurn {
  const reported = new Set<Uuid>();
  /** The end of the last turn of each channel that has one under way. */
  const last = new Map<Uuid, Promise<unknown>>();
  const attempt: TakeTurn = async (order) => {
    const { isLive, ...key } = order;
    const alone = (): ReturnType<TakeTurn> => db.transaction((tx) => takeTurn(tx, key, nothing), BOUNDED);
    if (!isLive) return alone();
    try {
      return await db.transaction((tx) => takeTurn(tx, key, (inner) => gatherDue(inner, key)), BOUNDED);
    } catch (error) {
      if (!isLastingError(error)) throw error;
      if (!reported.has(key.channelId)) onTrouble(key.channelId, error);
      reported.add(key.channelId);
      return alone();
    }
  };
  const take: TakeTurn = async (key) => {
    let taken = await attempt(key);
    for (const ms of RETRIES_MS) {
      if (taken !== 'locked') break;
      await pause(ms);
      taken = await attempt(key);
    }
    return taken;
  };
  return (key) => {
    const { channelId } = key;
    const before = last.get(channelId) ?? Promise.resolve();
    const turn = before.then(() => take(key));
    const end = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(channelId) === end) last.delete(channelId);
      });
    last.set(channelId, end);
    return turn;
  };
}
