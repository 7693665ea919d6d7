// An event of a payment, as e-mails need it.
import type { SequencedEvent } from '../../events/index.ts';
import { completeData, isErasedData } from '../../events/index.ts';
import type { Uuid } from '../../kernel/index.ts';

export interface EmailData {
  readonly paymentId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
  /** Of a refund; otherwise 0. */
  readonly refunded: bigint;
  readonly payerId: Uuid;
  readonly payees: readonly { readonly id: Uuid; readonly amount: bigint }[];
  readonly ownerKind: string | null;
  readonly executeAt: Date;
  readonly occurredAt: Date;
  /** From the event until the payment is due; 0 if it was due. */
  readonly waitMs: number;
  readonly code: string | null;
}

/** Null if its details were erased. */
export function emailDataOf(event: SequencedEvent): EmailData | null {
  if (isErasedData(event.data)) return null;
  const data = completeData(event);
  const { asset, amount, captured, status, payer, payees, owner, refund, code } = data;
  const executeAt = new Date(String(data['executeAt']));
  // A hold that was captured in part settled for less than its amount.
  const moved = status === 'settled' && BigInt(String(captured)) > 0n ? captured : amount;
  return {
    paymentId: event.resourceId,
    asset: String(asset),
    amount: BigInt(String(moved)),
    refunded: isRecord(refund) ? BigInt(String(refund['amount'])) : 0n,
    payerId: String(isRecord(payer) ? payer['id'] : payer),
    payees: (Array.isArray(payees) ? payees : []).flatMap((payee: unknown) =>
      isRecord(payee) ? [{ id: String(payee['id']), amount: BigInt(String(payee['amount'])) }] : [],
    ),
    ownerKind: isRecord(owner) ? String(owner['kind']) : null,
    executeAt,
    occurredAt: event.occurredAt,
    waitMs: Math.max(0, executeAt.getTime() - event.occurredAt.getTime()),
    code: typeof code === 'string' ? code : null,
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
