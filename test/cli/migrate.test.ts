import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { usance, useFolder } from './cli.ts';

const folder = useFolder();
const database = useDatabase();

describe('migrate', () => {
  test('says what it applied, and that there is nothing to do the next time', async () => {
    const variables = { DATABASE_OWNER_URL: database.ownerUrl, USANCE_SCHEMA: 'books' };
    const first = await usance(folder, ['migrate'], variables);
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^Schema books of usance_owner@127\.0\.0\.1:\d+\/t_\d+_\d+, PostgreSQL \d+/);
    expect(first.out).toContain('applied  0001_tenants.sql');
    expect(first.out).toMatch(/Migrated from version 0 to (\d+): \1 files\.\n$/);
    const second = await usance(folder, ['migrate'], variables);
    expect(second.out).toMatch(/Nothing to do: the schema is at version \d+\.\n$/);
  });

  test('lets the runtime’s login use what the owner made', async () => {
    const variables = {
      DATABASE_URL: database.runtimeUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      USANCE_SCHEMA: 'more_books',
    };
    const ended = await usance(folder, ['migrate', '--json'], variables);
    expect(ended.code).toBe(0);
    expect(ended.json()).toMatchObject({ from: 0, applied: expect.arrayContaining(['0003_ledger.sql']) });
    expect((await usance(folder, ['verify'], variables)).code).toBe(0);
  });
});
