// The checks of payouts in slices: what one reads does not grow with the attempts of others.
import { beforeAll, describe, expect, test } from 'vitest';
import { CHECKS } from '../../src/engine-checks.ts';
import { only } from '../../src/db/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { HELD_BY_PAYOUTS } from '../../src/payouts/index.ts';
import { plant } from '../ops/alerts-store.fixture.ts';
import { useUsance } from '../support/database.ts';

const store = useUsance();
const READS = {
  'what wallets hold by payouts': HELD_BY_PAYOUTS,
  'payouts-are-booked': offendersOf('payouts-are-booked'),
  'attempts-are-of-their-payout': offendersOf('attempts-are-of-their-payout'),
};

function offendersOf(name: string): string {
  return CHECKS.find((check) => check.name === name)?.offenders ?? expect.fail(`there is no check ${name}`);
}

/** Attempts that were paid, of wallets and payers that are in no slice. */
const addAttempts = (count: number): Promise<void> =>
  plant(
    store.owner,
    `with wallet as (select gen_random_uuid() as tenant_id, gen_random_uuid() as wallet_id, gen_random_uuid() as payer_id)
     insert into usance.payout_attempts (tenant_id, payment_id, number, id, state, payer_id, asset, amount, chain, address, wallet_id,
       fee_asset, fee_limit, tx_id, signed, last_valid_height, fee, height, claimed_at, sent_at, ended_at, outflow_id, fee_id)
     select tenant_id, gen_random_uuid(), 1, gen_random_uuid(), 'finalized', payer_id, 'USDC/6', 1, 'sandbox', 'address', wallet_id,
       'SBX/9', 1, gen_random_uuid()::text, 'bytes', 1, 1, 1, now(), now(), now(), gen_random_uuid(), gen_random_uuid()
     from wallet cross join generate_series(1, $1::int)`,
    [count],
  ).then(() => store.owner.query('analyze usance.payout_attempts').then(() => undefined));

/** Shared buffers that one account's slice of a check reads. */
async function buffersOf(text: string): Promise<number> {
  const row = only(await store.owner.query(`explain (analyze, buffers, format json) ${text}`, [[newId()]]));
  const [{ Plan: plan }] = row['QUERY PLAN'] as [{ Plan: Record<string, number> }];
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}

describe('of one account, with 1,000 attempts of others and with 21,000,', () => {
  const small: Record<string, number> = {};
  const large: Record<string, number> = {};

  beforeAll(async () => {
    await addAttempts(1_000);
    for (const [name, text] of Object.entries(READS)) small[name] = await buffersOf(text);
    await addAttempts(20_000);
    for (const [name, text] of Object.entries(READS)) large[name] = await buffersOf(text);
  });

  test.each(Object.keys(READS))('%s reads the same', (name) => {
    expect(small[name]).toBeGreaterThan(0);
    expect(large[name]).toBeLessThanOrEqual((small[name] ?? NaN) + 10);
  });
});
