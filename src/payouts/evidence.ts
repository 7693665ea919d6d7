// What a chain says about a transaction that a person wants to resolve a payout by, and whether that is enough. Two endpoints that agree prove an
// outcome. The word of a person stands in for an endpoint that does not answer, never against one that does.
import type { Refused, Uuid } from '../kernel/index.ts';
import { isUuid, parseAsset, refused } from '../kernel/index.ts';
import type { Confirmation, EndpointReport, Rail, Reading, SeenTransfer } from '../rails/index.ts';
import { toChainUnits } from '../rails/index.ts';
import type { Attempt, Sent } from './attempt.ts';
import { memoOf } from './attempt.ts';

export type SentAttempt = Attempt & { readonly sent: Sent };

export interface Evidence {
  readonly confirmation: Confirmation;
  readonly reports: readonly Reading<EndpointReport>[];
}

export type ResolutionDecision =
  | {
      readonly finding: Extract<Confirmation, { state: 'finalized' | 'reverted' | 'dead' }>;
      /** Whether two endpoints agree; otherwise a person vouches for the outcome. */
      readonly isProven: boolean;
    }
  | { readonly refused: Refused };

const no = (detail: Refused): ResolutionDecision => ({ refused: detail });

/** Whether the transaction of the attempt has paid. */
export function decidePaid(attempt: SentAttempt, rail: Rail, { confirmation, reports }: Evidence): ResolutionDecision {
  const { chain, signed } = attempt.sent;
  const about = { param: 'transactionId', transaction: signed.transactionId, chain } as const;
  const answers = known(reports);
  for (const { transfer } of answers) {
    const mismatch = transfer && mismatchOf(attempt, rail, transfer, signed.transactionId);
    if (mismatch) return no(mismatch);
  }
  if (confirmation.state === 'finalized') return { finding: confirmation, isProven: true };
  if (confirmation.state === 'reverted') return no(refused('PAYOUT_RESOLUTION_REFUSED/failed', about));
  if (confirmation.state === 'dead') return no(refused('PAYOUT_RESOLUTION_REFUSED/not_found', about));
  if (answers.length === 0) return no(unread(chain, reports));
  const blocks = answers.map(({ transfer }) => transfer?.block ?? null);
  if (answers.every(({ transfer }) => transfer === null))
    return no(refused('PAYOUT_RESOLUTION_REFUSED/not_found', about));
  if (blocks.some((block) => block?.isFinal && !block.succeeded))
    return no(refused('PAYOUT_RESOLUTION_REFUSED/failed', about));
  const [first] = blocks;
  const agree = blocks.every(
    (block) => block?.isFinal && block.height === first?.height && block.feeUnits === first.feeUnits,
  );
  if (!first || !agree) return no(refused('PAYOUT_RESOLUTION_REFUSED/not_final', about));
  const { height, feeUnits } = first;
  return { finding: { state: 'finalized', height, feeUnits }, isProven: blocks.length > 1 };
}

/** Whether the transaction of the attempt has not paid, and never will. */
export function decideDead({ sent }: SentAttempt, { confirmation, reports }: Evidence): ResolutionDecision {
  const { chain, signed } = sent;
  const { transactionId: transaction, lastValidHeight } = signed;
  const answers = known(reports);
  const isSeen = answers.some(({ transfer }) => transfer !== null && !hasFailed(transfer));
  if (confirmation.state === 'finalized' || confirmation.state === 'pending' || isSeen)
    return no(refused('PAYOUT_RESOLUTION_REFUSED/seen', { param: 'outcome', transaction, chain }));
  if (confirmation.state === 'reverted' || confirmation.state === 'dead')
    return { finding: confirmation, isProven: true };
  if (answers.length === 0) return no(unread(chain, reports));
  if (answers.some(({ transfer }) => transfer !== null))
    return no(refused('PAYOUT_RESOLUTION_REFUSED/seen', { param: 'outcome', transaction, chain }));
  const heights = answers.map(({ finalizedHeight }) => finalizedHeight);
  const least = heights.reduce((low, height) => (height < low ? height : low));
  if (least <= lastValidHeight) {
    const numbers = { finalizedHeight: String(least), lastValidHeight: String(lastValidHeight) };
    return no(refused('PAYOUT_RESOLUTION_REFUSED/can_land', { param: 'outcome', transaction, chain, ...numbers }));
  }
  return { finding: { state: 'dead' }, isProven: answers.length > 1 };
}

/** Why another transaction than the one of the live attempt does not resolve the payout. */
export function whyNotBy(
  attempt: SentAttempt,
  rail: Rail,
  transaction: string,
  reports: readonly Reading<EndpointReport>[],
): Refused {
  const { chain, signed } = attempt.sent;
  const answers = known(reports);
  if (answers.length === 0) return unread(chain, reports);
  const seen = answers.flatMap(({ transfer }) => transfer ?? []);
  const [first] = seen;
  const about = { param: 'transactionId', transaction, chain } as const;
  if (!first) return refused('PAYOUT_RESOLUTION_REFUSED/not_found', about);
  const mismatch = seen
    .map((transfer) => mismatchOf(attempt, rail, transfer, transaction))
    .find((each) => each !== null);
  if (mismatch) return mismatch;
  if (!first.block?.isFinal) return refused('PAYOUT_RESOLUTION_REFUSED/not_final', about);
  return refused('PAYOUT_RESOLUTION_REFUSED/other_transaction', { ...about, own: signed.transactionId });
}

/** What of a transaction on the chain is not of the attempt; null: nothing. */
function mismatchOf(attempt: SentAttempt, rail: Rail, transfer: SeenTransfer, transaction: string): Refused | null {
  const { sent, asset, amount, paymentId } = attempt;
  const about = { param: 'transactionId', transaction, chain: sent.chain } as const;
  const payment = paymentOfMemo(transfer.memo);
  if (payment !== null && payment !== paymentId) return refused('PAYOUT_RESOLUTION_REFUSED/other_payout', about);
  if (transfer.to !== sent.address)
    return refused('PAYOUT_RESOLUTION_REFUSED/other_destination', { ...about, destination: sent.address });
  const { code, scale } = parseAsset(asset);
  const decimals = rail.assets.find((one) => one.code === code)?.decimals;
  const units = decimals === undefined ? null : toChainUnits(amount, scale, decimals);
  if (transfer.asset !== code || transfer.units !== units)
    return refused('PAYOUT_RESOLUTION_REFUSED/other_amount', { ...about, amount: { amount, asset } });
  // The id is a hash of the bytes, so a transaction with the id of the attempt has its memo.
  return transaction === sent.signed.transactionId && transfer.memo !== memoOf(attempt)
    ? refused('PAYOUT_RESOLUTION_REFUSED/other_payout', about)
    : null;
}

function paymentOfMemo(memo: string): Uuid | null {
  const [id = ''] = memo.split('.');
  return isUuid(id) ? id : null;
}

export const hasFailed = ({ block }: SeenTransfer): boolean => block !== null && block.isFinal && !block.succeeded;

const known = (reports: readonly Reading<EndpointReport>[]): EndpointReport[] =>
  reports.flatMap((one) => (one.outcome === 'known' ? [one.value] : []));

function unread(chain: string, reports: readonly Reading<EndpointReport>[]): Refused {
  const reasons = reports.flatMap((one) => (one.outcome === 'unknown' ? [one.reason] : []));
  return refused('PAYOUT_RESOLUTION_REFUSED/unread', { chain, explanation: [...new Set(reasons)].join(', ') });
}
