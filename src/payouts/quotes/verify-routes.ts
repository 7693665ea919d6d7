// Computes every stored choice again: what `usance verify` reports as "routes-replay". A quote or a route whose inputs give another chain or score was changed, or was chosen by
// rules that changed without a new version.
import type { Database } from '../../db/index.ts';
import { NIL_UUID } from '../../kernel/index.ts';
import type { CheckResult } from '../../ledger/index.ts';
import { replays } from '../../rails/index.ts';
import { choicesAfter } from './store.ts';

const AT_ONCE = 1_000;
const MOST_OFFENDERS = 100;

export async function verifyRoutes(db: Database): Promise<CheckResult> {
  const offenders: CheckResult['offenders'][number][] = [];
  let rows = 0n;
  for (const kind of ['quote', 'route'] as const) {
    let after = { tenantId: NIL_UUID, id: NIL_UUID };
    for (;;) {
      const slice = await choicesAfter(db, kind, after, AT_ONCE);
      rows += BigInt(slice.length);
      for (const choice of slice) {
        if (replays(choice) || offenders.length >= MOST_OFFENDERS) continue;
        offenders.push({ tenantId: choice.tenantId, asset: choice.asset, details: { [kind]: choice.id } });
      }
      const last = slice.at(-1);
      if (!last || slice.length < AT_ONCE) break;
      after = last;
    }
  }
  return {
    name: 'routes-replay',
    kind: 'bookkeeping',
    says: 'the stored inputs of every quote and route give its stored choice',
    rows,
    offenders,
  };
}
