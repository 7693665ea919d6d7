// Work on a batch in one transaction; after an error by tenant, and then each alone, so that one that throws does not keep the others. A tenant whose rows another
// transaction holds is waited for a few times, not once for each of its payouts: the leases of all others pass meanwhile.
import { isContention } from '../db/index.ts';

export interface Work<T, R> {
  readonly tenantOf: (item: T) => string;
  readonly work: (items: readonly T[]) => Promise<R>;
  /** For one that threw alone. */
  readonly failed: (item: T, error: unknown) => Promise<R>;
  /** For one that was not tried, because rows of its tenant are locked. */
  readonly left: (item: T) => R;
}

const MOST_WAITS = 2;

export async function togetherOrAlone<T, R>(items: readonly T[], how: Work<T, R>): Promise<R[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    return [await how.work(items)];
  } catch (error) {
    if (items.length === 1) return [await how.failed(first, error)];
  }
  const tenants = [...Map.groupBy(items, how.tenantOf).values()];
  const results: R[] = [];
  if (tenants.length > 1) {
    for (const own of tenants) results.push(...(await togetherOrAlone(own, how)));
    return results;
  }
  let waits = 0;
  for (const item of items) {
    if (waits >= MOST_WAITS) {
      results.push(how.left(item));
      continue;
    }
    try {
      results.push(await how.work([item]));
    } catch (error) {
      if (isContention(error)) waits += 1;
      results.push(await how.failed(item, error));
    }
  }
  return results;
}
