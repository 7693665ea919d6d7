// When a person may resolve a payout: every combination of what two endpoints say.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Confirmation, EndpointReport, Rail, Reading, SeenTransfer } from '../../src/rails/index.ts';
import type { ResolutionDecision, SentAttempt } from '../../src/payouts/evidence.ts';
import { decideDead, decidePaid, whyNotBy } from '../../src/payouts/evidence.ts';
import { memoOf } from '../../src/payouts/attempt.ts';
import { fakeRail } from '../rails/fake-rail.ts';

const PAYMENT = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const NOW = new Date('2027-01-01T00:00:00Z');
const rail: Rail = fakeRail('sandbox');

const ATTEMPT: SentAttempt = {
  tenantId: OTHER,
  paymentId: PAYMENT,
  number: 1,
  id: OTHER,
  clockId: null,
  state: 'sent',
  fence: 1n,
  payerId: OTHER,
  asset: 'USDC/2',
  amount: 1_000n,
  sent: {
    chain: 'sandbox',
    address: 'sandbox:payee',
    walletId: OTHER,
    feeAsset: 'SBX/9',
    feeLimit: 30n,
    routeId: null,
    signed: { bytes: new Uint8Array(), transactionId: 'tx', lastValidHeight: 100n },
    sentAt: NOW,
  },
  fee: null,
  height: null,
  broadcasts: 1,
  checks: 0,
  lastSeen: null,
  code: null,
  detail: null,
  claimedAt: NOW,
  reviewedAt: NOW,
  endedAt: null,
  resolvedBy: null,
};

const FINAL = { height: 50n, isFinal: true, succeeded: true, feeUnits: 7n };
const transfer = (change: Partial<SeenTransfer> = {}): SeenTransfer => ({
  from: 'sandbox-wallet',
  to: 'sandbox:payee',
  asset: 'USDC',
  units: 10_000_000n,
  memo: memoOf(ATTEMPT),
  block: FINAL,
  ...change,
});
const SILENT: Reading<EndpointReport> = { outcome: 'unknown', reason: 'timeout' };
const says = (seen: SeenTransfer | null, finalizedHeight = 200n): Reading<EndpointReport> => ({
  outcome: 'known',
  value: { finalizedHeight, transfer: seen },
});
const UNKNOWN: Confirmation = { state: 'unknown', reason: 'timeout' };

/** The reason of a refusal, or the finding and whether it is proven. */
const said = (decided: ResolutionDecision): string =>
  'refused' in decided
    ? `${decided.refused.code}/${decided.refused.reason ?? ''}`.replace('PAYOUT_RESOLUTION_REFUSED/', '')
    : `${decided.finding.state}${decided.isProven ? '' : ', vouched for'}`;

const paid = (...reports: Reading<EndpointReport>[]): string =>
  said(decidePaid(ATTEMPT, rail, { confirmation: UNKNOWN, reports }));
const dead = (...reports: Reading<EndpointReport>[]): string =>
  said(decideDead(ATTEMPT, { confirmation: UNKNOWN, reports }));

describe('a payout is paid', () => {
  test.each<[string, string]>([
    ['in a final block of both endpoints', paid(says(transfer()), says(transfer()))],
    [
      'as both endpoints have told the rail',
      said(
        decidePaid(ATTEMPT, rail, {
          confirmation: { state: 'finalized', height: 50n, feeUnits: 7n },
          reports: [SILENT],
        }),
      ),
    ],
  ])('%s', (_where, decision) => expect(decision).toBe('finalized'));

  test('by the word of a person, if the endpoint that answers has it in a final block', () => {
    expect(paid(SILENT, says(transfer()))).toBe('finalized, vouched for');
  });

  test.each<[string, string, string]>([
    ['no endpoint answers', 'unread', paid(SILENT, SILENT)],
    ['no endpoint has the transaction', 'not_found', paid(says(null), says(null))],
    ['one endpoint has it not', 'not_final', paid(says(null), says(transfer()))],
    ['it is in the pool', 'not_final', paid(says(transfer({ block: null })), SILENT)],
    ['its block is not final', 'not_final', paid(says(transfer({ block: { ...FINAL, isFinal: false } })), SILENT)],
    [
      'the endpoints disagree about the block',
      'not_final',
      paid(says(transfer()), says(transfer({ block: { ...FINAL, height: 51n } }))),
    ],
    [
      'the endpoints disagree about the fee',
      'not_final',
      paid(says(transfer()), says(transfer({ block: { ...FINAL, feeUnits: 8n } }))),
    ],
    ['it failed in its block', 'failed', paid(says(transfer({ block: { ...FINAL, succeeded: false } })), SILENT)],
    [
      'another address was paid',
      'other_destination',
      paid(says(transfer({ to: 'sandbox:another' })), says(transfer())),
    ],
    ['another amount was paid', 'other_amount', paid(says(transfer({ units: 10_000_001n })), SILENT)],
    ['another asset was paid', 'other_amount', paid(says(transfer({ asset: 'EURC' })), SILENT)],
    ['another payout was paid', 'other_payout', paid(says(transfer({ memo: `${OTHER}.1` })), SILENT)],
    ['another attempt has its id', 'other_payout', paid(says(transfer({ memo: `${PAYMENT}.2` })), SILENT)],
  ])('and not if %s', (_what, reason, decision) => expect(decision).toBe(reason));

  test.each<[Confirmation['state'], Confirmation, string]>([
    ['reverted', { state: 'reverted', height: 50n, feeUnits: 7n }, 'failed'],
    ['dead', { state: 'dead' }, 'not_found'],
  ])('and not if the chain proves it %s', (_state, confirmation, reason) => {
    expect(said(decidePaid(ATTEMPT, rail, { confirmation, reports: [says(null), says(null)] }))).toBe(reason);
  });
});

describe('a payout is dead', () => {
  test('past its last block, if neither endpoint has it', () => {
    expect(dead(says(null), says(null))).toBe('dead');
  });

  test('by the word of a person, past the last block of the endpoint that answers', () => {
    expect(dead(says(null), SILENT)).toBe('dead, vouched for');
  });

  test('as failed, with its fee, if it failed in a final block', () => {
    const confirmation: Confirmation = { state: 'reverted', height: 50n, feeUnits: 7n };
    const reports = [says(transfer({ block: { ...FINAL, succeeded: false } })), SILENT];
    expect(said(decideDead(ATTEMPT, { confirmation, reports }))).toBe('reverted');
  });

  test.each<[string, string, string]>([
    ['no endpoint answers', 'unread', dead(SILENT, SILENT)],
    ['it can still land', 'can_land', dead(says(null, 100n), SILENT)],
    ['it can still land by one of the endpoints', 'can_land', dead(says(null), says(null, 100n))],
    ['one endpoint has it in the pool', 'seen', dead(says(null), says(transfer({ block: null })))],
    ['one endpoint has it in a block', 'seen', dead(says(transfer()), SILENT)],
    [
      'one endpoint alone says that it failed',
      'seen',
      dead(says(transfer({ block: { ...FINAL, succeeded: false } })), SILENT),
    ],
  ])('and not if %s', (_what, reason, decision) => expect(decision).toBe(reason));

  test.each<[Confirmation['state'], Confirmation]>([
    ['finalized', { state: 'finalized', height: 50n, feeUnits: 7n }],
    ['pending', { state: 'pending', seen: 'pool' }],
  ])('and not if the chain has it %s', (_state, confirmation) => {
    expect(said(decideDead(ATTEMPT, { confirmation, reports: [says(null), says(null)] }))).toBe('seen');
  });
});

describe('another transaction', () => {
  const why = (seen: SeenTransfer | null): string =>
    whyNotBy(ATTEMPT, rail, 'other', [says(seen), SILENT]).reason ?? '';
  test.each<[string, SeenTransfer | null]>([
    ['not_found', null],
    ['other_payout', transfer({ memo: `${OTHER}.1` })],
    ['other_destination', transfer({ memo: 'by hand', to: 'sandbox:another' })],
    ['other_amount', transfer({ memo: 'by hand', units: 1n })],
    ['not_final', transfer({ memo: 'by hand', block: null })],
    ['other_transaction', transfer({ memo: 'by hand' })],
  ])('is refused as %s', (reason, seen) => expect(why(seen)).toBe(reason));

  test('is refused if nobody can look it up', () => {
    expect(whyNotBy(ATTEMPT, rail, 'other', [SILENT, SILENT]).reason).toBe('unread');
  });
});

const reports = fc.array(
  fc.oneof(
    fc.constant(SILENT),
    fc
      .record({ height: fc.bigInt(90n, 110n), has: fc.constantFrom('nothing', 'pool', 'block', 'final', 'failed') })
      .map(({ height, has }) =>
        says(
          has === 'nothing'
            ? null
            : transfer({
                block: has === 'pool' ? null : { ...FINAL, isFinal: has !== 'block', succeeded: has !== 'failed' },
              }),
          height,
        ),
      ),
  ),
  { minLength: 2, maxLength: 2 },
);

test('the word of a person never stands against an endpoint that answers', () => {
  fc.assert(
    fc.property(reports, (given) => {
      const answers = given.flatMap((one) => (one.outcome === 'known' ? [one.value] : []));
      const isPaid = decidePaid(ATTEMPT, rail, { confirmation: UNKNOWN, reports: given });
      const isDead = decideDead(ATTEMPT, { confirmation: UNKNOWN, reports: given });
      if (!('refused' in isPaid))
        expect(answers.every(({ transfer: seen }) => seen?.block?.isFinal && seen.block.succeeded)).toBe(true);
      if (!('refused' in isDead))
        expect(answers.every(({ transfer: seen, finalizedHeight }) => !seen && finalizedHeight > 100n)).toBe(true);
      for (const one of [isPaid, isDead]) if (!('refused' in one)) expect(answers).toHaveLength(one.isProven ? 2 : 1);
      expect('refused' in isPaid || 'refused' in isDead).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
