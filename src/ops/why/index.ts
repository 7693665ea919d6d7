// Why a payment has not been paid yet, and what would change that.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { isUuid, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import type { Payment, PaymentStatus } from '../../payments/index.ts';
import { readPayments } from '../../payments/index.ts';
import type { Settings } from './facts.ts';
import { gatherFacts } from './facts.ts';
import type { Audience, Reason } from './reason.ts';
import { listenerOf } from './reason.ts';
import { reasonsOf } from './reasons.ts';

export { WHY_CODES } from './reason.ts';
export type {
  Audience as WhyAudience,
  Change as WhyChange,
  Reason as WhyReason,
  Sight as WhySight,
  WhyCode,
} from './reason.ts';

/** The primary reason, in the order in which the processor meets them, and the others that apply too. */
export interface Why extends Reason {
  readonly paymentId: Uuid;
  readonly status: PaymentStatus;
  readonly asset: string;
  /** When the reasons were read, by the tenant's clock. */
  readonly at: Date;
  readonly also: readonly Reason[];
}

export interface WhyVerbs {
  /** Why the payment has not been paid yet, and what would change that. Reads only. */
  whyPayment(id: Uuid, options?: { readonly audience?: Audience }): Promise<Why>;
}

export function whyVerbs(context: VerbContext, settings: Settings): WhyVerbs {
  const { tenantId } = context;
  const snapshot = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => context.snapshot?.(work) ?? work(context.sql);
  const find = async (sql: Sql, id: Uuid): Promise<Payment> => {
    const [payment] = isUuid(id) ? await readPayments(sql, [{ tenantId, id }]) : [];
    return payment ?? refuse('PAYMENT_NOT_FOUND', { payment: id });
  };
  return {
    whyPayment: (id, { audience = 'tenant' } = {}) =>
      snapshot(async (sql) => {
        const payment = await find(sql, id);
        const clock = await context.moment(sql);
        const [first, ...also] = reasonsOf(
          await gatherFacts(sql, clock, payment, settings),
          listenerOf(audience, settings.sight),
        );
        const { status, asset } = payment;
        return { paymentId: id, status, asset, at: clock.now, ...first, also };
      }),
  };
}
