// A dry run: verbs do everything in a transaction that is always rolled back. It answers what they answered, with the postings and
// event types that they wrote. Idempotency keys play no part: none is read, locked or stored.
import type { Posting, Uuid } from '../kernel/index.ts';
import { BrokenInvariant } from '../kernel/index.ts';
import { accountRefs } from './account-store.ts';
import type { DryContext, ReadClock, Verbs } from './verb-context.ts';
import { underKey } from './verb-context.ts';
import type { VerbContext } from './verbs.ts';

export interface DryRun<T> {
  /** What the verbs answered. Ids in it belong to nothing. */
  readonly result: T;
  /** Every transfer, reserve and release, in order. */
  readonly postings: readonly Posting[];
  /** The types of its events, in order. */
  readonly events: readonly string[];
  /** The refs of the accounts in `postings`. */
  readonly refs: ReadonlyMap<Uuid, string>;
}

export async function dryRun<T, V extends Verbs<V>>(
  context: DryContext,
  clockOf: ReadClock,
  verbs: (context: VerbContext) => V,
  work: (verbs: V) => Promise<T>,
  viewer: { readonly accountId: Uuid } | null,
): Promise<DryRun<T>> {
  const { tenantId } = context;
  return context.rolledBack(async (tx) => {
    const result = await underKey(context, tx, clockOf, verbs, work);
    if (tx.journal === null) throw new BrokenInvariant('expected a dry run to keep a journal');
    const postings = [...tx.journal.postings];
    const accounts = new Set(postings.flatMap(accountsOf));
    const keys = [...accounts].map((id) => ({ tenantId, id }));
    const refs = keys.length === 0 ? new Map<Uuid, string>() : await accountRefs(tx, keys);
    const run = { result, postings, events: [...tx.journal.events], refs };
    return viewer ? seenBy(run, viewer.accountId) : run;
  });
}

/** Runs work as if under an idempotency key: none is read, locked or stored. */
export const withoutKey =
  <V>(verbs: V) =>
  async <T>(_request: unknown, work: (verbs: V) => Promise<T>): Promise<{ answer: T; replayed: boolean }> => ({
    answer: await work(verbs),
    replayed: false,
  });

/** What an end user sees: postings of their own account, and no ref but its own. */
function seenBy<T>(run: DryRun<T>, accountId: Uuid): DryRun<T> {
  const refs = new Map([...run.refs].filter(([id]) => id === accountId));
  return { ...run, postings: run.postings.filter((posting) => accountsOf(posting).includes(accountId)), refs };
}

const accountsOf = (posting: Posting): Uuid[] =>
  posting.type === 'transfer' ? [posting.from, posting.to] : [posting.account];
