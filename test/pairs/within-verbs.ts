// Verbs that a caller sends at once on one transaction of its own: of each kind one that is accepted and one that is refused
// on the same ground, so that every pair has an answer that is known beforehand.
import type { TenantHandle, TenantVerbs } from '../../src/engine.ts';

/** Rows that exist before the caller's transaction begins. */
export interface Ground {
  readonly hold: string;
  readonly spare: string;
  readonly settled: string;
  readonly reservation: string;
  readonly schedule: string;
}

export async function prepareGround(tenant: TenantHandle, settle: () => Promise<unknown>): Promise<Ground> {
  for (const ref of ['ann', 'ben', 'cem', 'low']) await tenant.openAccount({ ref });
  await tenant.deposit({ account: 'ann', asset: 'USD', amount: 10_000, idempotencyKey: 'seed ann' });
  await tenant.deposit({ account: 'ben', asset: 'USD', amount: 1_000, idempotencyKey: 'seed ben' });
  const pays = { from: 'ann', to: 'ben', asset: 'USD', amount: 300 };
  const settled = await tenant.createPayment({ ...pays, reference: 'settled', idempotencyKey: 'settled' });
  await settle();
  const hold = await tenant.createPayment({ ...pays, delay: '48h', reference: 'hold', idempotencyKey: 'hold' });
  const spare = await tenant.createPayment({ ...pays, delay: '48h', reference: 'spare', idempotencyKey: 'spare' });
  const { reservation } = await tenant.reserve({
    account: 'ann',
    asset: 'USD',
    amount: 200,
    idempotencyKey: 'reservation',
  });
  const schedule = await tenant.createSchedule({ ...RULE, reference: 'rent', idempotencyKey: 'rent' });
  return { hold: hold.id, spare: spare.id, settled: settled.id, reservation, schedule: schedule.id };
}

const RULE = {
  from: 'ann',
  to: 'ben',
  asset: 'USD',
  amount: 50,
  rule: { frequency: 'MONTHLY' as const, time: '09:00' },
};

export type WithinVerb = (verbs: TenantVerbs, ground: Ground, key: string) => Promise<unknown>;

const money = { asset: 'USD', amount: 100 };
const nothing = '00000000-0000-7000-8000-000000000000';

export const ACCEPTED: Readonly<Record<string, WithinVerb>> = {
  deposit: (verbs, _ground, idempotencyKey) => verbs.deposit({ ...money, account: 'ben', idempotencyKey }),
  withdraw: (verbs, _ground, idempotencyKey) => verbs.withdraw({ ...money, account: 'ann', idempotencyKey }),
  transfer: (verbs, _ground, idempotencyKey) => verbs.transfer({ ...money, from: 'ann', to: 'cem', idempotencyKey }),
  reserve: (verbs, _ground, idempotencyKey) => verbs.reserve({ ...money, account: 'ann', idempotencyKey }),
  capture: (verbs, { reservation }, idempotencyKey) =>
    verbs.capture({ reservation, to: 'ben', amount: 10, idempotencyKey }),
  createPayment: (verbs, _ground, idempotencyKey) =>
    verbs.createPayment({ ...money, from: 'ann', to: 'ben', delay: '1h', idempotencyKey }),
  cancelPayment: (verbs, { spare }) => verbs.cancelPayment(spare),
  capturePayment: (verbs, { hold }, idempotencyKey) => verbs.capturePayment(hold, { amount: 10, idempotencyKey }),
  editPayment: (verbs, { hold }) => verbs.editPayment(hold, { amount: 250 }),
  failPayment: (verbs, { spare }) => verbs.failPayment(spare, 'not wanted'),
  refundPayment: (verbs, { settled }, idempotencyKey) => verbs.refundPayment(settled, { amount: 10, idempotencyKey }),
  createSchedule: (verbs, _ground, idempotencyKey) => verbs.createSchedule({ ...RULE, idempotencyKey }),
  pauseSchedule: (verbs, { schedule }) => verbs.pauseSchedule(schedule),
  triggerSchedule: (verbs, { schedule }, idempotencyKey) => verbs.triggerSchedule(schedule, { idempotencyKey }),
  openAccount: (verbs, _ground, key) => verbs.openAccount({ ref: `new-${key}` }),
  suspendAccount: (verbs) => verbs.suspendAccount('cem', 'looked at'),
};

const tooMuch = { asset: 'USD', amount: 1_000_000 };

export const REFUSED: Readonly<Record<string, WithinVerb>> = {
  withdraw: (verbs, _ground, idempotencyKey) => verbs.withdraw({ ...tooMuch, account: 'ann', idempotencyKey }),
  transfer: (verbs, _ground, idempotencyKey) => verbs.transfer({ ...tooMuch, from: 'ann', to: 'cem', idempotencyKey }),
  reserve: (verbs, _ground, idempotencyKey) => verbs.reserve({ ...tooMuch, account: 'ann', idempotencyKey }),
  capture: (verbs, { reservation }, idempotencyKey) =>
    verbs.capture({ reservation, to: 'ben', amount: 1_000_000, idempotencyKey }),
  createPayment: (verbs, _ground, idempotencyKey) =>
    verbs.createPayment({ ...tooMuch, from: 'ann', to: 'ben', delay: '1h', idempotencyKey }),
  cancelPayment: (verbs, { settled }) => verbs.cancelPayment(settled),
  capturePayment: (verbs, { hold }, idempotencyKey) =>
    verbs.capturePayment(hold, { amount: 1_000_000, idempotencyKey }),
  editPayment: (verbs, { hold }) => verbs.editPayment(hold, { amount: 1_000_000 }),
  refundPayment: (verbs, { settled }, idempotencyKey) =>
    verbs.refundPayment(settled, { amount: 1_000_000, idempotencyKey }),
  createSchedule: (verbs, _ground, idempotencyKey) =>
    verbs.createSchedule({ ...RULE, reference: 'rent', idempotencyKey }),
  pauseSchedule: (verbs) => verbs.pauseSchedule(nothing),
  openAccount: (verbs) => verbs.openAccount({ ref: 'ann' }),
  closeAccount: (verbs) => verbs.closeAccount('ann', 'has money'),
};
