// Chooses the chain of an attempt, and builds and signs its transfer. Outside any transaction, because both may ask chains; nothing is sent.
// Whatever goes wrong here goes wrong before anything was signed that could land: the attempt may fail, wait or be given up.
import type { Database, Transaction } from '../db/index.ts';
import type { Clock, Refused } from '../kernel/index.ts';
import { describeError, parseAsset, refused } from '../kernel/index.ts';
import type { PrepareRefusal, Rail } from '../rails/index.ts';
import type { Sent } from './attempt.ts';
import { CALL_TIMEOUT_MS, memoOf } from './attempt.ts';
import type { Begun } from './begin.ts';
import { refusedAmount } from './chains.ts';
import { allBarred } from './guards/bar.ts';
import type { ChooseRoute, Rails } from './ports.ts';
import type { OpenWalletOptions } from './wallet.ts';
import { openWallet } from './wallet.ts';

export interface PrepareOptions extends OpenWalletOptions {
  readonly rails: Rails;
  readonly chooseRoute: ChooseRoute;
  readonly readClock: (tx: Transaction) => Promise<Clock>;
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
): Promise<Prepared> {
  try {
    return await prepare(db, clock, begun, options);
  } catch (error) {
    // Counted: an attempt that always throws ends after its attempts.
    const cause = refused('PAYOUT_NOT_SENT/unexpected', { explanation: describeError(error) });
    return { begun, outcome: 'failed', cause };
  }
}

async function prepare(db: Database, clock: Clock, begun: Begun, options: PrepareOptions): Promise<Prepared> {
  const { payment, attempt } = begun;
  const { tenantId, payout, asset, amount } = payment;
  if (!payout) return { begun, outcome: 'refused', cause: refused('PAYOUT_NOT_SENT/worker_lost') };
  const barred = allBarred(Object.keys(payout.destinations), begun.barred);
  if (barred && !barred.passes) return { begun, outcome: 'refused', cause: barred.cause };
  if (barred) return { begun, outcome: 'waits', cause: barred.cause, until: barred.until };
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
        barred: Object.fromEntries(Object.entries(begun.barred).map(([chain, { cause }]) => [chain, cause.detail])),
      },
      clock,
    ),
  );
  if (choice.outcome === 'not_now') return { begun, outcome: 'waits', cause: choice.cause };
  if (choice.outcome === 'refused') return { begun, outcome: 'refused', cause: choice.cause };
  const { chain, feeLimitUnits, routeId } = choice;
  const onChain = begun.barred[chain];
  // A chooser that does not know of guards: nothing is signed for a chain that is barred.
  if (onChain) return { begun, outcome: 'waits', cause: onChain.cause };
  const rail = options.rails.of(chain, tenantId);
  const address = payout.destinations[chain];
  if (!rail || address === undefined)
    return { begun, outcome: 'waits', cause: refused('PAYOUT_WAITS/not_here', { chain }) };
  const never = refusedAmount(rail, { asset, amount });
  if (never) return { begun, outcome: 'refused', cause: never };
  const opened = await bounded(openWallet(db, clock, rail, payment, options));
  if (opened.outcome === 'unknown') return unreadable(begun, chain, opened.reason);
  const { wallet } = opened;
  const signed = await bounded(
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

/** Nothing was signed, so nothing was tried: an outage of an endpoint uses up no attempt. */
const unreadable = (begun: Begun, chain: string, reason: string): Prepared => ({
  begun,
  outcome: 'waits',
  cause: refused('PAYOUT_WAITS/unreadable', { chain, explanation: reason }),
});

/** An adapter whose call never ends must not hold the batch: what it would still answer is not used. */
export async function bounded<T>(work: Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
