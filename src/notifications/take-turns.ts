// Takes the turns of a channel one after the other, so that those of this process do not find the channel locked by one another. If another
// transaction has it, it may be that of another worker, or the end of an attempt: it is tried again after a moment, in which no connection is held.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Taken, TurnKey } from './turn-store.ts';
import { takeTurn } from './turn-store.ts';

const RETRIES_MS = [20, 80];

export type TakeTurn = (key: TurnKey) => Promise<Taken | 'deleted' | 'locked'>;

export function turnsOf(db: Database): TakeTurn {
  /** The end of the last turn of each channel that has one under way. */
  const last = new Map<Uuid, Promise<unknown>>();
  const attempt: TakeTurn = (key) => db.transaction((tx) => takeTurn(tx, key), { probes: true });
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
