// Lives the same life in the model and in the real ledger, each in a tenant of its own, and tells the first difference. It
// speaks to the ledger through a Database handed in, so that a test can hand in one with a bug.
import { IDENTITIES } from '../../../src/access/index.ts';
import { NO_SECRETS } from '../../../src/secrets/index.ts';
import type { Database } from '../../../src/db/index.ts';
import { LIBRARY, callerOf, liveAt, newId } from '../../../src/kernel/index.ts';
import type { LedgerVerbs } from '../../../src/ledger/index.ts';
import { createAsset, ledgerVerbs, openSystemAccounts, verify } from '../../../src/ledger/index.ts';
import { createTenant } from '../../../src/tenants/index.ts';
import { BOOK_CHECKS } from '../books.ts';
import { refusalOf } from '../refusal.ts';
import type { Step } from './model.ts';
import { Model } from './model.ts';
import { BEGINNING } from './steps.ts';

const ASSET = 'USD/2';

export interface Run {
  readonly verbs: LedgerVerbs;
  /** Ids of the reservations, in the order they were made. */
  readonly reservations: string[];
}

/** A tenant of its own: much cheaper than a database of its own, and the tenants are strangers to each other. */
export async function newRun(db: Database): Promise<Run> {
  const clock = liveAt(new Date());
  const { id } = await db.transaction(async (tx) => {
    const tenant = await createTenant(tx, { name: `life-${newId().replaceAll('-', '')}` });
    await openSystemAccounts(tx, clock, LIBRARY, tenant);
    await createAsset(tx, clock, LIBRARY, tenant.id, ASSET);
    return tenant;
  });
  const verbs = ledgerVerbs({
    tenantId: id,
    caller: callerOf({ actor: 'model' }),
    identities: IDENTITIES,
    secrets: NO_SECRETS,
    sql: db,
    run: (work) => db.transaction((tx) => work(tx, liveAt(new Date()))),
    runUntimed: (work) => db.transaction(work),
    moment: () => Promise.resolve(liveAt(new Date())),
  });
  return { verbs, reservations: [] };
}

/** 'ok', or the code of the refusal. Anything else that is thrown is a finding and is thrown on. */
export async function take(run: Run, step: Step, idempotencyKey: string): Promise<string> {
  const { verbs } = run;
  const order = { asset: ASSET, idempotencyKey };
  const outcome = (work: Promise<unknown>): Promise<string> =>
    refusalOf(work).then((code) => (code === 'not refused' ? 'ok' : code));
  switch (step.verb) {
    case 'open':
      return outcome(verbs.openAccount({ ref: step.account }));
    case 'suspend':
      return outcome(verbs.suspendAccount(step.account, 'model'));
    case 'reactivate':
      return outcome(verbs.reactivateAccount(step.account, 'model'));
    case 'deposit':
      return outcome(verbs.deposit({ ...order, ...step }));
    case 'withdraw':
      return outcome(verbs.withdraw({ ...order, ...step }));
    case 'transfer':
      return outcome(verbs.transfer({ ...order, from: step.from, to: step.to, amount: step.amount }));
    case 'reserve':
      return outcome(
        verbs.reserve({ ...order, ...step }).then(({ reservation, replayed }) => {
          if (!replayed) run.reservations.push(reservation);
        }),
      );
    case 'capture':
      return outcome(
        verbs.capture({ reservation: inSlot(run, step.slot), to: step.to, amount: step.amount, idempotencyKey }),
      );
    case 'release': {
      const amount = step.amount === null ? {} : { amount: step.amount };
      return outcome(verbs.release({ reservation: inSlot(run, step.slot), idempotencyKey, ...amount }));
    }
  }
}

function inSlot(run: Run, slot: number): string {
  const { reservations } = run;
  return reservations[slot % Math.max(reservations.length, 1)] ?? newId();
}

/** One verb after the other. Every outcome, and at the end every balance and reservation, must be the model's. */
export async function liveOneByOne(db: Database, steps: readonly Step[]): Promise<string | null> {
  const run = await newRun(db);
  const model = new Model();
  for (const [index, step] of steps.entries()) {
    const expected = model.take(step);
    // Asked again under its key, what was done is done no second time. A reservation's slot may name another by then.
    const times = expected === 'ok' && index % 10 === 0 && step.verb !== 'capture' && step.verb !== 'open' ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const actual = await take(run, step, `step ${index}`);
      if (actual !== expected) return `step ${index}, ${JSON.stringify(step)}: ${actual}, the model says ${expected}`;
    }
  }
  return (await compareBalances(run, model)) ?? (await compareReservations(run, model));
}

async function compareBalances({ verbs }: Run, model: Model): Promise<string | null> {
  for (const [ref, holder] of model.accounts) {
    const [balance] = await verbs.balances(ref);
    const actual = `${balance?.available ?? 0} available, ${balance?.reserved ?? 0} reserved`;
    const expected = `${holder.available} available, ${holder.reserved} reserved`;
    if (actual !== expected) return `${ref} has ${actual}; the model says ${expected}`;
  }
  const [world] = await verbs.balances('world');
  return world?.available === BigInt(-model.outside)
    ? null
    : `world has ${world?.available}; the model says ${-model.outside}`;
}

async function compareReservations({ verbs, reservations }: Run, model: Model): Promise<string | null> {
  for (const [index, hold] of model.holds.entries()) {
    const actual = await verbs.reservation(reservations[index] ?? '');
    if (Number(actual.captured) !== hold.captured || Number(actual.released) !== hold.released) {
      return `reservation ${index} has ${actual.captured} captured, ${actual.released} released; the model says ${hold.captured}, ${hold.released}`;
    }
  }
  return null;
}

/**
 * Many actors at once. Nobody can say beforehand what each will be answered, but what was acknowledged must add up: every
 * balance is the sum of what was said to be done to it, and nothing else.
 */
export async function liveAtOnce(db: Database, steps: readonly Step[], actors = 8): Promise<string | null> {
  const run = await newRun(db);
  const done: { step: Step; reservation: string }[] = [];
  const act = async (step: Step, index: number): Promise<void> => {
    // The slot is looked up once, here: others are adding reservations meanwhile.
    const reservation = 'slot' in step ? inSlot(run, step.slot) : '';
    const fixed = { ...run, reservations: 'slot' in step ? [reservation] : run.reservations };
    if ((await take(fixed, step, `step ${index}`)) === 'ok') done.push({ step, reservation });
  };
  const indexed = [...steps.entries()];
  for (const [index, step] of indexed.slice(0, BEGINNING.length)) await act(step, index);
  await Promise.all(
    Array.from({ length: actors }, async (_, actor) => {
      for (const [index, step] of indexed.slice(BEGINNING.length)) if (index % actors === actor) await act(step, index);
    }),
  );
  return checkSums(run, done);
}

async function checkSums(run: Run, done: readonly { step: Step; reservation: string }[]): Promise<string | null> {
  const expected = new Map<string, bigint>();
  const add = (ref: string, amount: number | bigint): void =>
    void expected.set(ref, (expected.get(ref) ?? 0n) + BigInt(amount));
  const captured = new Map<string, bigint>();
  const accounts = new Map<string, string>();
  for (const { step } of done) {
    if (step.verb === 'open') accounts.set((await run.verbs.account(step.account)).id, step.account);
  }
  for (const { step, reservation } of done) {
    if (step.verb === 'deposit') add(step.account, step.amount);
    if (step.verb === 'withdraw') add(step.account, -step.amount);
    if (step.verb === 'transfer') add(step.from, -step.amount);
    if (step.verb === 'transfer' || step.verb === 'capture') add(step.to, step.amount);
    if (step.verb === 'capture') captured.set(reservation, (captured.get(reservation) ?? 0n) + BigInt(step.amount));
  }
  const reserved = new Map<string, bigint>();
  for (const id of run.reservations) {
    const row = await run.verbs.reservation(id);
    const owner = accounts.get(row.accountId) ?? '';
    if (row.captured !== (captured.get(id) ?? 0n))
      return `a reservation has ${row.captured} captured, ${captured.get(id) ?? 0n} was acknowledged`;
    if (row.captured + row.released > row.amount) return `a reservation of ${row.amount} was used beyond`;
    add(owner, -row.captured);
    reserved.set(owner, (reserved.get(owner) ?? 0n) + row.amount - row.captured - row.released);
  }
  let sum = 0n;
  for (const ref of accounts.values()) {
    const [balance] = await run.verbs.balances(ref);
    const { available = 0n, reserved: held = 0n } = balance ?? {};
    sum += available + held;
    if (available < 0n || held < 0n) return `${ref} has ${available} available, ${held} reserved`;
    if (held !== (reserved.get(ref) ?? 0n))
      return `${ref} has ${held} reserved, its reservations hold ${reserved.get(ref) ?? 0n}`;
    if (available + held !== (expected.get(ref) ?? 0n))
      return `${ref} has ${available + held}, acknowledged were ${expected.get(ref) ?? 0n}`;
  }
  const [world] = await run.verbs.balances('world');
  return sum + (world?.available ?? 0n) === 0n ? null : `everything sums to ${sum + (world?.available ?? 0n)}`;
}

/** What the checks find over all that was lived, as text. */
export async function findings(db: Database): Promise<string[]> {
  const results = await verify(db, BOOK_CHECKS);
  return results.flatMap(({ name, offenders }) =>
    offenders.map((offender) => `${name} ${JSON.stringify(offender.details)}`),
  );
}
