// Ends attempts, or lets them be watched on, by what their chains said. One transaction for a batch, every write by its fence. Money leaves the
// reserve only here, by what two endpoints agree on; an unknown answer changes nothing but the time of the next look.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock, Refused, Uuid } from '../kernel/index.ts';
import { refused } from '../kernel/index.ts';
import { systemAccountId } from '../ledger/index.ts';
import type { Item, OwnerRules } from '../payments/index.ts';
import { readOwned } from '../payments/index.ts';
import type { Confirmation } from '../rails/index.ts';
import type { Attempt, Sent } from './attempt.ts';
import { REVIEW_AFTER_MS } from './attempt.ts';
import type { AttemptChange } from './attempt-store.ts';
import { lockHeld, updateAttempts } from './attempt-store.ts';
import { insertAwaited } from './awaited-comparison-store.ts';
import { hourlySpendOf } from './guards/guard-book.ts';
import { giveBackPayoutSpend } from './guards/store.ts';
import { retryOrLeaveToFail } from './next-attempt.ts';
import type { PayoutBatch } from './payout-batch.ts';
import { openPayouts, walletKeys } from './payout-batch.ts';

/** What was found out about an attempt. */
export type Finding =
  | Confirmation
  /** The bytes themselves can never be accepted. */
  | { readonly state: 'invalid'; readonly reason: string }
  /** Its worker's lease is over and nothing was signed. */
  | { readonly state: 'lost' };

/** The decision of a person, with a reason for the record. */
export interface Resolution {
  readonly outcome: 'paid' | 'dead';
  /** Whether the chain proved it; otherwise the person vouches for it. */
  readonly proven: boolean;
  readonly reason: string;
}

export interface Found {
  readonly attempt: Attempt;
  readonly finding: Finding;
  /** The bytes were sent again. */
  readonly broadcast?: boolean;
  /** The chain was not asked, because it has let other calls time out: still due since then, so it comes before those that were asked. */
  readonly notAskedSince?: Date;
  /** If a person ends the attempt. */
  readonly resolution?: Resolution;
}

export interface EndOptions {
  readonly caller: Caller;
  readonly ownerRules: OwnerRules;
  readonly confirmEveryMs: number;
}

export interface EndReport {
  readonly settled: number;
  readonly returned: number;
  readonly reviewed: number;
  readonly open: number;
  /** Another worker has taken it over, or it has ended. */
  readonly lost: number;
}

const BUSY_FOR_MS = 1_000;

export async function endAttempts(
  tx: Transaction,
  clock: Clock,
  found: readonly Found[],
  options: EndOptions,
): Promise<EndReport> {
  const counts = { settled: 0, returned: 0, reviewed: 0, open: 0, lost: 0 };
  const held = new Map(
    (
      await lockHeld(
        tx,
        found.map(({ attempt }) => attempt),
      )
    ).map((attempt) => [attempt.id, attempt]),
  );
  const ours = found.filter(({ attempt }) => held.has(attempt.id));
  counts.lost = found.length - ours.length;
  if (ours.length === 0) return counts;
  const paying = ours.filter(({ finding }) => finding.state === 'finalized').map(({ attempt }) => attempt);
  const moving = ours.filter(({ finding }) => ENDS.has(finding.state));
  const keys = ours.map(({ attempt }) => ({ tenantId: attempt.tenantId, id: attempt.paymentId }));
  const owners = await ownersOf(tx, clock, paying, options.ownerRules);
  const batch = await openPayouts(tx, clock, {
    caller: options.caller,
    payments: keys,
    moves: new Set(paying.map(({ paymentId }) => paymentId)),
    wallets: moving.flatMap(({ attempt }) => (attempt.sent ? walletKeys(attempt, attempt.sent) : [])),
  });
  batch.owners = owners;
  const changes: AttemptChange[] = [];
  /** They count in no cap any more. */
  const unpaid: (Attempt & { readonly sent: Sent })[] = [];
  /** Dead because a person said so: the next attempt waits until their wallet has been compared with its chain. */
  const awaited: { tenantId: Uuid; paymentId: Uuid; number: number; chain: string }[] = [];
  for (const one of ours) {
    const attempt = held.get(one.attempt.id);
    const item = attempt && batch.item({ tenantId: attempt.tenantId, id: attempt.paymentId });
    if (!attempt || !item) continue;
    // Its schedule is held by another transaction: found again in a moment.
    if (owners?.busy.has(attempt.paymentId) && one.finding.state === 'finalized') {
      counts.open += 1;
      changes.push(watchOn(attempt, one, new Date(clock.now.getTime() + BUSY_FOR_MS)));
      continue;
    }
    const [change, outcome] = decide(batch, item, attempt, one, options);
    counts[outcome] += 1;
    changes.push(change);
    const { sent } = attempt;
    if (sent && (change.state === 'dead' || change.state === 'reverted')) unpaid.push({ ...attempt, sent });
    if (sent && one.resolution && change.state === 'dead') awaited.push({ ...attempt, chain: sent.chain });
  }
  await batch.write(tx);
  await updateAttempts(tx, changes);
  await insertAwaited(tx, awaited);
  await giveBackPayoutSpend(tx, unpaid.map(hourlySpendOf));
  return counts;
}

const ENDS: ReadonlySet<Finding['state']> = new Set<Finding['state']>(['finalized', 'reverted', 'dead', 'invalid']);

function decide(
  batch: PayoutBatch,
  item: Item,
  attempt: Attempt,
  { finding, broadcast = false, resolution, ...one }: Found,
  { caller, confirmEveryMs }: EndOptions,
): readonly [AttemptChange, 'settled' | 'returned' | 'reviewed' | 'open'] {
  const { now } = batch.clock;
  const { sent } = attempt;
  const ended = { ...attempt, checkAt: null, endedAt: now, broadcast, lastSeen: finding.state };
  if (finding.state === 'lost' || !sent) {
    if (sent) return [watchOn(attempt, { ...one, finding, broadcast }, soon(now, confirmEveryMs)), 'open'];
    const cause = refused('PAYOUT_NOT_SENT/worker_lost');
    retryOrLeaveToFail(batch, item, cause);
    return [{ ...ended, state: 'abandoned', ...codeOf(cause) }, 'returned'];
  }
  const { chain, signed } = sent;
  const transaction = signed.transactionId;
  const resolved = resolution ? { resolvedBy: caller.actor } : {};
  if (resolution) batch.tell(item, 'payment.resolved', { ...resolution, chain, transactionId: transaction });
  switch (finding.state) {
    case 'finalized':
      return [{ ...ended, ...resolved, state: 'finalized', ...settle(batch, item, attempt, sent, finding) }, 'settled'];
    case 'reverted': {
      const cause = refused('PAYOUT_NOT_LANDED/reverted', { transaction, chain });
      const feeId = takeFee(batch, attempt, sent, finding.feeUnits);
      releaseAmount(batch, attempt, sent);
      retryOrLeaveToFail(batch, item, cause);
      const { feeUnits: fee, height } = finding;
      return [{ ...ended, ...resolved, state: 'reverted', fee, height, feeId, ...codeOf(cause) }, 'returned'];
    }
    case 'dead':
    case 'invalid': {
      const cause = causeOfDeath(finding, resolution, chain, transaction);
      releaseAmountAndFee(batch, attempt, sent);
      retryOrLeaveToFail(batch, item, cause);
      return [{ ...ended, state: 'dead', ...codeOf(cause), ...resolved }, 'returned'];
    }
    case 'pending':
    case 'unknown': {
      const checkAt = one.notAskedSince ?? soon(now, confirmEveryMs);
      const next = watchOn(attempt, { ...one, finding, broadcast }, checkAt);
      if (!needsReview(attempt, sent, now)) return [next, 'open'];
      const minutes = REVIEW_AFTER_MS / 60_000;
      const cause = refused('PAYOUT_UNCONFIRMED', { transaction, chain, minutes });
      batch.change(item, 'review', codesOf(cause));
      batch.tell(item, 'payment.manual_review', {
        old: { status: 'submitted' },
        chain,
        transactionId: transaction,
        sentAt: sent.sentAt,
        code: cause.code,
        detail: cause.detail,
      });
      return [{ ...next, reviewedAt: now }, 'reviewed'];
    }
  }
}

function causeOfDeath(
  finding: Extract<Finding, { state: 'dead' | 'invalid' }>,
  resolution: Resolution | undefined,
  chain: string,
  transaction: string,
): Refused {
  if (finding.state === 'invalid')
    return refused('PAYOUT_NOT_LANDED/invalid', { transaction, chain, explanation: finding.reason });
  if (!resolution || resolution.proven) return refused('PAYOUT_NOT_LANDED/dead', { transaction, chain });
  return refused('PAYOUT_NOT_LANDED/resolved', { transaction, chain, explanation: resolution.reason });
}

/** Once: from then on it is watched in review. */
const needsReview = ({ reviewedAt }: Attempt, { sentAt }: Sent, now: Date): boolean =>
  reviewedAt === null && now.getTime() - sentAt.getTime() >= REVIEW_AFTER_MS;

const soon = (now: Date, confirmEveryMs: number): Date => new Date(now.getTime() + confirmEveryMs);

const watchOn = (
  attempt: Attempt,
  { finding, broadcast = false }: Omit<Found, 'attempt'>,
  checkAt: Date,
): AttemptChange => ({
  ...attempt,
  checkAt,
  broadcast,
  lastSeen: finding.state === 'pending' ? finding.seen : finding.state === 'unknown' ? finding.reason : finding.state,
  fee: null,
  height: null,
  endedAt: null,
});

const codeOf = ({ code, detail }: Refused): Pick<AttemptChange, 'code' | 'detail'> => ({ code, detail });
const codesOf = ({ code, detail }: Refused): { lastCode: string; lastDetail: string } => ({
  lastCode: code,
  lastDetail: detail,
});

/** The money moved: the payer's reservation is paid out, and the wallet has less. */
function settle(
  batch: PayoutBatch,
  item: Item,
  attempt: Attempt,
  sent: Sent,
  { feeUnits: fee, height }: { readonly feeUnits: bigint; readonly height: bigint },
): Pick<AttemptChange, 'fee' | 'height' | 'outflowId' | 'feeId'> {
  const before = item.payment.status;
  batch.payOut(item);
  const { tenantId, asset, amount } = attempt;
  const outflow = batch.book.bookHeld({
    ...fromWallet(tenantId, sent),
    asset,
    amount,
    kind: 'chain_outflow',
    description: sent.signed.transactionId,
  });
  const feeId = takeFee(batch, attempt, sent, fee);
  batch.change(item, 'settled', { captured: amount, lastCode: null, lastDetail: null });
  batch.tell(item, 'payment.settled', {
    old: { status: before },
    ...batch.attempted(item),
    chain: sent.chain,
    transactionId: sent.signed.transactionId,
    fee,
    feeAsset: sent.feeAsset,
  });
  batch.tellOwner(item);
  return { fee, height, outflowId: outflow.id, feeId };
}

const fromWallet = (
  tenantId: Uuid,
  { walletId }: Sent,
): { tenantId: Uuid; debitAccountId: Uuid; creditAccountId: Uuid } => ({
  tenantId,
  debitAccountId: walletId,
  creditAccountId: systemAccountId(tenantId, 'world'),
});

/** The fee that the chain took, out of what was held for it; the rest is available again. Returns the transfer, null without a fee. */
function takeFee({ book }: PayoutBatch, { tenantId }: Attempt, sent: Sent, fee: bigint): Uuid | null {
  const key = { tenantId, accountId: sent.walletId, asset: sent.feeAsset };
  const over = fee - sent.feeLimit;
  // A chain that takes more than the limit has taken it: it is booked, from what is available.
  if (over > 0n) book.holdTaken(key, over);
  else if (over < 0n) book.unhold(key, -over);
  if (fee === 0n) return null;
  const movement = { ...fromWallet(tenantId, sent), asset: sent.feeAsset, amount: fee, kind: 'chain_fee' };
  return book.bookHeld({ ...movement, description: sent.signed.transactionId }).id;
}

function releaseAmount(
  { book }: PayoutBatch,
  { tenantId, asset, amount }: Attempt,
  { walletId: accountId }: Sent,
): void {
  book.unhold({ tenantId, accountId, asset }, amount);
}

/** Nothing of it landed: the wallet keeps the amount and the fee. */
function releaseAmountAndFee(batch: PayoutBatch, attempt: Attempt, sent: Sent): void {
  releaseAmount(batch, attempt, sent);
  const { tenantId } = attempt;
  if (sent.feeLimit > 0n)
    batch.book.unhold({ tenantId, accountId: sent.walletId, asset: sent.feeAsset }, sent.feeLimit);
}

/** Most payouts have no owner, and nothing is asked. The owners come before the balances in the order of locks. */
async function ownersOf(
  tx: Transaction,
  clock: Clock,
  paying: readonly Attempt[],
  rules: OwnerRules,
): Promise<Awaited<ReturnType<OwnerRules['settle']>>> {
  if (paying.length === 0) return null;
  const owned = await readOwned(
    tx,
    paying.map(({ tenantId, paymentId }) => ({ tenantId, id: paymentId })),
  );
  return owned.length === 0 ? null : rules.settle(tx, clock, owned);
}
