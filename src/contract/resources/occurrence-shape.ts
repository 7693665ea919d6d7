// The outcome of a slot in answers.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Occurrence as EngineOccurrence } from '../../engine.ts';
import { formatLocal } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { idOrNull } from '../wire-format.ts';
import { Amount, Instant, closed, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { LocalTime } from './schedule-shape.ts';

export const Occurrence = closed(
  {
    id: idOf('occurrence'),
    slot: LocalTime,
    through: textOrNull({ description: 'The last slot, if several were skipped together; null otherwise.' }),
    slots: Type.Integer({ description: 'How many slots it covers.' }),
    ordinal: nullable(Type.Integer(), { description: 'The number of the run, from 1; null for a triggered run.' }),
    kind: oneOf(['rule', 'trigger', 'backfill']),
    status: oneOf(['made', 'skipped', 'failed']),
    reason: textOrNull({ description: '`late`, the reason why it was skipped, or the code of the refusal.' }),
    detail: textOrNull(),
    amount: nullable(Amount),
    run_at: { ...Instant, description: 'When the run was due. RFC 3339, UTC.' } as typeof Instant,
    payment: nullable(idOf('payment')),
    created_at: Instant,
  },
  { title: 'Occurrence' },
);

export function showOccurrence(occurrence: EngineOccurrence): Static<typeof Occurrence> {
  return {
    id: toTypeId('occurrence', occurrence.id),
    slot: formatLocal(occurrence.slot),
    through: occurrence.through === null ? null : formatLocal(occurrence.through),
    slots: occurrence.slots,
    ordinal: occurrence.ordinal,
    kind: occurrence.kind,
    status: occurrence.status,
    reason: occurrence.reason,
    detail: occurrence.detail,
    amount: occurrence.amount?.toString() ?? null,
    run_at: occurrence.runAt.toISOString(),
    payment: idOrNull('payment', occurrence.paymentId),
    created_at: occurrence.createdAt.toISOString(),
  };
}
