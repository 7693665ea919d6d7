// The reason of an action. The audit log keeps one of every change: in the event itself where the operation has a reason, and beside the key
// that acted for every other operation (the header `Usance-Reason`).
import type { CallOptions } from '../../../src/client/index.ts';

type Values = Readonly<Record<string, string>>;

/**
 * - `body`: the operation has a required or optional `reason`. `run` gets it in `values.reason`; the dashboard always asks for it.
 * - `required`: for what moves money or changes what may move: payments, deposits, limits, caps, keys, pauses, guards, approvals, tenants.
 * - `optional`: for plain configuration and creation: a schedule, a job, an endpoint, a test clock.
 */
export type ReasonMode = 'body' | 'required' | 'optional';

export const REASON = 'reason';
const LONGEST = 500;

/** A field of a form (`fields.tsx`). */
export const reasonField = (mode: ReasonMode) =>
  ({
    name: REASON,
    label: 'Reason',
    kind: 'text',
    isRequired: mode !== 'optional',
    maxLength: LONGEST,
    hint: 'Kept in the audit log, with your key.',
  }) as const;

/** What a call sends beside its body. */
export function reasonOption(mode: ReasonMode, values: Values): Pick<CallOptions, 'reason'> {
  const reason = values[REASON]?.trim() ?? '';
  return mode === 'body' || reason === '' ? {} : { reason };
}

/**
 * What makes a second click another request. A reason beside the body does not: after a lost answer the change is sent again with the
 * same idempotency key, also if the reason was edited meanwhile.
 */
export const requestOf = (mode: ReasonMode, values: Values): Values =>
  mode === 'body' ? values : { ...values, [REASON]: '' };
