// A dry run: verbs do everything in a transaction that is always rolled back. It answers what they answered, with the postings and
// event types that they wrote. Idempotency keys play no part: none is read, locked or stored.
import type { Database, Transaction } from '../db/index.ts';
import type { Journal, Posting, Uuid } from '../kernel/index.ts';
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
  return context.rolledBack(async (tx) => {
    const result = await underKey(context, tx, clockOf, verbs, work);
    const run = await withJournal(tx, context.tenantId, result);
    return viewer ? seenBy(run, viewer.accountId) : run;
  });
}

/** A result with the journal of its transaction. */
export async function withJournal<T>(tx: Transaction, tenantId: Uuid, result: T): Promise<DryRun<T>> {
  const { postings, events } = journalOf(tx);
  return { result, postings: [...postings], events: [...events], refs: await refsOf(tx, tenantId, postings) };
}

function journalOf({ journal }: Transaction): Journal {
  if (journal === null) throw new BrokenInvariant('expected a dry run to keep a journal');
  return journal;
}

async function refsOf(tx: Transaction, tenantId: Uuid, postings: readonly Posting[]): Promise<Map<Uuid, string>> {
  const keys = [...new Set(postings.flatMap(accountsOf))].map((id) => ({ tenantId, id }));
  return keys.length === 0 ? new Map() : accountRefs(tx, keys);
}

/** The transactions of work that is done in batches, such as an import. */
export interface Batches {
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** What the batches of a dry run wrote before they were rolled back; empty if they were committed. */
  journal(): { readonly journaled?: Journaled };
}

/** Postings and events of a dry run in batches: the first 1,000 of each, because a file can have millions. */
export type Journaled = Omit<DryRun<unknown>, 'result'>;

const MOST_ENTRIES = 1_000;

/** Each batch in a transaction that is rolled back, so that a dry run holds no lock for longer than the real one. */
function dryBatches({ tenantId, rolledBack }: Pick<DryContext, 'tenantId' | 'rolledBack'>): Batches {
  const postings: Posting[] = [];
  const events: string[] = [];
  const refs = new Map<Uuid, string>();
  return {
    run: (work) =>
      rolledBack(async (tx) => {
        const journal = journalOf(tx);
        const [posted, emitted] = [journal.postings.length, journal.events.length];
        const result = await work(tx);
        const added = journal.postings.slice(posted, posted + MOST_ENTRIES - postings.length);
        postings.push(...added);
        events.push(...journal.events.slice(emitted, emitted + MOST_ENTRIES - events.length));
        for (const [id, ref] of await refsOf(tx, tenantId, added)) refs.set(id, ref);
        return result;
      }),
    journal: () => ({ journaled: { postings, events, refs } }),
  };
}

/** The batches of an import: committed, or rolled back. */
export function batchesOf(
  context: DryContext,
  db: Database,
  { dryRun: isDry }: { readonly dryRun?: boolean },
): Batches {
  return isDry ? dryBatches(context) : { run: (work) => db.transaction(work), journal: () => ({}) };
}

/** Work of a dry run that an earlier batch has in its journal. */
export async function unrecorded(tx: Transaction, work: () => Promise<void>): Promise<void> {
  const { postings, events } = journalOf(tx);
  const [posted, emitted] = [postings.length, events.length];
  await work();
  postings.length = posted;
  events.length = emitted;
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
