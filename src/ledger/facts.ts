// What the ledger tells: pure facts about what a verb did, appended by it in the same transaction. What payments post has its
// event already (payment.settled, payment.refunded), and an import tells of its balances as one.
import type { Fact } from '../events/index.ts';
import type { Asset, Caller, Clock, Uuid } from '../kernel/index.ts';
import type { Tenant } from '../tenants/index.ts';
import type { StoredAccount } from './account.ts';
import type { Reservation, Transfer } from './book.ts';

export function tenantCreated(caller: Caller, clock: Clock, tenant: Tenant): Fact {
  const { id, name, kind } = tenant;
  const data = { new: { name, kind } };
  return { ...caller, tenantId: id, type: 'tenant.created', resource: 'tenant', resourceId: id, data, ...at(clock) };
}

/** An asset has no id of its own: its tenant's stands for it. */
export function assetCreated(caller: Caller, clock: Clock, tenantId: Uuid, asset: Asset): Fact {
  const data = { new: { asset: asset.name, code: asset.code, scale: asset.scale } };
  return { ...caller, tenantId, type: 'asset.created', resource: 'asset', resourceId: tenantId, data, ...at(clock) };
}

/** Ref, name and contact may say who a person is: they stay out of history, where they could not be erased. */
export function accountOpened(caller: Caller, clock: Clock, account: StoredAccount): Fact {
  const { tenantId, id, kind, status, guardianId, guardianIds } = account;
  const data = { new: { kind, status, guardianId, guardianIds } };
  return { ...caller, tenantId, type: 'account.created', resource: 'account', resourceId: id, data, ...at(clock) };
}

export function transferPosted(caller: Caller, clock: Clock, transfer: Transfer): Fact {
  const { tenantId, id, debitAccountId, creditAccountId, asset, amount, kind } = transfer;
  const data = { new: { from: debitAccountId, to: creditAccountId, asset, amount, kind } };
  return { ...caller, tenantId, type: 'transfer.posted', resource: 'transfer', resourceId: id, data, ...at(clock) };
}

type ReservationFact = 'reservation.created' | 'reservation.captured' | 'reservation.released';

/** `amount` is what this deed was about, the rest what there is now. */
export function reservationChanged(
  caller: Caller,
  clock: Clock,
  type: ReservationFact,
  reservation: Reservation,
  deed: { readonly amount: bigint; readonly to?: Uuid },
): Fact {
  const { tenantId, id, accountId, asset, amount, captured, released } = reservation;
  const data = { ...deed, new: { accountId, asset, amount, captured, released } };
  return { ...caller, tenantId, type, resource: 'reservation', resourceId: id, data, ...at(clock) };
}

const at = (clock: Clock): { occurredAt: Date } => ({ occurredAt: clock.now });
