import { defineConfig } from 'vitest/config';

// The stated sizes of chaos and fuzz, for `npm run proof`: what takes too long for every change. One server, one file at a
// time, so that a printed seed means the same run everywhere.
export default defineConfig({
  test: {
    name: 'proof',
    include: ['test/proof/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    setupFiles: ['test/support/check-events.ts'],
    provide: { server: 'bundled' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60 * 60_000,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
  },
});
