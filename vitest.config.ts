import { defineConfig } from 'vitest/config';

// Two servers, one suite: everything runs on the bundled PostgreSQL, and the core (everything that is mostly SQL) also on
// PostgreSQL 15, the oldest we support. Timings are never asserted here, so the limits are generous.
const shared = { testTimeout: 60_000, hookTimeout: 120_000, globalSetup: ['test/support/servers.ts'] };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
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
            'test/schedules/{policies,scheduler}.test.ts',
          ],
          provide: { server: '15' },
        },
      },
    ],
  },
});
