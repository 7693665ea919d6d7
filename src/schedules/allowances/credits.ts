// Credits: what became of each date of an allowance. A credit is an occurrence of its schedule and the payment that it made.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { Payment, PaymentStatus } from '../../payments/index.ts';
import { readPayments } from '../../payments/index.ts';
import { listOccurrences } from '../occurrence-store.ts';
import type { Local } from '../rules/index.ts';
import type { Occurrence, Schedule } from '../schedule.ts';

export const CREDIT_STATUSES = ['CREDITED', 'PENDING', 'FAILED', 'CANCELLED', 'SKIPPED'] as const;
export type CreditStatus = (typeof CREDIT_STATUSES)[number];

export interface AllowanceCredit {
  /** The occurrence's. */
  readonly id: Uuid;
  /** The nominal local date and time; pages continue from it. */
  readonly slot: Local;
  /** The date it is for, however late it was paid. */
  readonly runAt: Date;
  /** How many dates it stands for: more than one where dates were skipped together. */
  readonly slots: number;
  readonly amount: bigint;
  readonly asset: string;
  readonly status: CreditStatus;
  /** How often it was tried so far. */
  readonly attempts: number;
  readonly creditedAt: Date | null;
  readonly paymentId: Uuid | null;
  /** Why it was skipped. */
  readonly reason: string | null;
  /** Of the last attempt that failed. */
  readonly lastCode: string | null;
  readonly lastDetail: string | null;
}

export interface CreditPage {
  readonly limit: number;
  /** The slot to continue from. */
  readonly before?: Local | null;
}

/** Newest date first. */
export async function listCredits(sql: Sql, schedule: Schedule, page: CreditPage): Promise<AllowanceCredit[]> {
  const { tenantId } = schedule;
  const occurrences = await listOccurrences(sql, schedule, page);
  const ids = occurrences.flatMap(({ paymentId }) => paymentId ?? []);
  const found = await readPayments(
    sql,
    ids.map((id) => ({ tenantId, id })),
  );
  const payments = new Map(found.map((payment) => [payment.id, payment]));
  return occurrences.map((each) => credit(schedule, each, payments.get(each.paymentId ?? '')));
}

const STATUS_OF = {
  scheduled: 'PENDING',
  processing: 'PENDING',
  submitted: 'PENDING',
  review: 'PENDING',
  settled: 'CREDITED',
  failed: 'FAILED',
  expired: 'FAILED',
  cancelled: 'CANCELLED',
} as const satisfies Record<PaymentStatus, CreditStatus>;

function credit(schedule: Schedule, occurrence: Occurrence, payment: Payment | undefined): AllowanceCredit {
  const { id, slot, runAt, slots, status, reason, detail, paymentId } = occurrence;
  const own = { skipped: 'SKIPPED', failed: 'FAILED', made: 'PENDING' } as const;
  const refused = status === 'failed';
  return {
    id,
    slot,
    runAt,
    slots,
    amount: occurrence.amount ?? schedule.amount,
    asset: schedule.asset,
    status: status === 'made' && payment ? STATUS_OF[payment.status] : own[status],
    attempts: payment?.attempts ?? 0,
    creditedAt: payment?.status === 'settled' ? payment.endedAt : null,
    paymentId,
    reason: status === 'skipped' ? reason : null,
    lastCode: refused ? reason : (payment?.lastCode ?? null),
    lastDetail: refused ? detail : (payment?.lastDetail ?? null),
  };
}
