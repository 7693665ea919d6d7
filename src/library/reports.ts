// Reports of the engine as plain JSON: TypeIDs, amounts as strings of minor units, counts as numbers.
import type {
  Anchor as EngineAnchor,
  CheckResult as EngineCheckResult,
  ImportReport as EngineImportReport,
  SubscriptionImportReport as EngineSubscriptionReport,
} from '../engine.ts';
import { NIL_UUID, fromTypeId, isUuid, refuse, showIds, toTypeId } from '../kernel/index.ts';

/** The result of one check of `verify`. */
export interface CheckResult {
  /** The name of the check. */
  readonly name: string;
  /** `money`: an amount is wrong. `bookkeeping`: a value that steers work is wrong. */
  readonly kind: 'money' | 'bookkeeping';
  /** The invariant in one sentence. */
  readonly says: string;
  /** Number of rows that were checked. */
  readonly rows: number;
  /** Rows that break the invariant, at most 100; empty if it holds. */
  readonly offenders: readonly CheckOffender[];
}

/** A row that breaks an invariant. */
export interface CheckOffender {
  /** The tenant, `ten_…`; null if the check itself failed. */
  readonly tenant: string | null;
  /** The asset, such as `USD/2`; empty if the row has none. */
  readonly asset: string;
  /** Columns of the row. Ids are TypeIDs. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The head of the hash chain of a tenant's audit log. */
export interface Anchor {
  /** The tenant, `ten_…`. A UUID is accepted too. */
  readonly tenant: string;
  /** The number of the last sealed event, as a string of digits. */
  readonly seq: string;
  /** The hash of that event, in hexadecimal. */
  readonly hash: string;
  /** When it was read, RFC 3339. */
  readonly at: string;
}

/** The result of an import of opening balances. */
export interface ImportReport {
  /** Lines of the file. */
  readonly lines: number;
  /** Lines that this run booked. */
  readonly booked: number;
  /** Lines that an earlier run of the same import booked. */
  readonly skipped: number;
  /** Accounts that this run opened. */
  readonly accountsOpened: number;
  /** Totals by asset. */
  readonly totals: readonly ImportTotal[];
}

/** The total of one asset: equal if the books agree with the file. */
export interface ImportTotal {
  /** The asset, such as `USD/2`. */
  readonly asset: string;
  /** The sum over the file, in minor units. */
  readonly file: string;
  /** The sum of all balances booked under the name of the import, in minor units. */
  readonly booked: string;
}

/** The result of an import of subscriptions. */
export interface SubscriptionImportReport {
  /** SHA-256 of the file's lines, in hexadecimal. */
  readonly file: string;
  /** Lines of the file. */
  readonly lines: number;
  /** Subscriptions that this run created. */
  readonly created: number;
  /** Lines that an earlier run imported. */
  readonly skipped: number;
  /** Number of wrong lines. With any, nothing is written. */
  readonly refused: number;
  /** The first 1,000 wrong lines. */
  readonly problems: readonly ImportProblem[];
  /** Valid lines by status. */
  readonly statuses: Readonly<Record<'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED', number>>;
  /** Totals by asset, over the valid lines. */
  readonly totals: readonly SubscriptionTotal[];
}

/** A wrong line of a file. */
export interface ImportProblem {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The problem in one sentence. */
  readonly detail: string;
}

/** The totals of one asset over the valid lines. */
export interface SubscriptionTotal {
  /** The asset, such as `USD/2`. */
  readonly asset: string;
  /** Number of subscriptions. */
  readonly subscriptions: number;
  /** The sum of one charge of each active subscription, in minor units. */
  readonly perPeriod: string;
  /** Number of new active subscriptions that are already due. */
  readonly overdue: number;
  /** Number of charges that the next run of the scheduler makes for them. */
  readonly overdueCharges: number;
  /** The sum of these charges, in minor units. */
  readonly overdueAmount: string;
  /** The sum that the payers paid before the import, in minor units. */
  readonly paidBefore: string;
}

export function shownCheck({ name, kind, says, rows, offenders }: EngineCheckResult): CheckResult {
  return {
    name,
    kind,
    says,
    rows: Number(rows),
    offenders: offenders.map(({ tenantId, asset, details }) => ({
      tenant: tenantId === NIL_UUID ? null : toTypeId('tenant', tenantId),
      asset,
      details: showIds(details) as CheckOffender['details'],
    })),
  };
}

export const shownAnchor = ({ tenant, seq, hash, at }: EngineAnchor): Anchor => ({
  tenant: toTypeId('tenant', tenant),
  seq: seq.toString(),
  hash,
  at,
});

export const readAnchor = ({ tenant, seq, hash, at }: Anchor): EngineAnchor => ({
  tenant: isUuid(tenant) ? tenant : fromTypeId('tenant', tenant),
  seq: /^[1-9][0-9]{0,18}$/.test(seq)
    ? BigInt(seq)
    : refuse('FIELD_INVALID/wrong_type', { param: 'seq', expected: ['a string of digits'] }),
  hash,
  at,
});

export function shownImport({ totals, journaled: _journaled, ...counts }: EngineImportReport): ImportReport {
  return {
    ...counts,
    totals: totals.map(({ asset, file, booked }) => ({ asset, file: file.toString(), booked: booked.toString() })),
  };
}

export function shownSubscriptionImport({
  totals,
  journaled: _journaled,
  ...rest
}: EngineSubscriptionReport): SubscriptionImportReport {
  return {
    ...rest,
    totals: totals.map(({ perPeriod, overdueAmount, paidBefore, ...total }) => ({
      ...total,
      perPeriod: perPeriod.toString(),
      overdueAmount: overdueAmount.toString(),
      paidBefore: paidBefore.toString(),
    })),
  };
}
