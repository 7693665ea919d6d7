// The loop `treasury`: compares every wallet with its chain, and freezes one that differs. A difference counts only if a second reading, taken at once, finds the
// same: what moved between two statements of the first one has ended by then.
import type { Database, Transaction } from '../../db/index.ts';
import { readLiveClock } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, LoopDefinition } from '../../kernel/index.ts';
import { SYSTEM, firstIdAt, formatAmount } from '../../kernel/index.ts';
import { passingClock } from '../../tenants/index.ts';
import { inParallel } from '../in-parallel.ts';
import type { Rails } from '../ports.ts';
import { deleteQuotes } from '../quotes/index.ts';
import type { Wallet } from '../wallet-store.ts';
import { findWallet } from '../wallet-store.ts';
import { compareWallet } from './compare-wallet.ts';
import type { Compared } from './store.ts';
import { claimWallets, freezeWallet, writeCompared } from './store.ts';

export interface TreasuryOptions {
  readonly rails: Rails;
  /** Between two comparisons of a wallet, in milliseconds; default 60,000. */
  readonly reconcileEveryMs?: number | undefined;
  /** Called when the comparison of a wallet threw. */
  readonly onTrouble?: (tenantId: string, error: unknown) => void;
}

const EVERY_MS = 60_000;
const AT_ONCE = 100;
const PARALLEL = 4;
/** Quotes that nobody accepted are removed here, too: it is the one loop of the treasury that always runs. */
const QUOTES_KEPT_MS = 24 * 3_600_000;
const QUOTES_AT_ONCE = 1_000;

export function treasuryLoop(db: Database, options: TreasuryOptions): LoopDefinition {
  const { rails, reconcileEveryMs: everyMs = EVERY_MS } = options;
  return {
    name: 'treasury',
    pollMs: Math.min(everyMs, EVERY_MS),
    async runOnce(_signal, resident) {
      if (rails.chains.length === 0) return { counts: { compared: 0 } };
      const claimed = await claimWallets(db, rails.chains, everyMs, AT_ONCE, { now: !resident });
      const verdicts = await inParallel(claimed, PARALLEL, (key) =>
        compareOne(db, key, options).catch((error: unknown) => {
          options.onTrouble?.(key.tenantId, error);
          return null;
        }),
      );
      const counts = { compared: 0, different: 0, frozen: 0, quotes: 0 };
      for (const verdict of verdicts) {
        if (verdict === null) continue;
        counts.compared += 1;
        if (verdict.isDifferent) counts.different += 1;
        if (verdict.isNew) counts.frozen += 1;
      }
      const { now } = await readLiveClock(db);
      counts.quotes = await deleteQuotes(db, firstIdAt(new Date(now.getTime() - QUOTES_KEPT_MS)), QUOTES_AT_ONCE);
      return { counts, more: resident && claimed.length === AT_ONCE };
    },
  };
}

interface Outcome {
  readonly isDifferent: boolean;
  /** The wallet was frozen by this comparison. */
  readonly isNew: boolean;
}

async function compareOne(
  db: Database,
  { tenantId, chain }: { readonly tenantId: string; readonly chain: string },
  { rails }: TreasuryOptions,
): Promise<Outcome | null> {
  const wallet = await findWallet(db, tenantId, chain);
  const rail = rails.of(chain, tenantId);
  if (!wallet || !rail) return null;
  const clock = (await passingClock(db, tenantId)) ?? (await readLiveClock(db));
  const first = await compareWallet(db, clock, wallet, rail);
  const second = first.some(isDifferent) ? await compareWallet(db, clock, wallet, rail) : first;
  const compared = second.map((one) => confirmed(one, first));
  await writeCompared(db, wallet, compared);
  const found = compared.filter(isDifferent);
  if (found.length === 0) return { isDifferent: false, isNew: false };
  const isNew = await db.transaction((tx) => freeze(tx, clock, wallet, found));
  return { isDifferent: true, isNew };
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
  type: 'treasury_wallet.frozen' | 'treasury_wallet.unfrozen',
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await appendEvents(tx, [
    { ...caller, tenantId, type, resource: 'treasury_wallet', resourceId: accountId, data, occurredAt: clock.now },
  ]);
}
