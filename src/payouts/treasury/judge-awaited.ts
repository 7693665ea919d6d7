// Attempts that a person resolved as dead: a comparison ends their wait if it shows that they did not land. It shows it only if its block is at or after the
// last that could include the transaction, its books do not expect the transaction, and neither endpoint has it: coins that came in can make up for coins that left.
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { Rail } from '../../rails/index.ts';
import type { AwaitedComparison } from '../awaited-comparison-store.ts';
import { deleteAwaited, markSeen } from '../awaited-comparison-store.ts';
import { hasFailed } from '../evidence.ts';
import type { AskOptions, WalletComparison } from './compare-wallet.ts';
import { ask } from './compare-wallet.ts';

export async function judgeAwaitedComparisons(
  db: Database,
  clock: Clock,
  rail: Rail,
  { compared, awaited }: WalletComparison,
  asking: AskOptions,
): Promise<void> {
  const isEven = ({ asset, feeAsset, lastValidHeight }: AwaitedComparison): boolean =>
    [asset, feeAsset].every((name) =>
      compared.some((one) => one.asset === name && one.verdict === 'even' && (one.height ?? -1n) >= lastValidHeight),
    );
  const absent: AwaitedComparison[] = [];
  const seen: AwaitedComparison[] = [];
  for (const one of awaited.filter(isEven)) {
    const reports = (await ask(rail, () => rail.lookUp(one.transactionId, clock), asking)) ?? [];
    const answers = reports.flatMap((report) => (report.outcome === 'known' ? [report.value] : []));
    if (answers.some(({ transfer }) => transfer !== null && !hasFailed(transfer))) seen.push(one);
    else if (answers.length > 0 && answers.length === reports.length) absent.push(one);
  }
  await markSeen(db, seen);
  await deleteAwaited(db, absent);
}
