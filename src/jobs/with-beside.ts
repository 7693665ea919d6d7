// A worker with work beside its claims, as one loop: the work begins with a resident run, and follows a single one.
import type { Counts } from '../kernel/index.ts';
import type { Beside } from './beside.ts';
import type { JobWorker } from './worker.ts';

/** `counted`: further counts of the run. */
export function withBeside(worker: JobWorker, beside: Beside, counted: () => Counts = () => ({})): JobWorker {
  return {
    name: worker.name,
    pollMs: worker.pollMs,
    async stop() {
      await worker.stop();
      await beside.stop();
    },
    add: (one) => worker.add(one),
    announce: () => worker.announce(),
    get processors() {
      return worker.processors;
    },
    async runOnce(signal, resident, woken) {
      if (resident) beside.begin();
      const run = await worker.runOnce(signal, resident, woken);
      // After what a single run has sent: it may have made a receiver unhealthy.
      if (!resident) await beside.now();
      return { ...run, counts: { ...run.counts, ...counted(), ...beside.taken() } };
    },
  };
}
