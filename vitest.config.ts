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
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  globalSetup: ['test/support/servers.ts'],
};

/** The long ones first. Else one processor waits at the end for what the other began last. */
class LongFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => /\/test\/(faults|package|cli)\//.test(moduleId);
    return Promise.resolve(files.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one))));
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
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
            'test/ops/{dead-letters,occurrence-letters}.test.ts',
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
