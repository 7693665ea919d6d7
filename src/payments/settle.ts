// Settling claimed payments: the heart. One batch is one transaction of separate steps (load, lock, decide in Node, write): a single
// large statement would mix snapshots. settle-due.ts claims the rows, and has what is done where a batch fails.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { SYSTEM, newId } from '../kernel/index.ts';
import type { Transfer } from '../ledger/index.ts';
import {
  Book,
  applyTransfers,
  derivedAccount,
  findClosed,
  isRefused,
  lookUnderLock,
  writeApplied,
} from '../ledger/index.ts';
import { appendLater } from '../events/index.ts';
import type { Item } from './batch.ts';
import { Batch, loadItems, openBatchOf, writeBatch, writeBatchHistory } from './batch.ts';
import type { Outcome, SettleRules } from './decide.ts';
import { hasEnded, inOrder, settleItem } from './decide.ts';
import type { DueRow } from './due-store.ts';
import { readTenantRules } from './limits-store.ts';
import type { Foresight } from './foresight.ts';
import type { HeldTotals } from './held-totals.ts';
import type { Payment } from './payment.ts';
import type { OwnerRules, SettlingOwners } from './owner-rules.ts';
import type { Paced } from './put-back.ts';
import { withoutBusy, withoutPaced, withoutTaken } from './put-back.ts';
import { countsWhenPaid, endOf, endedBy } from './payment.ts';
import { Spend } from './spend.ts';
import type { TenantLimits } from './tenant-limits.ts';

export interface SettleOptions {
  /** Payments in one transaction, at most. */
  readonly batchSize: number;
  readonly simulateFailures: number;
  /** Of one loop. */
  readonly foresight?: Foresight;
  readonly heldTotals?: HeldTotals;
  /** One of many claims of a loop: may leave what is hard to find to a later one. */
  readonly resident?: boolean;
  /** A wake-up says that there is something new: it is looked for everywhere, as often as is cheap. */
  readonly woken?: boolean;
  /** Live time; read inside the transaction of the batch. */
  readonly readClock: (tx: Transaction) => Promise<Clock>;
  /** Told of a payment whose execution threw: a bug or a corrupted row, for a person to see. */
  readonly onPoisoned?: (paymentId: Uuid, error: unknown) => void;
  /** Which due payments are not to be tried yet, and when they are: asked of everything that was claimed. */
  readonly paced?: Paced;
  /** Counts payments for their owners. */
  readonly ownerRules: OwnerRules;
  /** Where to note what became of each payment, for whoever tells them one by one. */
  readonly tried?: Map<Uuid, Tried>;
}

/** A payment after it was tried. */
export interface Tried {
  readonly payment: Payment;
  readonly outcome: Outcome;
  /** Of one that is tried again. */
  readonly nextAt: Date | null;
}

/** Decides and writes claimed rows. Used by live batches and, with its own clock, by a test clock's advance. */
export async function settleRows(
  tx: Transaction,
  clock: Clock,
  rows: readonly DueRow[],
  options: Pick<SettleOptions, 'simulateFailures' | 'paced' | 'ownerRules' | 'tried' | 'foresight' | 'heldTotals'> & {
    readonly begunMs?: number;
  },
): Promise<Record<Outcome, number>> {
  const { begunMs = performance.now() } = options;
  const outcomes = { settled: 0, retrying: 0, failed: 0, expired: 0, blocked: 0, deferred: 0 };
  if (rows.length === 0) return outcomes;
  const free = await withoutTaken(tx, clock, rows);
  outcomes.deferred += rows.length - free.length;
  const [{ pauses, limits }, loaded] = await tx.together([
    () => readTenantRules(tx, [...new Set(free.map((row) => row.tenantId))]),
    () => loadItems(tx, free),
  ]);
  const paced = options.paced ? await withoutPaced(tx, clock, loaded, options.paced) : loaded;
  const owners = await ownersOf(tx, clock, paced, options.ownerRules);
  const counted = owners ? await withoutBusy(tx, clock, paced, owners) : paced;
  outcomes.deferred += loaded.length - counted.length;
  const items = options.heldTotals?.markIn(counted) ?? counted;
  const rules = { pauses, closed: new Set<string>(), simulateFailures: options.simulateFailures };
  const foreseen = options.foresight
    ? foresee(clock, items, { ...rules, limits, owners, begunMs }, options.foresight)
    : null;
  outcomes.settled += foreseen?.items.length ?? 0;
  for (const { payment } of foreseen?.items ?? [])
    options.tried?.set(payment.id, { payment, outcome: 'settled', nextAt: null });
  if (foreseen?.items.length === items.length) {
    await writeForeseen(tx, foreseen);
    return outcomes;
  }

  const events = foreseen ? appendLater(tx, foreseen.facts) : null;
  if (foreseen && events) await writeBatchHistory(tx, foreseen, { withTransfers: false, events });
  const batch = await openBatchOf(tx, clock, items, {
    caller: SYSTEM,
    pays: true,
    limits,
    counts: countsWhenPaid,
    begunMs,
  });
  batch.owners = owners;
  options.heldTotals?.note(batch.spend.busyTotals);
  for (const transfer of foreseen?.book.changes().transfers ?? [])
    if (isRefused(batch.book.payHeld(transfer))) throw new Misjudged();
  if (foreseen && hasEnded(foreseen.items, batch.lockedAt)) throw new Misjudged();
  const certain = new Set(foreseen?.items);
  const rest = items.filter((item) => !certain.has(item));
  const closed = await closedAmong(tx, batch, rest);
  for (const item of rest.toSorted(inOrder)) {
    const outcome = settleItem(batch, item, { ...rules, closed });
    outcomes[outcome] += 1;
    const nextAt = outcome === 'retrying' ? (batch.dueMoved.at(-1)?.dueAt ?? null) : null;
    options.tried?.set(item.payment.id, { payment: item.payment, outcome, nextAt });
  }
  await tx.together([async () => events?.place(), () => writeBatch(tx, batch)]);
  return outcomes;
}

/** Most payments have no owner, and nothing is asked. */
async function ownersOf(
  tx: Transaction,
  clock: Clock,
  items: readonly Item[],
  rules: OwnerRules,
): Promise<SettlingOwners | null> {
  const owned = items.flatMap(({ payment: { tenantId, id, owner } }) => (owner ? [{ tenantId, id, owner }] : []));
  return owned.length === 0 ? null : rules.settle(tx, clock, owned);
}

/** What was foreseen did not come true under the lock: the batch is undone and decided anew. */
export class Misjudged extends Error {}

/**
 * The outcome of nearly every payment is known before its balances are locked: its funds are reserved, and it settles
 * unless an account was suspended or the asset frozen. So everything but the balances is written first and the balances
 * are locked last, for a fifth of the time; two batches that share accounts (with a hundred thousand accounts, any two
 * batches of a thousand do) then hardly wait for each other. Under the lock every movement is asked again.
 *
 * Funds that are not reserved are mostly there as well. They are counted on where that spares the whole batch a closer look.
 */
function foresee(
  clock: Clock,
  items: readonly Item[],
  rules: SettleRules & {
    readonly limits: TenantLimits;
    readonly owners: SettlingOwners | null;
    readonly begunMs: number;
  },
  foresight: Foresight,
): Batch | null {
  const easy = items.filter(({ payment, due }) => {
    const { tenantId, funding, payerId, attempts } = payment;
    return (
      attempts === 0 &&
      due?.blocked === 0 &&
      payment.approval !== 'awaited' &&
      endedBy(payment, clock.now) === null &&
      rules.simulateFailures === 0 &&
      !rules.pauses.covers(payment) &&
      // A reserved payment was counted when it was made; the others are counted under their locks.
      (funding === 'reserve' || (derivedAccount(tenantId, payerId) === null && !rules.limits.covers(payment)))
    );
  });
  const reserved = easy.filter(({ payment }) => payment.funding === 'reserve');
  const draws = reserved.length < easy.length && easy.length === items.length && foresight.expectsFunds();
  const certain = draws ? easy : reserved;
  if (certain.length < 2) return null;
  const imagined = new Book({ balances: [], now: clock.now, imagined: true });
  const batch = new Batch(clock, SYSTEM, certain, imagined, new Spend(clock), rules.begunMs);
  batch.owners = rules.owners;
  for (const item of certain) if (settleItem(batch, item, rules) !== 'settled') throw new Misjudged();
  return batch;
}

/**
 * Everything but transfers, the balances, then the transfers: a transfer is posted after its balances are locked. Those that
 * draw on available funds get their ids then too: ids made before the lock could be older than that of the credit they spend.
 * The events are written before the lock and take their place in the order behind it, for the same reason: one row under the lock.
 */
async function writeForeseen(tx: Transaction, batch: Batch): Promise<void> {
  const { transfers } = batch.book.changes();
  const drawing = new Set(
    batch.items.filter(({ payment }) => payment.funding !== 'reserve').map(({ payment }) => payment.id),
  );
  const isDrawn = ({ paymentId }: Transfer): boolean => paymentId !== null && drawing.has(paymentId);
  const drawn = drawing.size === 0 ? [] : transfers.filter(isDrawn);
  const held = drawing.size === 0 ? transfers : transfers.filter((transfer) => !isDrawn(transfer));
  const aheadOfAnswer = drawn.length === 0 ? held : [];
  // Asked after the posting, so that none is posted after the end of its payment. Most payments have no end.
  const ending = batch.items.filter(({ payment }) => endOf(payment) !== null);
  const inTime = async (): Promise<boolean> => ending.length === 0 || !hasEnded(ending, (await lookUnderLock(tx)).at);
  const events = appendLater(tx, batch.facts);
  const [, applied, , , wasInTime] = await tx.together([
    () => writeBatchHistory(tx, batch, { withTransfers: false, events }),
    () => applyTransfers(tx, { held, drawn }),
    () => events.place(),
    () => writeApplied(tx, aheadOfAnswer),
    () => (drawn.length === 0 ? inTime() : Promise.resolve(true)),
  ]);
  if (!applied || !wasInTime) throw new Misjudged();
  if (drawn.length === 0) return;
  const posted = [...held, ...drawn].map((transfer) => ({ ...transfer, id: newId() }));
  const [, stillInTime] = await tx.together([() => writeApplied(tx, posted), inTime]);
  if (!stillInTime) throw new Misjudged();
}

/** Balances do not say whether an account is suspended or closed; asked only where somebody is one of them. */
export async function closedAmong(tx: Transaction, batch: Batch, items: readonly Item[]): Promise<Set<string>> {
  const inactive = items.flatMap(({ payment: { tenantId, asset, payerId, legs } }) =>
    [payerId, ...legs.map((leg) => leg.accountId)].flatMap((accountId) => {
      const balance = batch.book.balance({ tenantId, asset, accountId });
      return balance && !(balance.mayDebit && balance.mayCredit) ? [{ tenantId, id: accountId }] : [];
    }),
  );
  const closed = inactive.length === 0 ? [] : await findClosed(tx, inactive);
  return new Set(closed.map((account) => account.tenantId + account.id));
}
