// Erases an account's personal fields for good while its books stay whole: its id, balances, transfers and payments are what they
// were. Only a closed account is erased. With the fields go the details, address and program of its events and of all events that it
// caused as an end user, the answers remembered under idempotency keys that show it or were its own, and texts by it and about it that
// modules above keep: references and metadata of the payments that it created as an end user, also in events of other callers.
import { eraseEvents } from '../audit/index.ts';
import type { Transaction } from '../db/index.ts';
import { appendEvents, eventIdsAboutOrBy } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { idInstant, refuse, toTypeId, userActor } from '../kernel/index.ts';
import { eraseAnswers } from '../tenants/index.ts';
import type { StoredAccount } from './account.ts';
import { forgetAccount, lockAccount } from './account-store.ts';

/** Clears texts by or about an account that a module above keeps. Returns their number, and the events that have them too. */
export type ForgetTexts = (
  tx: Transaction,
  account: Pick<StoredAccount, 'tenantId' | 'id'>,
) => Promise<{ readonly texts: number; readonly events: readonly Uuid[] }>;

const ERASED = 'account.erased';
const DAY_MS = 86_400_000;

export interface EraseAccountOrder {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** Kept: it should repeat nothing of what is erased. */
  readonly reason: string;
  /** The tenant's own name for it too, where that says who it is. It is then called `erased-` and its id. */
  readonly ref: boolean;
  readonly caller: Caller;
}

export async function eraseAccount(
  tx: Transaction,
  clock: Clock,
  order: EraseAccountOrder,
  forgetTexts?: ForgetTexts,
): Promise<StoredAccount> {
  const { tenantId, id, caller } = order;
  const reason = order.reason.trim() || refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const account = (await lockAccount(tx, tenantId, id)) ?? refuse('ACCOUNT_NOT_FOUND', { account: id });
  if (account.status !== 'closed')
    refuse('ACCOUNT_STATE_CONFLICT/not_closed', { account: account.ref, status: account.status });
  const ref = order.ref ? `erased-${id}` : account.ref;
  const next = { ...account, ref, name: null, contact: null, statusReason: null, updatedAt: clock.now };
  const actor = userActor(id);
  // All but those that tell of erasing. Ids are of real time, made by processes whose clocks may differ.
  const since = new Date(idInstant(id).getTime() - DAY_MS);
  const told = await eventIdsAboutOrBy(tx, { tenantId, resourceId: id, exceptType: ERASED, actor, since });
  await eraseAnswers(tx, { tenantId, showing: shownAs(account), actor });
  const forgotten = (await forgetTexts?.(tx, account)) ?? { texts: 0, events: [] };
  const withTexts = [...new Set([...told, ...forgotten.events])].toSorted();
  const events = await eraseEvents(tx, clock, { tenantId, caller, reason, events: withTexts });
  const isErased = account.ref === ref && account.name === null && account.contact === null;
  if (events === 0 && forgotten.texts === 0 && isErased) return account;
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

/** The JSON of an answer shows the id anywhere, and the ref as a whole value or quoted in a sentence: a short ref is part of other words. */
function shownAs({ id, ref }: StoredAccount): readonly string[] {
  const value = JSON.stringify(ref);
  const quoted = JSON.stringify(`"${ref}"`).slice(1, -1);
  return [toTypeId('account', id), `${value},`, `${value}}`, `${value}]`, quoted];
}
