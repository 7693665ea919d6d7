// When keys were last used: buffered in memory and written by a loop, so that no request waits for it. A process that dies loses what it
// had buffered: the minute before.
import type { ApiKey, Engine } from '../engine.ts';
import type { Loop } from '../kernel/index.ts';

export interface LastUsed {
  readonly loop: Loop;
  note(key: ApiKey): void;
  /** The loop's last run, and no more after it. */
  close(): Promise<void>;
}

export function createLastUsed(usance: Engine, everyMs: number): LastUsed {
  // As many as were used within a minute: each was found in the database before it came here.
  let noted = new Map<string, { readonly key: ApiKey; readonly atMs: number }>();
  const loop = usance.createLoop({
    name: 'key-usage',
    pollMs: everyMs,
    async runOnce() {
      const taken = [...noted.values()];
      noted = new Map();
      if (taken.length === 0) return { counts: { touched: 0 } };
      const nowMs = performance.now();
      const uses = taken.map(({ key, atMs }) => ({ tenantId: key.tenantId, id: key.id, agoMs: nowMs - atMs }));
      return { counts: { touched: await usance.touchApiKeys(uses) } };
    },
  });
  return {
    loop,
    note: (key) => void noted.set(key.id, { key, atMs: performance.now() }),
    async close() {
      await loop.stop();
      // If the database is what is away, what is buffered is lost.
      if (noted.size > 0) await loop.runOnce().catch(() => undefined);
    },
  };
}
