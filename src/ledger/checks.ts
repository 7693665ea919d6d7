// Every invariant of the books that can be looked up, as a query that finds what breaks it. `usance verify` runs them over
// the whole store in one snapshot; the continuous check runs the same queries over a few accounts at a time ($1 is the
// list of accounts, null for all). A constraint should make each of them impossible: they are here for what constraints
// cannot see, and for the day a constraint was taken off, a disk lied or a superuser was sure of himself.
import { READABLE_EVENTS, lastEvents } from '../events/index.ts';
import { NIL_UUID } from '../kernel/index.ts';

/**
 * `money`: an amount is wrong, or money goes where it should not; the continuous check freezes the asset. `bookkeeping`: a row
 * that steers work is wrong, and no amount is; it is reported, and payments go on.
 */
export type CheckKind = 'money' | 'bookkeeping';

export interface Check {
  readonly name: string;
  readonly kind: CheckKind;
  /** What holds when nothing is found. */
  readonly says: string;
  /** Counts the rows looked at, as `rows`. */
  readonly counted: string;
  /** Only the whole store shows it: a slice is spared the question. */
  readonly whole?: true;
  /** Returns `tenant_id`, `asset` and `details` (jsonb) of every offender. $1::uuid[]: the accounts, or null for all. */
  readonly offenders: string;
}

const within = (column: string): string => `($1::uuid[] is null or ${column} = any ($1::uuid[]))`;

const sides = (side: (column: string, sign: string) => string): string =>
  `${side('credit_account_id', '')} union all ${side('debit_account_id', '-')}`;

/** Both sides of every transfer, as what it did to an account. */
const MOVEMENTS = sides(
  (column, sign) =>
    `select t.tenant_id, t.${column} as account_id, t.asset, ${sign}t.amount as delta
     from usance.transfers t where ${within(`t.${column}`)}`,
);

const NIL = `'${NIL_UUID}'::uuid`;

/**
 * The same, but only what is newer than each balance's checkpoint. Written so that it rides transfers_credit and
 * transfers_debit from the oldest checkpoint of the account on; world and fees, which have no balance and are in every
 * deposit and fee, are left out from the start.
 */
const MOVEMENTS_SINCE_CHECKPOINT = sides(
  (column, sign) =>
    `select k.tenant_id, k.account_id, t.asset, ${sign}t.amount as delta
     from (select a.tenant_id, a.id as account_id,
                  coalesce((select coalesce(c.through, ${NIL}) from usance.balances x
                            left join usance.balance_checkpoints c using (tenant_id, account_id, asset)
                            where x.tenant_id = a.tenant_id and x.account_id = a.id order by 1 limit 1), ${NIL}) as through
           from usance.accounts a
           where ${within('a.id')} and not (a.kind = 'system' and a.ref in ('world', 'fees'))) k
     join usance.transfers t on t.tenant_id = k.tenant_id and t.${column} = k.account_id and t.id > k.through
     left join usance.balance_checkpoints c
       on c.tenant_id = t.tenant_id and c.account_id = k.account_id and c.asset = t.asset
     where c.through is null or t.id > c.through`,
);

const history = (moved: string, carried: string): string =>
  `with moved as (select tenant_id, account_id, asset, sum(delta) as total from (${moved}) m group by 1, 2, 3),
        held as (select b.tenant_id, b.account_id, b.asset, b.available, b.reserved, ${carried} as carried
                 from usance.balances b
                 left join usance.balance_checkpoints c using (tenant_id, account_id, asset)
                 where ${within('b.account_id')})
   select tenant_id, asset, jsonb_build_object('account', account_id, 'available', h.available::text, 'reserved', h.reserved::text,
            'history', (coalesce(m.total, 0) + coalesce(h.carried, 0))::text) as details
   from held h full join moved m using (tenant_id, account_id, asset)
   where coalesce(h.available::numeric + h.reserved, 0) <> coalesce(m.total, 0) + coalesce(h.carried, 0)
     and not exists (select from usance.accounts a where a.tenant_id = m.tenant_id and a.id = m.account_id
                       and a.kind = 'system' and a.ref in ('world', 'fees'))`;

/** The one check that has a short form: from each balance's checkpoint on. */
export const HISTORY_SINCE_CHECKPOINT = history(MOVEMENTS_SINCE_CHECKPOINT, 'coalesce(c.total, 0)');

/**
 * What is reserved is kept by whoever reserved it: reservations here, payments above. Each source is a query of
 * `tenant_id`, `account_id`, `asset` and `open`, with $1 as in a check.
 */
export function reservedCheck(sources: readonly string[]): Check {
  const all = [OPEN_RESERVATIONS, ...sources].join(' union all ');
  return {
    name: 'reserved-equals-reservations',
    kind: 'money',
    says: 'reserved of every balance is the sum of the open amounts of its reservations and payments',
    counted: `select count(*) as rows from (${all.replaceAll('$1::uuid[]', 'null::uuid[]')}) o`,
    offenders: `with held as (select tenant_id, account_id, asset, sum(open) as total from (${all}) o group by 1, 2, 3)
                select tenant_id, asset, jsonb_build_object('account', account_id, 'reserved', coalesce(b.reserved, 0)::text,
                         'reservations', coalesce(h.total, 0)::text) as details
                from (select * from usance.balances where ${within('account_id')}) b
                full join held h using (tenant_id, account_id, asset)
                where coalesce(b.reserved, 0) <> coalesce(h.total, 0)`,
  };
}

const OPEN_RESERVATIONS = `select tenant_id, account_id, asset, amount::numeric - captured - released as open
  from usance.reservations where resolved_at is null and ${within('account_id')}`;

/** For the checks of modules above: what was moved for each payment (`tenant_id`, `payment_id`, `kind`, `total`). */
export const MOVED_BY_PAYMENT = `select tenant_id, payment_id, kind, sum(amount) as total from usance.transfers
  where payment_id is not null group by 1, 2, 3`;

/** The same one by one, with whom each was from and to. */
export const TRANSFERS_OF_PAYMENTS = `select tenant_id, id as transfer_id, payment_id, kind, debit_account_id, credit_account_id, asset, amount
  from usance.transfers where payment_id is not null`;

/** Every transfer. */
export const TRANSFERS = `select tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind from usance.transfers`;

/** Which accounts there are, and what is noted on balances for who watches or limits them. */
export const ACCOUNTS = `select tenant_id, id as account_id from usance.accounts`;
export const GUARDIANS = `select tenant_id, id as account_id, guardian_ids from usance.accounts`;
export const NOTED_ON_BALANCES = `select tenant_id, account_id, asset, watched, limited from usance.balances`;

export const LEDGER_CHECKS: readonly Check[] = [
  {
    name: 'balances-not-negative',
    kind: 'money',
    says: 'no balance is negative',
    counted: 'select count(*) as rows from usance.balances',
    offenders: `select tenant_id, asset, jsonb_build_object('account', account_id, 'available', available::text,
                       'reserved', reserved::text) as details
                from usance.balances where (available < 0 or reserved < 0) and ${within('account_id')}`,
  },
  {
    name: 'balances-equal-history',
    kind: 'money',
    says: 'available + reserved of every balance is the sum of its transfers',
    counted: 'select count(*) as rows from usance.transfers',
    offenders: history(MOVEMENTS, '0'),
  },
  {
    name: 'reservations-resolve-once',
    kind: 'money',
    says: 'captured + released of every reservation stays within its amount, and reaches it exactly when it is resolved',
    counted: 'select count(*) as rows from usance.reservations',
    offenders: `select tenant_id, asset, jsonb_build_object('reservation', id, 'account', account_id, 'amount', amount::text,
                       'captured', captured::text, 'released', released::text, 'resolved_at', resolved_at) as details
                from usance.reservations
                where (amount <= 0 or captured < 0 or released < 0 or captured::numeric + released > amount
                       or (resolved_at is not null) <> (captured::numeric + released = amount))
                  and ${within('account_id')}`,
  },
  {
    name: 'captures-equal-transfers',
    kind: 'money',
    says: 'captured of every reservation is the sum of the transfers made from it',
    counted: 'select count(*) as rows from usance.transfers where reservation_id is not null',
    offenders: `with taken as (
                  select tenant_id, reservation_id as id, debit_account_id as account_id, asset, sum(amount) as total
                  from usance.transfers where reservation_id is not null and ${within('debit_account_id')} group by 1, 2, 3, 4)
                select tenant_id, asset, jsonb_build_object('reservation', id, 'account', account_id,
                         'captured', coalesce(r.captured, 0)::text, 'transfers', coalesce(t.total, 0)::text) as details
                from (select * from usance.reservations where ${within('account_id')}) r
                full join taken t using (tenant_id, id, account_id, asset)
                where coalesce(r.captured, 0) <> coalesce(t.total, 0)`,
  },
  {
    name: 'transfers-well-formed',
    kind: 'money',
    says: 'every transfer is positive, between two accounts and of an asset that its tenant has',
    counted: 'select count(*) as rows from usance.transfers',
    offenders: `select t.tenant_id, t.asset, jsonb_build_object('transfer', t.id, 'debit', t.debit_account_id,
                       'credit', t.credit_account_id, 'amount', t.amount::text) as details
                from usance.transfers t
                left join usance.accounts d on d.tenant_id = t.tenant_id and d.id = t.debit_account_id
                left join usance.accounts c on c.tenant_id = t.tenant_id and c.id = t.credit_account_id
                left join usance.assets s on s.tenant_id = t.tenant_id and s.asset = t.asset
                where (t.amount <= 0 or t.debit_account_id = t.credit_account_id or d.id is null or c.id is null or s.asset is null)
                  and (${within('t.debit_account_id')} or ${within('t.credit_account_id')})`,
  },
  {
    name: 'assets-sum-to-zero',
    kind: 'money',
    says: 'all balances of an asset, with those of world and fees, sum to zero',
    counted: 'select count(*) as rows from usance.assets',
    // Of one account this says nothing; the balances of a slice each equal their history.
    whole: true,
    offenders: `select tenant_id, asset, jsonb_build_object('sum', sum(total)::text) as details
                from (
                  select tenant_id, asset, available::numeric + reserved as total from usance.balances
                  union all
                  select t.tenant_id, t.asset, t.amount from usance.transfers t
                  join usance.accounts a on a.tenant_id = t.tenant_id and a.id = t.credit_account_id
                  where a.kind = 'system' and a.ref in ('world', 'fees')
                  union all
                  select t.tenant_id, t.asset, -t.amount from usance.transfers t
                  join usance.accounts a on a.tenant_id = t.tenant_id and a.id = t.debit_account_id
                  where a.kind = 'system' and a.ref in ('world', 'fees')
                ) moved
                where $1::uuid[] is null
                group by tenant_id, asset having sum(total) <> 0`,
  },
  {
    name: 'flags-follow-accounts',
    kind: 'money',
    says: 'a balance can pay and be paid exactly if its account is active; world and fees have no stored balance',
    counted: 'select count(*) as rows from usance.balances',
    offenders: `select b.tenant_id, b.asset, jsonb_build_object('account', b.account_id, 'status', a.status, 'ref', a.ref,
                       'may_debit', b.may_debit, 'may_credit', b.may_credit) as details
                from usance.balances b
                left join usance.accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
                where (a.id is null or b.may_debit <> (a.status = 'active') or b.may_credit <> (a.status = 'active')
                       or (a.kind = 'system' and a.ref in ('world', 'fees')))
                  and ${within('b.account_id')}`,
  },
  {
    name: 'accounts-are-told',
    kind: 'bookkeeping',
    says: 'the status and the guardians of every account are what the last event about them says',
    counted: 'select count(*) as rows from usance.accounts',
    whole: true,
    offenders: `select a.tenant_id, '' as asset, jsonb_build_object('account', a.id, 'status', a.status, 'guardians', to_jsonb(a.guardian_ids),
                       'event', l.data -> 'new') as details
                from usance.accounts a
                left join ${lastEvents(
                  `'account.created', 'account.updated', 'account.suspended', 'account.reactivated', 'account.closed'`,
                )} l
                  on l.tenant_id = a.tenant_id and l.resource_id = a.id
                where $1::uuid[] is null and a.kind <> 'system'
                  and not coalesce(l.data ? 'erased' or l.data #>> '{new,status}' = a.status and l.data #> '{new,guardianIds}' = to_jsonb(a.guardian_ids), false)`,
  },
  {
    name: 'freezes-are-told',
    kind: 'bookkeeping',
    says: 'every freeze has its event, and is lifted exactly if an event says so',
    counted: 'select count(*) as rows from usance.freezes',
    whole: true,
    offenders: `select f.tenant_id, f.asset, jsonb_build_object('freeze', f.id, 'made', t.made is true, 'lifted', f.lifted_at,
                       'lifted_by', f.lifted_by) as details
                from usance.freezes f
                left join (select tenant_id, resource_id, bool_or(type = 'freeze.created') as made, bool_or(type = 'freeze.lifted') as lifted
                           from (${READABLE_EVENTS}) e where type in ('freeze.created', 'freeze.lifted') group by 1, 2) t
                  on t.tenant_id = f.tenant_id and t.resource_id = f.id
                where $1::uuid[] is null and (t.made is not true or (f.lifted_at is not null) <> (t.lifted is true))`,
  },
];
