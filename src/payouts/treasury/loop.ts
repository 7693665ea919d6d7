// The loop `treasury`: compares every wallet with its chain, and freezes one that differs. A difference counts only if a second comparison, made at once, finds
// the same: what moved between two statements of the first one has ended by then. A comparison that was overtaken, by another one or by an unfreeze, writes nothing.
import type { Database, Transaction } from '../../db/index.ts';
import { readLiveClock } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, LoopDefinition } from '../../kernel/index.ts';
import { SYSTEM, firstIdAt, formatAmount } from '../../kernel/index.ts';
import { passingClock } from '../../tenants/index.ts';
import { BatchBounds } from '../bounded.ts';
import { inParallel } from '../in-parallel.ts';
import type { Rails } from '../ports.ts';
import { deleteQuotes } from '../quotes/index.ts';
import type { Wallet } from '../wallet-store.ts';
import { findWallet } from '../wallet-store.ts';
import { judgeAwaitedComparisons } from './judge-awaited.ts';
import type { AskOptions } from './compare-wallet.ts';
import { compareWallet } from './compare-wallet.ts';
import type { ClaimedWallet, Compared } from './store.ts';
import { claimWallets, freezeWallet, lockClaim, returnWallets, writeCompared } from './store.ts';

export interface TreasuryOptions {
  readonly rails: Rails;
  /** Between two comparisons of a wallet, in milliseconds; default 60,000. */
  readonly reconcileEveryMs?: number | undefined;
  /** How long a call to a chain may take, in milliseconds. */
  readonly callTimeoutMs?: number | undefined;
  /** Called when the comparison of a wallet threw. */
  readonly onTrouble?: (tenantId: string, error: unknown) => void;
}

const COMPARE_EVERY_MS = 60_000;
/** A wallet that a payout waits for is compared before its interval. */
const POLL_MS = 15_000;
const WALLETS_AT_ONCE = 100;
/** Of one chain. */
const COMPARED_IN_PARALLEL = 4;
/** After it no call to a chain begins in a run, so that a slow one does not hold the wallets of the others. */
const RUN_MS = 60_000;
/** Quotes that were not accepted are removed here too, so that they need no loop. */
const QUOTES_KEPT_MS = 24 * 3_600_000;
const QUOTES_AT_ONCE = 1_000;

export function treasuryLoop(db: Database, options: TreasuryOptions): LoopDefinition {
  const { rails, reconcileEveryMs: everyMs = COMPARE_EVERY_MS } = options;
  return {
    name: 'treasury',
    pollMs: Math.min(everyMs, POLL_MS),
    async runOnce(_signal, resident) {
      if (rails.chains.length === 0) return { counts: { compared: 0 } };
      const claimed = await claimWallets(db, rails.chains, everyMs, WALLETS_AT_ONCE, { now: !resident });
      // Each chain by itself: one that hangs holds its own wallets only, and is not asked again in this run.
      const chains = [...Map.groupBy(claimed, ({ chain }) => chain).values()];
      const results = await Promise.all(chains.map((claims) => compareAll(db, claims, options)));
      const verdicts = results.flatMap(({ outcomes }) => outcomes);
      const left = results.flatMap(({ notAsked }) => notAsked);
      await returnWallets(db, left);
      const counts = { compared: 0, different: 0, frozen: 0, quotes: 0 };
      for (const verdict of verdicts) {
        counts.compared += 1;
        if (verdict.isDifferent) counts.different += 1;
        if (verdict.isNewlyFrozen) counts.frozen += 1;
      }
      const { now } = await readLiveClock(db);
      counts.quotes = await deleteQuotes(db, firstIdAt(new Date(now.getTime() - QUOTES_KEPT_MS)), QUOTES_AT_ONCE);
      return { counts, more: resident && claimed.length === WALLETS_AT_ONCE && left.length === 0 };
    },
  };
}

/** Wallets of one chain. */
async function compareAll(
  db: Database,
  claims: readonly ClaimedWallet[],
  options: TreasuryOptions,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly notAsked: readonly ClaimedWallet[] }> {
  const bounds = new BatchBounds(RUN_MS);
  const outcomes: Outcome[] = [];
  const notAsked: ClaimedWallet[] = [];
  await inParallel(claims, COMPARED_IN_PARALLEL, async (claim) => {
    if (bounds.isOver || bounds.isSilent(claim.chain)) {
      notAsked.push(claim);
      return;
    }
    try {
      const outcome = await compareOne(db, claim, options.rails, { bounds, callTimeoutMs: options.callTimeoutMs });
      if (outcome) outcomes.push(outcome);
    } catch (error) {
      options.onTrouble?.(claim.tenantId, error);
    }
  });
  return { outcomes, notAsked };
}

interface Outcome {
  readonly isDifferent: boolean;
  /** The wallet was frozen by this comparison. */
  readonly isNewlyFrozen: boolean;
}

/** Null: nothing was compared, or the comparison was overtaken. */
async function compareOne(
  db: Database,
  claim: ClaimedWallet,
  rails: Rails,
  asking: AskOptions,
): Promise<Outcome | null> {
  const { tenantId, chain } = claim;
  const wallet = await findWallet(db, tenantId, chain);
  const rail = rails.of(chain, tenantId);
  if (!wallet || !rail) return null;
  const clock = (await passingClock(db, tenantId)) ?? (await readLiveClock(db));
  const first = await compareWallet(db, clock, wallet, rail, asking);
  const second = first.compared.some(isDifferent) ? await compareWallet(db, clock, wallet, rail, asking) : first;
  const compared = second.compared.map((one) => ({ ...one, ...confirmed(one, first.compared) }));
  const found = compared.filter(isDifferent);
  const outcome = await db.transaction(async (tx) => {
    if (!(await lockClaim(tx, claim))) return null;
    await writeCompared(tx, wallet, compared);
    const isNewlyFrozen = found.length > 0 && (await freeze(tx, clock, wallet, found));
    return { isDifferent: found.length > 0, isNewlyFrozen };
  });
  if (outcome) await judgeAwaitedComparisons(db, clock, rail, { compared, awaited: second.awaited }, asking);
  return outcome;
}

const isDifferent = ({ verdict }: Compared): boolean => verdict === 'different';

function confirmed(one: Compared, first: readonly Compared[]): Compared {
  const before = first.find(({ asset }) => asset === one.asset);
  const isSame = before?.verdict === 'different' && differenceOf(before) === differenceOf(one);
  return one.verdict !== 'different' || isSame ? one : { ...one, verdict: 'open' };
}

export const differenceOf = ({ onChain = null, expected = null }: Partial<Compared>): bigint =>
  onChain === null || expected === null ? 0n : onChain - expected;

async function freeze(tx: Transaction, clock: Clock, wallet: Wallet, found: readonly Compared[]): Promise<boolean> {
  const { chain } = wallet;
  const sentences = found.map(
    ({ asset, onChain, expected }) =>
      `${chain} has ${formatAmount(onChain ?? 0n, asset)} and the books expect ${formatAmount(expected ?? 0n, asset)}`,
  );
  if (!(await freezeWallet(tx, wallet, clock.now, sentences.join('; ')))) return false;
  await emitWalletEvent(tx, clock, SYSTEM, wallet, 'treasury_wallet.frozen', {
    chain,
    differences: found.map((one) => ({
      asset: one.asset,
      onChain: String(one.onChain),
      expected: String(one.expected),
      difference: String(differenceOf(one)),
    })),
  });
  return true;
}

export async function emitWalletEvent(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { tenantId, accountId }: Pick<Wallet, 'tenantId' | 'accountId'>,
  type: 'treasury_wallet.frozen' | 'treasury_wallet.unfrozen' | 'treasury_wallet.floor_set',
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await appendEvents(tx, [
    { ...caller, tenantId, type, resource: 'treasury_wallet', resourceId: accountId, data, occurredAt: clock.now },
  ]);
}
