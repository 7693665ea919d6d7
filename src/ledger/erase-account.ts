// An account's personal fields, gone for good while its books stay whole: its id, its balances and its transfers are what
// they were. Only a closed account is erased. What its events told, and answers that are remembered under idempotency keys, go
// with them.
import { eraseEvents } from '../audit/index.ts';
import type { Transaction } from '../db/index.ts';
import { appendEvents, idsOfEventsOf } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { refuse, toTypeId } from '../kernel/index.ts';
import { eraseAnswersWith } from '../tenants/index.ts';
import type { Account } from './account.ts';
import { forgetAccount, lockAccount } from './account-store.ts';

const ERASED = 'account.erased';

export interface EraseAccountOrder {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** Kept: it should repeat nothing of what is erased. */
  readonly reason: string;
  /** The tenant's own name for it too, where that says who it is. It is then called `erased-` and its id. */
  readonly ref: boolean;
  readonly caller: Caller;
}

export async function eraseAccount(tx: Transaction, clock: Clock, order: EraseAccountOrder): Promise<Account> {
  const { tenantId, id, caller } = order;
  const reason = order.reason.trim() || refuse('FIELD_INVALID', 'erasing needs a reason', { param: 'reason' });
  const account = (await lockAccount(tx, tenantId, id)) ?? refuse('ACCOUNT_NOT_FOUND', `there is no account ${id}`);
  if (account.status !== 'closed')
    refuse('ACCOUNT_STATE_CONFLICT', `the account is ${account.status}: only a closed one can be erased`);
  const ref = order.ref ? `erased-${id}` : account.ref;
  const next = { ...account, ref, name: null, contact: null, statusReason: null, updatedAt: clock.now };
  // All but those that tell of erasing.
  const told = await idsOfEventsOf(tx, tenantId, id, ERASED);
  // The answers that showed the account as it was.
  await eraseAnswersWith(tx, tenantId, `"id":"${toTypeId('account', id)}"`);
  const events = await eraseEvents(tx, clock, { tenantId, caller, reason, events: told });
  if (events === 0 && account.ref === ref && account.name === null && account.contact === null) return account;
  await forgetAccount(tx, next);
  const fields = ['name', 'contact', 'statusReason', ...(order.ref ? ['ref'] : [])];
  await appendEvents(tx, [
    {
      ...caller,
      tenantId,
      type: ERASED,
      resource: 'account',
      resourceId: id,
      data: { fields, events, reason },
      occurredAt: clock.now,
    },
  ]);
  return next;
}
