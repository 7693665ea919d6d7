// Lives the same life in the model and in the engine, each in a tenant of its own, and tells the first difference.
import type { Database } from '../../../src/db/index.ts';
import type { TenantHandle, Engine } from '../../../src/engine.ts';
import { newId } from '../../../src/kernel/index.ts';
import { PRIORITY_NAMES } from '../../../src/payments/payment.ts';
import { held, key, open } from '../books.ts';
import type { TestTime } from '../processor.ts';
import { SECOND, testProcessor, testTime } from '../processor.ts';
import { refusalOf } from '../refusal.ts';
import type { Step } from './model.ts';
import { ATTEMPTS, Model } from './model.ts';
import { REFS } from './steps.ts';

const FUNDS = 60;
const RETRY = { maxAttempts: ATTEMPTS, initialDelayMs: 60 * SECOND, multiplier: 2 };

export interface Life {
  readonly tenant: TenantHandle;
  readonly db: Database;
  readonly time: TestTime;
  /** Ids of the payments, in the order they were acknowledged. */
  readonly payments: string[];
}

export async function beginLife(usance: Engine): Promise<Life> {
  const tenant = await usance.createTenant({ name: `life-${newId()}` });
  await tenant.createAsset('USD/2');
  await open(tenant, Object.fromEntries(REFS.map((ref, n) => [ref, n < 2 ? FUNDS : 0])));
  return { tenant, db: usance.db, time: testTime(), payments: [] };
}

/** So that the next life's processor has nothing to do with this one. */
async function endLife({ tenant }: Life): Promise<void> {
  for (const { id } of await tenant.payments({ status: 'scheduled' })) await tenant.cancelPayment(id);
}

const inSlot = (payments: readonly string[], slot: number): string =>
  payments[slot % Math.max(payments.length, 1)] ?? newId();

/** 'ok', or the code of the refusal. Anything else that is thrown is a finding and is thrown on. */
export async function take(life: Life, step: Step, idempotencyKey = key()): Promise<string> {
  return refusalOf(act(life, step, idempotencyKey)).then((code) => (code === 'not refused' ? 'ok' : code));
}

async function act({ tenant, db, time, payments }: Life, step: Step, idempotencyKey: string): Promise<unknown> {
  const id = 'slot' in step ? inSlot(payments, step.slot) : '';
  const amount = 'amount' in step && step.amount !== null ? { amount: step.amount } : {};
  const ahead = (seconds: number): Date => new Date(Date.now() + seconds * SECOND);
  switch (step.verb) {
    case 'deposit':
    case 'withdraw':
      return tenant[step.verb]({ account: step.account, asset: 'USD', amount: step.amount, idempotencyKey });
    case 'suspend':
      return tenant.suspendAccount(step.account, 'model');
    case 'reactivate':
      return tenant.reactivateAccount(step.account, 'model');
    case 'pause':
      return tenant.pause('asset', 'USD', 'model');
    case 'lift':
      return tenant.liftPause('asset', 'USD');
    case 'create':
      return create(tenant, step, idempotencyKey).then((made) => {
        if (!payments.includes(made)) payments.push(made);
      });
    case 'cancel':
      return tenant.cancelPayment(id);
    case 'retry':
      return tenant.retryPayment(id);
    case 'run now':
      return tenant.runPaymentNow(id);
    case 'fail':
      return tenant.failPayment(id, 'model');
    case 'capture':
      return tenant.capturePayment(id, { ...amount, idempotencyKey });
    case 'edit':
      return tenant.editPayment(id, { ...amount, ...(step.delay === null ? {} : { executeAt: ahead(step.delay) }) });
    case 'extend':
      return tenant.extendPayment(id, ahead(step.expires));
    case 'refund': {
      const from = step.leg === null ? null : await legOf(tenant, id, step.leg);
      return tenant.refundPayment(id, { ...amount, ...(from === null ? {} : { from }), idempotencyKey });
    }
    case 'process':
      time.advance(step.seconds * SECOND);
      // A new one each time: one that has looked a moment ago may take a priority that it knows of before one that is new.
      return testProcessor(db, { time }).drain();
  }
}

async function create(tenant: TenantHandle, step: Step & { verb: 'create' }, idempotencyKey: string): Promise<string> {
  const { from, to, amount, funding } = step;
  const legs = to.map((payee, n) => ({ to: payee, amount: n === 0 ? amount - (to.length - 1) : 1 }));
  const [only] = to;
  const order = {
    from,
    ...(to.length === 1 && only ? { to: only } : { legs }),
    asset: 'USD',
    amount,
    funding,
    executeAt: new Date(Date.now() + step.delay * SECOND),
    ...(step.expires === null ? {} : { expiresAt: new Date(Date.now() + (step.delay + step.expires) * SECOND) }),
    priority: PRIORITY_NAMES[step.priority] ?? 'normal',
    retry: RETRY,
    idempotencyKey,
  };
  const { id } = await tenant.createPayment(order);
  // The same key again: the same payment, and nothing more happens.
  const again = await tenant.createPayment(order);
  if (again.id !== id) throw new Error(`the key of payment ${id} made another, ${again.id}`);
  return id;
}

async function legOf(tenant: TenantHandle, id: string, leg: number): Promise<string | null> {
  const payment = await tenant.payment(id).catch(() => null);
  return payment?.legs[leg % payment.legs.length]?.accountId ?? null;
}

/** One step after the other. Every outcome and, after every step, everything that can be seen must be the model's. */
export async function liveOneByOne(usance: Engine, steps: readonly Step[]): Promise<string | null> {
  const life = await beginLife(usance);
  const model = new Model();
  for (const [n, ref] of REFS.entries()) {
    model.accounts.set(ref, { active: true, known: n < 2, available: n < 2 ? FUNDS : 0, reserved: 0, wake: false });
  }
  for (const [index, step] of steps.entries()) {
    const expected = model.take(step);
    const actual = await take(life, step);
    const where = `step ${index}, ${JSON.stringify(step)}`;
    if (actual !== expected) return `${where}: ${actual}, the model says ${expected}`;
    // What a person did is seen in its answer; what a processor did has to be looked for.
    const wrong = step.verb === 'process' || index === steps.length - 1 ? await difference(life, model) : null;
    if (wrong) return `${where}: ${wrong}`;
  }
  await endLife(life);
  return null;
}

async function difference({ tenant, payments }: Life, model: Model): Promise<string | null> {
  for (const [ref, holder] of model.accounts) {
    const actual = (await held(tenant, ref)).join(' and ');
    const expected = `${holder.available} and ${holder.reserved}`;
    if (actual !== expected) return `${ref} has ${actual} reserved, the model says ${expected}`;
  }
  for (const [index, pay] of model.payments.entries()) {
    const { status, amount, captured, released, refunded, attempts } = await tenant.payment(payments[index] ?? '');
    const actual = [status, amount, captured, released, refunded, attempts].join(' ');
    const back = pay.legs.reduce((sum, leg) => sum + leg.refunded, 0);
    const expected = [pay.status, pay.amount, pay.captured, pay.released, back, pay.attempts].join(' ');
    if (actual !== expected) return `payment ${index} is ${actual}, the model says ${expected}`;
  }
  return null;
}

/**
 * Eight people and two processors at once. Nobody can say beforehand what each will be answered, but what was
 * acknowledged must hold: every payment is settled once, or waits, or has visibly ended, and every account has what the
 * acknowledged deeds say, and nothing else.
 */
export async function liveAtOnce(usance: Engine, steps: readonly Step[], people = 8): Promise<string | null> {
  const life = await beginLife(usance);
  const done: { step: Step; id: string }[] = [];
  const deeds = steps.filter(({ verb }) => verb !== 'process');
  const person = async (n: number): Promise<void> => {
    for (const [index, step] of deeds.entries()) {
      if (index % people !== n) continue;
      // The slot is looked up once, here: others are adding payments meanwhile.
      const id = 'slot' in step ? inSlot(life.payments, step.slot) : '';
      const fixed = 'slot' in step ? { ...life, payments: [id] } : life;
      if ((await take(fixed, step)) === 'ok') done.push({ step, id });
    }
  };
  const state = { busy: true };
  const processor = async (): Promise<void> => {
    const { run, advance } = testProcessor(usance.db, { batchSize: 5, lanes: 2 });
    while (state.busy) {
      await run();
      advance(30 * SECOND);
    }
  };
  const processors = [processor(), processor()];
  await Promise.all(Array.from({ length: people }, (_, n) => person(n))).finally(() => (state.busy = false));
  await Promise.all(processors);
  const wrong = await checkDone(life, done);
  await refusalOf(life.tenant.liftPause('asset', 'USD'));
  await endLife(life);
  return wrong;
}

async function checkDone(
  { tenant, payments }: Life,
  done: readonly { step: Step; id: string }[],
): Promise<string | null> {
  const totals = new Map(REFS.map((ref, n) => [ref as string, n < 2 ? FUNDS : 0]));
  const refOf = new Map<string, string>();
  for (const ref of REFS) refOf.set((await tenant.account(ref)).id, ref);
  const add = (ref: string, amount: number | bigint): void =>
    void totals.set(ref, (totals.get(ref) ?? 0) + Number(amount));
  for (const { step } of done) {
    if (step.verb === 'deposit') add(step.account, step.amount);
    if (step.verb === 'withdraw') add(step.account, -step.amount);
  }
  for (const id of payments) {
    const payment = await tenant.payment(id);
    const acknowledged = done.filter((deed) => deed.id === id).map((deed) => deed.step.verb);
    const { status, captured, amount, refunded } = payment;
    if (acknowledged.includes('cancel') && !(status === 'cancelled' || (status === 'settled' && captured < amount)))
      return `a payment was cancelled and is ${status} with ${captured} of ${amount}`;
    if (acknowledged.includes('refund') !== refunded > 0n)
      return `refunded is ${refunded}, asked were ${acknowledged.join()}`;
    if (payment.captures !== acknowledged.filter((verb) => verb === 'capture').length)
      return `${payment.captures} captures, acknowledged were ${acknowledged.join()}`;
    add(refOf.get(payment.payerId) ?? '', refunded - captured);
    let [left, ahead] = [captured, amount];
    for (const leg of payment.legs) {
      const share = (2n * left * leg.amount + ahead) / (2n * ahead);
      add(refOf.get(leg.accountId) ?? '', share);
      left -= share;
      ahead -= leg.amount;
    }
    for (const { accountId, amount: back } of await refundsOf(tenant, id)) add(refOf.get(accountId) ?? '', -back);
  }
  for (const [ref, total] of totals) {
    const [available, reserved] = await held(tenant, ref);
    if (available + reserved !== BigInt(total)) return `${ref} has ${available + reserved}, acknowledged were ${total}`;
  }
  return null;
}

/** What went back, as the payer's transfers tell it. */
async function refundsOf(tenant: TenantHandle, id: string): Promise<{ accountId: string; amount: bigint }[]> {
  const { payerId } = await tenant.payment(id);
  const transfers = await tenant.transfers(payerId, { limit: 1_000 });
  return transfers
    .filter(({ paymentId, kind }) => paymentId === id && kind === 'refund')
    .map(({ debitAccountId, amount }) => ({ accountId: debitAccountId, amount }));
}
