// Chooses the chain of an attempt, and builds and signs its transfer. Outside any transaction, because both may ask chains; nothing is sent.
// An error here comes before signed bytes are stored, and bytes that are not stored are never sent: the attempt can fail, wait or be abandoned.
import type { Database, Transaction } from '../db/index.ts';
import type { Clock, Refused } from '../kernel/index.ts';
import { describeError, parseAsset, refused } from '../kernel/index.ts';
import type { PrepareRefusal, Rail } from '../rails/index.ts';
import type { Sent } from './attempt.ts';
import { memoOf } from './attempt.ts';
import type { Begun } from './begin.ts';
import { BatchBounds, CallTimeout, bounded } from './bounded.ts';
import { refusedAmount } from './validate-for-chain.ts';
import type { BarredChains } from './guards/barred-chains.ts';
import { allBarred } from './guards/barred-chains.ts';
import { barredForNow } from './guards/guard-book.ts';
import type { ChooseRoute, Rails } from './ports.ts';
import type { OpenWalletOptions } from './wallet.ts';
import { openWallet } from './wallet.ts';

export interface PrepareOptions extends OpenWalletOptions {
  readonly rails: Rails;
  readonly chooseRoute: ChooseRoute;
  readonly readClock: (tx: Transaction) => Promise<Clock>;
  /** How long a call to a chain may take, in milliseconds. */
  readonly callTimeoutMs?: number;
}

export type Prepared = { readonly begun: Begun } & (
  | { readonly outcome: 'ready'; readonly sent: Omit<Sent, 'sentAt'>; readonly rail: Rail }
  /** Not now: no attempt is counted. */
  | { readonly outcome: 'waits'; readonly cause: Refused; readonly until?: Date | null }
  /** An attempt that failed: another one follows, or the end. */
  | { readonly outcome: 'failed'; readonly cause: Refused }
  /** It can never be paid. */
  | { readonly outcome: 'refused'; readonly cause: Refused }
);

export async function prepareAttempt(
  db: Database,
  clock: Clock,
  begun: Begun,
  options: PrepareOptions,
  bounds = new BatchBounds(),
): Promise<Prepared> {
  try {
    return await prepare(db, clock, begun, options, bounds);
  } catch (error) {
    if (error instanceof CallTimeout) return waitsForChains(begun, error.message);
    // Counted: an attempt that always throws ends after its attempts.
    const cause = refused('PAYOUT_NOT_SENT/unexpected', { explanation: describeError(error) });
    return { begun, outcome: 'failed', cause };
  }
}

async function prepare(
  db: Database,
  clock: Clock,
  begun: Begun,
  options: PrepareOptions,
  bounds: BatchBounds,
): Promise<Prepared> {
  const { payment, attempt } = begun;
  const { tenantId, payout, asset, amount } = payment;
  if (!payout) return { begun, outcome: 'refused', cause: refused('PAYOUT_NOT_SENT/worker_lost') };
  const { callTimeoutMs } = options;
  const barredNow = { ...begun.barred, ...silentAmong(Object.keys(payout.destinations), begun.barred, bounds) };
  const barred = allBarred(Object.keys(payout.destinations), barredNow);
  if (barred && !barred.isTemporary) return { begun, outcome: 'refused', cause: barred.cause };
  if (barred) return { begun, outcome: 'waits', cause: barred.cause, until: barred.until };
  if (bounds.isOver) return waitsForChains(begun, 'others of its batch took too long');
  const choice = await bounded(
    options.chooseRoute(
      {
        tenantId,
        paymentId: payment.id,
        attempt: attempt.number,
        asset,
        amount,
        destinations: payout.destinations,
        priority: payout.priority,
        quoteId: payout.quoteId,
        failedOn: begun.failedOn,
        barred: Object.fromEntries(Object.entries(barredNow).map(([chain, { cause }]) => [chain, cause.detail])),
      },
      clock,
    ),
    callTimeoutMs,
  );
  if (choice.outcome === 'not_now') return { begun, outcome: 'waits', cause: choice.cause };
  if (choice.outcome === 'refused') return { begun, outcome: 'refused', cause: choice.cause };
  const { chain, feeLimitUnits, routeId } = choice;
  const onChain = barredNow[chain];
  // A chooser that does not know of guards: nothing is signed for a chain that is barred.
  if (onChain) return { begun, outcome: 'waits', cause: onChain.cause };
  const rail = options.rails.of(chain, tenantId);
  const address = payout.destinations[chain];
  if (!rail || address === undefined)
    return { begun, outcome: 'waits', cause: refused('PAYOUT_WAITS/not_here', { chain }) };
  const never = refusedAmount(rail, { asset, amount });
  if (never) return { begun, outcome: 'refused', cause: never };
  const read = <T>(call: Promise<T>): Promise<T> =>
    bounded(call, callTimeoutMs).catch((error: unknown) => {
      bounds.note(error, chain);
      throw error;
    });
  const opened = await read(openWallet(db, clock, rail, payment, options));
  if (opened.outcome === 'unknown') return unreadable(begun, chain, opened.reason);
  const { wallet } = opened;
  const signed = await read(
    rail.prepare({ memo: memoOf(attempt), to: address, asset: parseAsset(asset), amount, feeLimitUnits }, clock),
  );
  if (signed.outcome === 'unknown') return unreadable(begun, chain, signed.reason);
  if (signed.outcome === 'refused') {
    const cause = refused('PAYOUT_NOT_SENT/cannot_build', { chain, explanation: EXPLAINED[signed.reason] });
    return { begun, outcome: 'refused', cause };
  }
  const { accountId: walletId, feeAsset } = wallet;
  // The scale of the fee asset is that of the chain's own unit (openWallet).
  const sent = { chain, address, walletId, feeAsset, feeLimit: feeLimitUnits, routeId, signed: signed.signed };
  return { begun, outcome: 'ready', sent, rail };
}

const EXPLAINED: Readonly<Record<PrepareRefusal, string>> = {
  address_invalid: 'the destination is no address of it',
  asset_unknown: 'it does not have the asset',
  amount_inexact: 'the amount would have to be rounded',
  amount_below_minimum: 'the amount is too small',
  memo_invalid: 'the memo has the wrong form',
};

/** Chains that have let a call of this batch time out. A reason that keeps a chain for good comes first. */
function silentAmong(chains: readonly string[], barred: BarredChains, bounds: BatchBounds): BarredChains {
  const silent = chains.filter((chain) => barred[chain] === undefined && bounds.isSilent(chain));
  return Object.fromEntries(silent.map((chain) => [chain, barredForNow(unread(chain, TIMEOUT))]));
}

/** As adapters name it. */
const TIMEOUT = 'timeout';

const unread = (chain: string, explanation: string): Refused =>
  refused('PAYOUT_WAITS/unreadable', { chain, explanation });

const waitsForChains = (begun: Begun, explanation: string): Prepared => ({
  begun,
  outcome: 'waits',
  cause: refused('PAYOUT_WAITS/no_chain', { explanation }),
});

/** Nothing was signed, so nothing was tried: an outage of an endpoint uses up no attempt. */
const unreadable = (begun: Begun, chain: string, reason: string): Prepared => ({
  begun,
  outcome: 'waits',
  cause: unread(chain, reason),
});
