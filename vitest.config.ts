import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

// Two servers, one suite: everything runs on the bundled PostgreSQL, and the core (everything that is mostly SQL) also on
// PostgreSQL 15, the oldest we support. Timings are never asserted here, so the limits are generous.
// Where a whole change would be turned away (CI), a test that failed is tried once more and the report says so: some hundreds
// of them cut wires and kill sessions beside other work on the same cores. At home it fails at once.
const retry = process.env['CI'] === 'true' ? 1 : 0;
const shared = {
  retry,
  // Programs that tests start find the types of src stripped already.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  globalSetup: ['test/support/servers.ts'],
  setupFiles: ['test/support/check-events.ts'],
  // The files of a worker share its modules: evaluating src again for each file took as long as running many of them. A file must
  // restore everything that it replaces; Vitest restores spies and environment variables.
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
};

/** From 45 seconds beside other work, the longest first. */
const LONGEST = [
  'matrix/matrix',
  'guides/typescript',
  'browser/dashboard',
  'cli/ids',
  'faults/crash-payments',
  'cli/payments',
  'faults/crash-settle',
  'faults/crash-ledger',
  'faults/crash-jobs',
  'faults/crash-schedules',
  'cli/readme',
  'api/budgets',
  'cli/payouts',
  'cli/encryption',
  'package/package',
  'cli/dry-run',
];

/**
 * The long ones first, else one processor waits at the end for what the other began last. One server after the other: a worker
 * belongs to one of them.
 */
class LongFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const server = ({ project }: TestSpecification): number => (project.name === 'postgres-18' ? 0 : 1);
    const length = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place === -1 ? LONGEST.length + (/\/test\/(faults|cli|pairs|matrix)\//.test(moduleId) ? 0 : 1) : place;
    };
    return Promise.resolve(files.toSorted((a, b) => server(a) - server(b) || length(a) - length(b)));
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores that CI has: half of the time a worker waits for a lease, a poll or a process.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'postgres-18',
          include: ['test/**/*.test.ts'],
          exclude: ['test/proof/**'],
          provide: { server: 'bundled' },
        },
      },
      {
        test: {
          ...shared,
          name: 'postgres-15',
          include: [
            'test/{db,tenants,events,audit,ledger,payments}/*.test.ts',
            'test/schedules/{policies,own-payments,scheduler,by-hand,outages}.test.ts',
            'test/ops/{dead-letters,occurrence-letters,execution-letters}.test.ts',
            'test/jobs/{match,executions,rescue,retention,claim,worker,neighbours}.test.ts',
          ],
          // Waiting, racing and walking at random send no statement that the others do not send.
          exclude: [
            'test/payments/{busy,races,model}.test.ts',
            'test/ledger/model.test.ts',
            'test/tenants/test-clocks-at-once.test.ts',
          ],
          provide: { server: '15' },
        },
      },
    ],
  },
});
