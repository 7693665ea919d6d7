// Commits what was prepared, by fence: the signed bytes, their transaction id and last valid height, and what the wallet holds for them. Only
// what this transaction returns may be sent: the bytes of a worker whose lease is over were signed and are forgotten.
import type { Transaction } from '../db/index.ts';
import type { Clock, Refused } from '../kernel/index.ts';
import { SYSTEM, parseAsset, refused } from '../kernel/index.ts';
import type { Book } from '../ledger/index.ts';
import type { Payment } from '../payments/index.ts';
import { readTenantRules, windowStart } from '../payments/index.ts';
import type { Rail } from '../rails/index.ts';
import type { Attempt, Sent } from './attempt.ts';
import { deleteAttempts, lockHeld, updateAttempts } from './attempt-store.ts';
import type { AttemptChange } from './attempt-store.ts';
import { whyBarred } from './guards/barred-chains.ts';
import type { Barred } from './guards/guard-book.ts';
import { GuardBook, hourlySpendOf } from './guards/guard-book.ts';
import { addPayoutSpend, readGuards, readPayoutSpend } from './guards/store.ts';
import { failNow, retryOrLeaveToFail, waitUncounted } from './next-attempt.ts';
import { openPayouts, walletKeys } from './payout-batch.ts';
import type { Prepared } from './prepare.ts';
import type { Wallet } from './wallet-store.ts';
import { readWallets } from './wallet-store.ts';

/** An attempt whose bytes are committed: they may be sent. */
export interface Committed {
  readonly attempt: Attempt & { readonly sent: Sent };
  readonly rail: Rail;
}

export interface CommitReport {
  readonly committed: readonly Committed[];
  readonly counts: { submitted: number; waiting: number; retrying: number; failed: number; lost: number };
}

export async function commitPrepared(
  tx: Transaction,
  clock: Clock,
  prepared: readonly Prepared[],
  confirmEveryMs: number,
): Promise<CommitReport> {
  const counts = { submitted: 0, waiting: 0, retrying: 0, failed: 0, lost: 0 };
  if (prepared.length === 0) return { committed: [], counts };
  const held = await lockHeld(
    tx,
    prepared.map(({ begun }) => begun.attempt),
  );
  const attempts = new Map(held.filter(({ state }) => state === 'claimed').map((attempt) => [attempt.id, attempt]));
  const ours = prepared.filter(({ begun }) => attempts.has(begun.attempt.id));
  counts.lost = prepared.length - ours.length;
  if (ours.length === 0) return { committed: [], counts };
  const ready = ours.flatMap((one) =>
    one.outcome === 'ready' ? [{ tenantId: one.begun.payment.tenantId, accountId: one.sent.walletId }] : [],
  );
  const wallets = new Map((await readWallets(tx, ready)).map((wallet) => [wallet.accountId, wallet]));
  const { pauses } = await readTenantRules(tx, [...new Set(ours.map(({ begun }) => begun.payment.tenantId))]);
  const batch = await openPayouts(tx, clock, {
    caller: SYSTEM,
    payments: ours.map(({ begun }) => begun.payment),
    // Only what is given up releases anything of its payer.
    moves: new Set(ours.flatMap(({ outcome, begun }) => (outcome === 'refused' ? [begun.payment.id] : []))),
    wallets: ours.flatMap((one) => (one.outcome === 'ready' ? walletKeys(one.begun.payment, one.sent) : [])),
  });
  const guards = await openGuardBook(tx, clock, ours);
  // What can never be allowed fails with its next claim, which bars every chain.
  const barring = (one: Ready): Barred | null => whyBarred(guards, payoutOnChain(one), pauses, clock.now);
  const committed: Committed[] = [];
  const changes: AttemptChange[] = [];
  const takenBack: Attempt[] = [];
  for (const one of ours) {
    const attempt = attempts.get(one.begun.attempt.id);
    const item = batch.item(one.begun.payment);
    if (!attempt || !item) continue;
    const { code = null, detail = null } = one.outcome === 'ready' ? {} : one.cause;
    const abandoned = {
      ...attempt,
      state: 'abandoned',
      checkAt: null,
      lastSeen: null,
      code,
      detail,
      endedAt: clock.now,
    } as const;
    if (one.outcome === 'refused') {
      counts.failed += 1;
      changes.push(abandoned);
      failNow(batch, item, one.cause);
    } else if (one.outcome === 'failed') {
      counts.retrying += 1;
      changes.push(abandoned);
      retryOrLeaveToFail(batch, item, one.cause);
    } else {
      const barred = one.outcome === 'waits' ? { until: null, ...one } : barring(one);
      const cause =
        one.outcome === 'ready' && !barred
          ? hold(batch.book, wallets.get(one.sent.walletId), one)
          : (barred?.cause ?? null);
      if (cause || one.outcome === 'waits') {
        counts.waiting += 1;
        takenBack.push(attempt);
        waitUncounted(batch, item, cause ?? refused('PAYOUT_NOT_SENT/worker_lost'), barred?.until ?? null);
        continue;
      }
      counts.submitted += 1;
      guards.count(item.payment, one.sent.chain);
      const sent = { ...one.sent, sentAt: clock.now };
      const checkAt = new Date(clock.now.getTime() + confirmEveryMs);
      changes.push({ ...attempt, state: 'sent', sent, checkAt, lastSeen: 'committed', endedAt: null });
      committed.push({ attempt: { ...attempt, state: 'sent', sent }, rail: one.rail });
      batch.change(item, 'submitted', begunAgain(item.payment));
      batch.tell(item, 'payment.submitted', {
        old: { status: 'processing' },
        chain: sent.chain,
        transactionId: sent.signed.transactionId,
        destination: sent.address,
      });
    }
  }
  await batch.write(tx);
  await addPayoutSpend(
    tx,
    committed.map(({ attempt }) => hourlySpendOf(attempt)),
  );
  if (takenBack.length > 0) await deleteAttempts(tx, takenBack);
  if (changes.length > 0) await updateAttempts(tx, changes);
  return { committed, counts };
}

type Ready = Extract<Prepared, { outcome: 'ready' }>;

/** Under locks: what is not allowed any more is not signed for, and two batches cannot both use the last of a cap. After the balances. */
async function openGuardBook(tx: Transaction, clock: Clock, prepared: readonly Prepared[]): Promise<GuardBook> {
  const guards = await readGuards(
    tx,
    prepared.flatMap((one) => (one.outcome === 'ready' ? [payoutOnChain(one)] : [])),
    { lock: true },
  );
  return new GuardBook(guards, await readPayoutSpend(tx, guards.caps, windowStart(clock)));
}

const payoutOnChain = ({ begun: { payment }, sent: { chain, address } }: Ready) => ({
  tenantId: payment.tenantId,
  asset: payment.asset,
  amount: payment.amount,
  chain,
  address,
});

/** Sets aside what the transaction can take out of the wallet, or says why it cannot. */
function hold(book: Book, wallet: Wallet | undefined, { begun, sent }: Ready): Refused | null {
  const { payment } = begun;
  const { chain, feeLimit, feeAsset, walletId: accountId } = sent;
  if (!wallet) return refused('PAYOUT_WAITS/not_here', { chain });
  if (wallet.frozen) return refused('PAYOUT_WAITS/wallet_frozen', { chain, explanation: wallet.frozen.reason });
  const { tenantId, asset, amount } = payment;
  return book.allOrNothing(() => {
    for (const part of [
      { asset, amount },
      { asset: feeAsset, amount: feeLimit },
    ]) {
      if (part.amount === 0n) continue;
      const key = { tenantId, accountId, asset: part.asset };
      const denied = book.hold(key, part.amount);
      if (denied === null) continue;
      if (denied.code !== 'FUNDS_INSUFFICIENT') return denied;
      const available = { amount: book.balance(key)?.available ?? 0n, asset: parseAsset(part.asset).name };
      return refused('PAYOUT_WAITS/wallet_low', { chain, available, required: part });
    }
    return null;
  });
}

/** What it waited for is over; what made an earlier attempt fail is still to be seen. */
const begunAgain = ({ lastCode }: Payment): Partial<Payment> =>
  lastCode === 'PAYOUT_WAITS' ? { lastCode: null, lastDetail: null } : {};
