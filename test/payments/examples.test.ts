// The example programs, run as a newcomer would run them. What they print is what their comments promise.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';

const FOLDER = join(import.meta.dirname, '../../examples');

/** It needs an encryption key and an API: test/cli/readme.test.ts runs it. */
const RUN_ELSEWHERE = 'receive-webhooks.pg.ts';

const SAYS: Record<string, string[]> = {
  'escrow.ts': [
    '40.00 captured: buyer 10000, seller 3880, platform 120',
    'the rest cancelled: buyer 16000, seller 3880, platform 120',
    '10.00 refunded: buyer 17000, seller 2880, platform 120',
    'after thirty days: buyer 7000, seller 12580, platform 420',
  ],
  'order-with-payment.pg.ts': [
    'orders: 1, payments: 1',
    'refused: account "buyer" has 20.00 USD available; 30.00 USD is required',
    'orders: 0, payments: 0',
  ],
  'order-with-payment.postgres-js.ts': [
    'orders: 1, payments: 1',
    'refused: account "buyer" has 20.00 USD available; 30.00 USD is required',
    'orders: 0, payments: 0',
  ],
};

describe('an example', () => {
  const store = useDatabase();

  test.each(Object.entries(SAYS))('%s does what it says', async (name, lines) => {
    const env = { ...process.env, DATABASE_URL: store.ownerUrl };
    const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, name)], { env });
    expect(stdout.trim().split('\n')).toEqual(lines);
  });

  test('is never left out of this list', () => {
    expect(
      readdirSync(FOLDER)
        .filter((name) => name.endsWith('.ts'))
        .toSorted(),
    ).toEqual([...Object.keys(SAYS), RUN_ELSEWHERE]);
  });
});
