// A scheduler and a processor in a process of their own, to be killed.
import { createEngine } from '../../src/engine.ts';

const usance = await createEngine({
  databaseUrl: process.argv[2] ?? '',
  migrate: false,
  scheduler: { batchSize: 200 },
});
usance.start(['scheduler', 'processor']);
// Whoever started it is gone: nobody will kill it any more.
process.on('disconnect', () => process.exit());
