// The ledger as an application sees it: one tenant, accounts by id or ref, amounts as they come. Each verb parses what it
// is given, runs in one transaction (or in a savepoint of the caller's own) and throws a Refusal or returns.
import type { Database, Sql, Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Asset, Caller, Clock, Uuid } from '../kernel/index.ts';
import { Refusal, invariant, isUuid, namingAccount, newId, parsePositiveAmount, refuse } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { once } from '../tenants/index.ts';
import type { Account, AccountStatus, StoredAccount } from './account.ts';
import type { HeldBalance } from './account-store.ts';
import type { AccountFilter, AccountPage } from './account-list-store.ts';
import { listAccounts, pageOfAccounts } from './account-list-store.ts';
import {
  accountRefs,
  findAccounts,
  findAsset,
  findHolder,
  listAssets,
  listJuniors,
  lockAccount,
} from './account-store.ts';
import type { Refused, Reservation, Transfer } from './book.ts';
import { isRefused } from './book.ts';
import type { AccountEdit } from './change-account.ts';
import { editAccount, setAccountStatus } from './change-account.ts';
import { withContact, withLazyContact } from './contact.ts';
import { createAsset } from './create-asset.ts';
import type { ForgetTexts } from './erase-account.ts';
import { eraseAccount } from './erase-account.ts';
import { transferPosted } from './facts.ts';
import { fingerprint } from './fingerprint.ts';
import { liftFreeze } from './freeze.ts';
import type { AccountOrder } from './open-account.ts';
import { openAccounts } from './open-account.ts';
import type { GuardiansRemoved } from './guardians.ts';
import type { GuardOutgoing } from './outgoing.ts';
import { UNGUARDED } from './outgoing.ts';
import { postTransfers } from './post-transfers.ts';
import { captureReservations, releaseReservations, reserveFunds } from './reserve.ts';
import type { Statement, TotalsAt } from './statement.ts';
import { balancesAt, statement } from './statement.ts';
import { derivedBalance } from './balance-store.ts';
import { listReservations, listTransfers, readReservations, readTransfer } from './store.ts';
import { requireMayMove } from './external-money.ts';
import { derivedAccount, systemAccountId } from './system-accounts.ts';

/** Which callers are the same caller. The access module answers; every module that decides by caller asks here. */
export interface Identities {
  /** The actor and, where it is an API key, the other keys of its rotation lineage. */
  lineageOf(sql: Sql, tenantId: Uuid, actor: string): Promise<readonly string[]>;
  /** Whether the actor is the same person as one of the others, which are named beforehand. */
  samePerson(sql: Sql, tenantId: Uuid, actor: string, others: readonly string[]): Promise<(other: string) => boolean>;
}

/** Whose verbs these are, and how they reach the database. */
export interface VerbContext {
  readonly tenantId: Uuid;
  /** On record for everything that is done. */
  readonly caller: Caller;
  readonly identities: Identities;
  /** Encrypts and decrypts what is stored encrypted. */
  readonly secrets: Secrets;
  readonly sql: Sql;
  /** Refused while the tenant's test clock is on its way. */
  run<T>(work: (tx: Transaction, clock: Clock) => Promise<T>): Promise<T>;
  /** For what takes no part in the tenant's time: its keys, its clock. Never refused because of it. */
  runUntimed<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** What to put on record as the time of such: where the tenant's clock is passing, or real time where it has none yet. */
  moment(sql: Sql): Promise<Clock>;
  /** Reads that belong together, of one moment where a transaction of ours can have one. */
  snapshot?<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Already under an idempotency key that covers the whole request: the verbs take none of their own. */
  readonly keyed?: boolean;
  /** Whether the tenant's time is a test clock: then ids do not follow it. */
  readonly hasTestClock?: boolean;
  /** Where another transaction can be begun; not inside one of the caller's, or under a request's key. */
  readonly database?: Database | null;
}

interface MoneyOrder {
  readonly asset: string;
  /** Minor units: a bigint, a decimal-integer string or a safe integer. */
  readonly amount: bigint | string | number;
  /** The same key again returns the first answer and moves nothing. */
  readonly idempotencyKey: string;
  readonly description?: string;
}

export interface DepositOrder extends MoneyOrder {
  readonly account: string;
}

export interface TransferOrder extends MoneyOrder {
  readonly from: string;
  readonly to: string;
  /** Default `transfer`. */
  readonly kind?: string;
}

export interface ReservationOrder extends MoneyOrder {
  readonly account: string;
}

export interface CaptureReservationOrder extends Omit<MoneyOrder, 'asset'> {
  readonly reservation: Uuid;
  readonly to: string;
}

export interface LedgerVerbs {
  createAsset(name: string): Promise<Asset>;
  assets(): Promise<Asset[]>;
  openAccount(order: AccountOrder): Promise<Account>;
  account(idOrRef: string): Promise<Account>;
  accounts(page?: { limit?: number; after?: Uuid }): Promise<Account[]>;
  /** Locks the account as its changes do, until the transaction ends: for a comparison before a change in the same transaction. */
  lockAccount(id: Uuid): Promise<void>;
  /** Those of these accounts that there are, in no order. */
  accountsById(ids: readonly Uuid[]): Promise<Account[]>;
  /** The refs of some accounts, by id. */
  accountRefs(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>>;
  /** By filter and in bounded time: a page can be short, or empty, without being the last. */
  accountsPage(filter?: AccountFilter, page?: { limit?: number; after?: Uuid }): Promise<AccountPage>;
  /** Turns OFF the allowances of guardians that it removes. */
  editAccount(
    idOrRef: string,
    edit: Pick<AccountEdit, 'name' | 'contact' | 'guardian' | 'guardians'>,
  ): Promise<Account>;
  /** The accounts that have this one among their guardians, oldest first. */
  juniors(guardian: string, page?: { limit?: number; after?: Uuid }): Promise<Account[]>;
  suspendAccount(idOrRef: string, reason: string): Promise<Account>;
  reactivateAccount(idOrRef: string, reason: string): Promise<Account>;
  closeAccount(idOrRef: string, reason: string): Promise<Account>;
  /** Forgets the personal fields of a closed account, with `ref` its ref too, and what its events told. */
  eraseAccount(idOrRef: string, reason: string, options?: { ref?: boolean }): Promise<Account>;
  /** Balances of one account; those of `world` and `fees` are summed up here. */
  balances(idOrRef: string): Promise<HeldBalance[]>;
  accountWithBalances(idOrRef: string): Promise<{ account: Account; balances: HeldBalance[] }>;
  /** What the account held at an instant, available and reserved together. */
  balancesAt(idOrRef: string, at: Date): Promise<TotalsAt>;
  /** `final` says whether a transaction that is still open could post into the period. */
  statement(idOrRef: string, period: { asset: string; from: Date; to: Date }): Promise<Statement>;
  /** From `world` to the account. */
  deposit(order: DepositOrder): Promise<TransferReceipt>;
  /** From the account to `world`. */
  withdraw(order: DepositOrder): Promise<TransferReceipt>;
  transfer(order: TransferOrder): Promise<TransferReceipt>;
  reserve(order: ReservationOrder): Promise<{ reservation: Uuid; replayed: boolean }>;
  capture(order: CaptureReservationOrder): Promise<{ replayed: boolean }>;
  release(order: {
    reservation: Uuid;
    amount?: bigint | string | number;
    idempotencyKey: string;
  }): Promise<{ replayed: boolean }>;
  reservation(id: Uuid): Promise<Reservation>;
  reservations(idOrRef: string, page?: { limit?: number; before?: Uuid }): Promise<Reservation[]>;
  /** A transfer that was posted. */
  posted(id: Uuid): Promise<Transfer>;
  transfers(idOrRef: string, page?: { limit?: number; before?: Uuid }): Promise<Transfer[]>;
  /** Lets money of the asset leave again. Audited; if the books are still wrong, the next check freezes it anew. */
  unfreeze(asset: string, reason: string): Promise<void>;
}

export interface TransferReceipt {
  readonly transfer: Uuid;
  /** True when the key was used before and nothing moved now. */
  readonly replayed: boolean;
}

const PAGE = 100;

/** Work of modules above when an account changes, in the same transaction. */
export interface AccountHooks {
  readonly guardiansRemoved?: GuardiansRemoved;
  /** Clears texts about an account that is erased. */
  readonly forgetTexts?: ForgetTexts;
}

/** `guard` decides about money that leaves an account by `withdraw`, `transfer` and `capture`. */
export function ledgerVerbs(
  context: VerbContext,
  guard: GuardOutgoing = UNGUARDED,
  { guardiansRemoved, forgetTexts }: AccountHooks = {},
): LedgerVerbs {
  const { tenantId, caller, secrets, sql } = context;

  const changed = (stored: StoredAccount): Account => withContact(secrets, stored);
  const shown = (stored: StoredAccount): Account => withLazyContact(secrets, stored);
  const account = async (on: Sql, idOrRef: string, param = 'account'): Promise<StoredAccount> => {
    const [found] = await findAccounts(on, tenantId, [idOrRef]);
    return found ?? refuse('ACCOUNT_NOT_FOUND', { account: idOrRef, param });
  };
  const holder = async (idOrRef: string): Promise<{ account: StoredAccount; balances: HeldBalance[] }> => {
    const found = await findHolder(sql, tenantId, idOrRef);
    if (!found) return refuse('ACCOUNT_NOT_FOUND', { account: idOrRef, param: 'account' });
    const { id: accountId } = found.account;
    if (!derivedAccount(tenantId, accountId)) return found;
    const balances = (await listAssets(sql, tenantId)).map(async ({ name: asset }) => {
      const available = await derivedBalance(sql, { tenantId, accountId, asset });
      return { asset, available, reserved: 0n };
    });
    return { ...found, balances: await Promise.all(balances) };
  };
  const assetName = async (on: Sql, nameOrCode: string): Promise<string> => {
    const found = await findAsset(on, tenantId, nameOrCode);
    return found?.name ?? refuse('ASSET_NOT_FOUND', { asset: nameOrCode, param: 'asset' });
  };

  /** Everything that moves money goes through here: parsed, once per key, in one transaction. */
  const moveOnce = async <T extends Record<string, string>>(
    verb: string,
    order: { readonly idempotencyKey: string },
    work: (tx: Transaction, clock: Clock) => Promise<T>,
  ): Promise<T & { replayed: boolean }> =>
    context.run(async (tx, clock) => {
      if (context.keyed) return { ...(await work(tx, clock)), replayed: false };
      const scope = { tenantId, actor: caller.scope, key: order.idempotencyKey, fingerprint: fingerprint(verb, order) };
      const done = await once(tx, scope, (inner) => work(inner, clock));
      return { ...done.answer, replayed: done.replayed };
    });

  const move = (verb: string, order: TransferOrder): Promise<TransferReceipt> =>
    moveOnce(verb, order, async (tx, clock) => {
      const amount = parsePositiveAmount(order.amount);
      const asset = await assetName(tx, order.asset);
      const [debit, credit] = [await account(tx, order.from, 'from'), await account(tx, order.to, 'to')];
      requireMayMove(caller, { tenantId, from: [debit.id], to: [credit.id] });
      const wanted = {
        tenantId,
        debitAccountId: debit.id,
        creditAccountId: credit.id,
        asset,
        amount,
        kind: order.kind ?? 'transfer',
        description: order.description ?? null,
      };
      const [outcome] = await postTransfers(tx, clock, [wanted], guard);
      const transfer = must(
        outcome,
        (id) => [debit, credit].find((each) => each.id === id && isRefIn(order, each))?.ref,
      );
      await appendEvents(tx, [transferPosted(caller, clock, transfer)]);
      return { transfer: transfer.id };
    });

  const setStatus = (idOrRef: string, to: AccountStatus, reason: string): Promise<Account> =>
    context.run(async (tx, clock) => {
      const { id } = await account(tx, idOrRef);
      return changed(await setAccountStatus(tx, clock, { tenantId, id, to, reason, caller }));
    });

  return {
    createAsset: (name) => context.run((tx, clock) => createAsset(tx, clock, caller, tenantId, name)),
    assets: () => listAssets(sql, tenantId),
    openAccount: (order) =>
      context.run(async (tx, clock) => {
        const [opened] = await openAccounts(tx, clock, caller, tenantId, [order], secrets);
        return opened ? changed(opened) : refuse('ACCOUNT_EXISTS', { ref: order.ref, param: 'ref' });
      }),
    account: async (idOrRef) => shown(await account(sql, idOrRef)),
    async juniors(guardian, page = {}) {
      const { id } = await account(sql, guardian, 'guardian');
      const range = { limit: page.limit ?? PAGE, after: cursor(page.after, 'after') };
      return (await listJuniors(sql, tenantId, id, range)).map(shown);
    },
    async accounts(page = {}) {
      const range = { limit: page.limit ?? PAGE, after: cursor(page.after, 'after') };
      return (await listAccounts(sql, tenantId, {}, range)).items.map(shown);
    },
    lockAccount: (id) => context.runUntimed(async (tx) => void (await lockAccount(tx, tenantId, id))),
    async accountsById(ids) {
      const wanted = new Set(ids);
      // A ref can look like an id.
      return (await findAccounts(sql, tenantId, ids)).filter(({ id }) => wanted.has(id)).map(shown);
    },
    accountRefs: (ids) =>
      accountRefs(
        sql,
        ids.map((id) => ({ tenantId, id })),
      ),
    async accountsPage(filter = {}, page = {}) {
      const range = { limit: page.limit ?? PAGE, after: cursor(page.after, 'after') };
      const { accounts, next } = await pageOfAccounts(sql, tenantId, filter, range);
      return { accounts: accounts.map(shown), next };
    },
    editAccount: (idOrRef, edit) =>
      context.run(async (tx, clock) => {
        const named = { ...edit, tenantId, id: (await account(tx, idOrRef)).id, caller };
        return changed(await editAccount(tx, clock, named, secrets, guardiansRemoved));
      }),
    suspendAccount: (idOrRef, reason) => setStatus(idOrRef, 'suspended', reason),
    reactivateAccount: (idOrRef, reason) => setStatus(idOrRef, 'active', reason),
    closeAccount: (idOrRef, reason) => setStatus(idOrRef, 'closed', reason),
    eraseAccount: (idOrRef, reason, { ref = false } = {}) =>
      context.run(async (tx, clock) => {
        const { id } = await account(tx, idOrRef);
        // Events of an erasure stay: a reason could name the person again.
        const withoutReason = { ...caller, reason: null };
        return changed(
          await eraseAccount(tx, clock, { tenantId, id, reason, ref, caller: withoutReason }, forgetTexts),
        );
      }),
    balances: async (idOrRef) => (await holder(idOrRef)).balances,
    async accountWithBalances(idOrRef) {
      const found = await holder(idOrRef);
      return { ...found, account: shown(found.account) };
    },
    balancesAt: async (idOrRef, at) => balancesAt(context, (await account(sql, idOrRef)).id, at),
    async statement(idOrRef, period) {
      const { id: accountId } = await account(sql, idOrRef);
      return statement(context, { ...period, asset: await assetName(sql, period.asset), tenantId, accountId });
    },
    deposit: (order) =>
      move('deposit', { ...order, from: systemAccountId(tenantId, 'world'), to: order.account, kind: 'deposit' }),
    withdraw: (order) =>
      move('withdraw', { ...order, from: order.account, to: systemAccountId(tenantId, 'world'), kind: 'withdrawal' }),
    transfer: (order) => move('transfer', order),
    reserve: (order) =>
      moveOnce('reserve', order, async (tx, clock) => {
        const amount = parsePositiveAmount(order.amount);
        const asset = await assetName(tx, order.asset);
        const { id: accountId } = await account(tx, order.account);
        requireMayMove(caller, { tenantId, from: [accountId], to: [] });
        const id = newId();
        const [outcome] = await reserveFunds(tx, clock, caller, [{ tenantId, accountId, asset, id, amount }]);
        if (outcome) throw new Refusal(outcome);
        return { reservation: id };
      }),
    capture: (order) =>
      moveOnce('capture', order, async (tx, clock) => {
        const { id: creditAccountId } = await account(tx, order.to, 'to');
        const amount = parsePositiveAmount(order.amount);
        const description = order.description ?? null;
        const id = reservationId(order.reservation);
        // The debit side was checked by reserve.
        requireMayMove(caller, { tenantId, from: [], to: [creditAccountId] });
        const capture = { tenantId, id, amount, creditAccountId, kind: 'capture', description };
        const [outcome] = await captureReservations(tx, clock, caller, [capture], guard);
        if (outcome) throw new Refusal(outcome);
        return {};
      }),
    release: (order) =>
      moveOnce('release', order, async (tx, clock) => {
        const amount = order.amount === undefined ? {} : { amount: parsePositiveAmount(order.amount) };
        const id = reservationId(order.reservation);
        const [outcome] = await releaseReservations(tx, clock, caller, [{ tenantId, id, ...amount }]);
        if (outcome) throw new Refusal(outcome);
        return {};
      }),
    async reservation(id) {
      const [found] = await readReservations(sql, [{ tenantId, id: reservationId(id) }]);
      return found ?? noReservation(id);
    },
    reservations: async (idOrRef, page = {}) =>
      listReservations(sql, tenantId, (await account(sql, idOrRef)).id, {
        limit: page.limit ?? PAGE,
        before: cursor(page.before, 'before'),
      }),
    posted: async (id) =>
      (isUuid(id) ? await readTransfer(sql, tenantId, id) : null) ?? refuse('TRANSFER_NOT_FOUND', { transfer: id }),
    transfers: async (idOrRef, page = {}) =>
      listTransfers(sql, tenantId, (await account(sql, idOrRef)).id, {
        limit: page.limit ?? PAGE,
        before: cursor(page.before, 'before'),
      }),
    unfreeze: (asset, reason) =>
      context.run(async (tx, clock) =>
        liftFreeze(tx, clock, { tenantId, asset: await assetName(tx, asset), caller, reason }),
      ),
  };
}

// A text that is no id must not get as far as the server, whose complaint would abort the caller's own transaction.
function reservationId(id: string): Uuid {
  return isUuid(id) ? id : noReservation(id);
}

function noReservation(id: string): never {
  return refuse('RESERVATION_NOT_FOUND', { reservation: id, param: 'reservation' });
}

function cursor(id: string | undefined, param: string): Uuid | null {
  if (id === undefined || isUuid(id)) return id ?? null;
  return refuse('ID_INVALID/not_a_cursor', { param });
}

function must(outcome: Transfer | Refused | undefined, nameOf: (id: Uuid) => string | undefined): Transfer {
  invariant(outcome !== undefined, 'every movement to have an outcome');
  if (isRefused(outcome)) throw new Refusal(namingAccount(outcome, nameOf));
  return outcome;
}

/** Whether the order names the account by its ref. */
const isRefIn = ({ from, to }: TransferOrder, { ref }: Pick<Account, 'ref'>): boolean => ref === from || ref === to;
