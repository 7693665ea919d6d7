// Begins attempts of due payouts: one transaction that takes the due rows, reserves what is not reserved yet, and leases an attempt for each
// payout that may begin. What ends or waits instead is decided by payments (begin-payout.ts). Nothing outside is called here.
import type { Sql, Transaction } from '../db/index.ts';
import type { Clock, Refused, Uuid } from '../kernel/index.ts';
import { SYSTEM, newId, refused } from '../kernel/index.ts';
import type { BeginOutcome, Cause, DueRow, OwnerRules, Payment } from '../payments/index.ts';
import {
  beginPayout,
  closedAmong,
  countsWhenPaid,
  inOrder,
  loadItems,
  openBatchOf,
  readTenantRules,
  retryPolicyOf,
  withoutTaken,
  writeBatch,
} from '../payments/index.ts';
import type { Pauses } from '../tenants/index.ts';
import type { Attempt } from './attempt.ts';
import { LEASE_MS } from './attempt.ts';
import { failedChains, insertAttempts, shownAttempts } from './attempt-store.ts';
import { readAwaited } from './awaited-comparison-store.ts';
import type { BarredChains } from './guards/barred-chains.ts';
import { barredChains } from './guards/barred-chains.ts';

/** A payout whose attempt is leased to this worker. */
export interface Begun {
  readonly payment: Payment;
  readonly attempt: Attempt;
  /** Chains on which an earlier attempt ended without paying. */
  readonly failedOn: readonly string[];
  /** Chains that it may not take now: paused, not allowed, or beyond a cap. */
  readonly barred: BarredChains;
}

export interface BeginOptions {
  readonly simulateFailures: number;
  readonly ownerRules: OwnerRules;
}

export const NONE_BEGUN: Readonly<Record<BeginOutcome, number>> = {
  begun: 0,
  settled: 0,
  retrying: 0,
  failed: 0,
  expired: 0,
  cancelled: 0,
  blocked: 0,
  deferred: 0,
};

export interface BegunBatch {
  readonly begun: readonly Begun[];
  readonly counts: Readonly<Record<BeginOutcome, number>>;
}

export async function beginAttempts(
  tx: Transaction,
  clock: Clock,
  rows: readonly DueRow[],
  { simulateFailures, ownerRules }: BeginOptions,
): Promise<BegunBatch> {
  const counts = { ...NONE_BEGUN };
  if (rows.length === 0) return { begun: [], counts };
  const free = await withoutTaken(tx, clock, rows);
  counts.deferred += rows.length - free.length;
  const [{ pauses, limits }, items] = await tx.together([
    () => readTenantRules(tx, [...new Set(free.map((row) => row.tenantId))]),
    () => loadItems(tx, free),
  ]);
  const batch = await openBatchOf(tx, clock, items, {
    caller: SYSTEM,
    pays: false,
    holds: true,
    limits,
    counts: countsWhenPaid,
  });
  const owned = items.flatMap(({ payment: { tenantId, id, owner } }) => (owner ? [{ tenantId, id, owner }] : []));
  const ownerEnded = await ownerRules.attempt(tx, clock, owned);
  const payouts = items.map(({ payment }) => payment);
  const awaits = await awaitedBy(tx, payouts);
  const lastEnds = await lastEndsOf(tx, payouts);
  const closed = await closedAmong(tx, batch, items);
  const rules = { pauses, closed, simulateFailures, ownerEnded, awaits, lastEnds };
  const begun: Payment[] = [];
  for (const item of items.toSorted(inOrder)) {
    const outcome = beginPayout(batch, item, rules);
    counts[outcome] += 1;
    if (outcome === 'begun') begun.push(item.payment);
  }
  await writeBatch(tx, batch);
  return { begun: await leased(tx, clock, begun, pauses), counts };
}

/** Payouts with an attempt that a person resolved as dead, until a comparison has shown that it did not land. */
async function awaitedBy(tx: Transaction, payouts: readonly Payment[]): Promise<Map<Uuid, Refused>> {
  const found = await readAwaited(tx, payouts);
  return new Map(
    found.map(({ paymentId, number, chain, transactionId: transaction, isSeen, frozen }) => {
      if (frozen !== null) return [paymentId, refused('PAYOUT_WAITS/wallet_frozen', { chain, explanation: frozen })];
      const reason = isSeen ? 'PAYOUT_WAITS/seen_after_all' : 'PAYOUT_WAITS/not_compared';
      return [paymentId, refused(reason, { chain, number, transaction })];
    }),
  );
}

/** A payout that waited after its last attempt fails by the cause of that attempt. */
async function lastEndsOf(tx: Sql, payouts: readonly Payment[]): Promise<Map<Uuid, Cause>> {
  const waited = payouts.filter(
    (payment) => payment.lastCode === 'PAYOUT_WAITS' && payment.attempts >= retryPolicyOf(payment).maxAttempts,
  );
  const attempts = await shownAttempts(tx, waited);
  return new Map(
    attempts.flatMap(({ paymentId, code, detail }) =>
      code === null || detail === null ? [] : [[paymentId, { code, detail }] as const],
    ),
  );
}

async function leased(tx: Sql, clock: Clock, payments: readonly Payment[], pauses: Pauses): Promise<Begun[]> {
  if (payments.length === 0) return [];
  const barred = await barredChains(tx, clock, payments, pauses);
  const failed = await failedChains(tx, payments);
  const attempts = await insertAttempts(
    tx,
    payments.map((payment) => ({
      tenantId: payment.tenantId,
      paymentId: payment.id,
      id: newId(),
      clockId: payment.clockId,
      payerId: payment.payerId,
      asset: payment.asset,
      amount: payment.amount,
      claimedAt: clock.now,
      checkAt: new Date(clock.now.getTime() + LEASE_MS),
    })),
  );
  const byPayment = new Map<Uuid, Attempt>(attempts.map((attempt) => [attempt.paymentId, attempt]));
  return payments.flatMap((payment) => {
    const attempt = byPayment.get(payment.id);
    return attempt
      ? [{ payment, attempt, failedOn: failed.get(payment.id) ?? [], barred: barred.get(payment.id) ?? {} }]
      : [];
  });
}
