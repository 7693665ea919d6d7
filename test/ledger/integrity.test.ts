// Books broken on purpose, by a superuser who takes triggers and constraints off, as somebody one day will. For each check:
// `verify` finds that kind and names the row, the continuous check finds it and freezes that asset of that tenant alone,
// and an operator's reasoned word lets money leave again.
import { beforeAll, describe, expect, test } from 'vitest';
import { listEventsOf } from '../../src/events/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { liveAt, newId } from '../../src/kernel/index.ts';
import type { SliceReport } from '../../src/ledger/index.ts';
import { checkSlice } from '../../src/ledger/index.ts';
import { BOOK_CHECKS, held, key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

interface Break {
  readonly check: string;
  readonly by: string;
  /** The damage. :tenant, :alice, :bob, :world, :open, :resolved, :transfer and :fresh are ids. */
  readonly sql: string;
  /** What the offender's details say. */
  readonly names: Readonly<Record<string, string>>;
  /** Checks that see the same damage. Left out: none. */
  readonly also?: readonly string[];
  /** Only the whole sum shows it; no account alone does. */
  readonly whole?: true;
}

const BREAKS: readonly Break[] = [
  {
    check: 'balances-not-negative',
    by: 'a reservation of more than there is',
    sql: `insert into usance.reservations (tenant_id, id, account_id, asset, amount, created_at)
            values (:tenant, :fresh, :alice, 'USD/2', 1000, now());
          update usance.balances set available = available - 1000, reserved = reserved + 1000 where account_id = :alice`,
    names: { account: ':alice', available: '-938' },
  },
  {
    check: 'balances-equal-history',
    by: 'a balance raised by hand',
    sql: `update usance.balances set available = available + 1 where account_id = :alice`,
    names: { account: ':alice', available: '63', history: '82' },
    also: ['assets-sum-to-zero'],
  },
  {
    check: 'balances-equal-history',
    by: 'a deleted balance',
    sql: `delete from usance.balances where account_id = :bob`,
    names: { account: ':bob', history: '118' },
    also: ['assets-sum-to-zero'],
  },
  {
    check: 'balances-equal-history',
    by: 'a transfer whose amount was changed',
    sql: `update usance.transfers set amount = amount + 1 where id = :transfer`,
    names: { account: ':alice', history: '81' },
  },
  {
    check: 'balances-equal-history',
    by: 'a removed transfer',
    sql: `delete from usance.transfers where id = :transfer`,
    names: { account: ':bob', history: '108' },
  },
  {
    check: 'reserved-equals-reservations',
    by: 'money set aside for nothing',
    sql: `update usance.balances set available = available - 1, reserved = reserved + 1 where account_id = :alice`,
    names: { account: ':alice', reserved: '21', reservations: '20' },
  },
  {
    check: 'reserved-equals-reservations',
    by: 'a removed reservation',
    sql: `delete from usance.reservations where id = :open`,
    names: { account: ':alice', reserved: '20', reservations: '0' },
  },
  {
    check: 'reservations-resolve-once',
    by: 'more released than was reserved',
    sql: `update usance.reservations set released = released + 1 where id = :resolved`,
    names: { reservation: ':resolved', account: ':alice', released: '3' },
  },
  {
    check: 'reservations-resolve-once',
    by: 'a resolution that came too soon, and its money given back',
    sql: `update usance.reservations set resolved_at = now() where id = :open;
          update usance.balances set available = available + reserved, reserved = 0 where account_id = :alice`,
    names: { reservation: ':open', captured: '0', released: '0' },
  },
  {
    check: 'captures-equal-transfers',
    by: 'a capture called a release',
    sql: `update usance.reservations set captured = captured - 1, released = released + 1 where id = :resolved`,
    names: { reservation: ':resolved', captured: '7', transfers: '8' },
  },
  {
    check: 'transfers-well-formed',
    by: 'a transfer of nothing',
    sql: `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
          values (:tenant, :fresh, :alice, :bob, 'USD/2', 0, 'x', now())`,
    names: { transfer: ':fresh', amount: '0' },
  },
  {
    check: 'transfers-well-formed',
    by: 'a transfer to oneself',
    sql: `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
          values (:tenant, :fresh, :alice, :alice, 'USD/2', 5, 'x', now())`,
    names: { transfer: ':fresh', debit: ':alice', credit: ':alice' },
  },
  {
    check: 'transfers-well-formed',
    by: 'a transfer to nobody',
    sql: `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
          values (:tenant, :fresh, :world, gen_random_uuid(), 'USD/2', 5, 'x', now())`,
    names: { transfer: ':fresh' },
    also: ['balances-equal-history', 'assets-sum-to-zero'],
  },
  {
    check: 'assets-sum-to-zero',
    by: 'money held by the world',
    sql: `insert into usance.balances (tenant_id, account_id, asset, available) values (:tenant, :world, 'USD/2', 7)`,
    names: { sum: '7' },
    also: ['flags-follow-accounts'],
    whole: true,
  },
  {
    check: 'flags-follow-accounts',
    by: 'a balance that may pay although its account is suspended',
    sql: `update usance.accounts set status = 'suspended' where id = :alice`,
    names: { account: ':alice', status: 'suspended' },
    also: ['accounts-are-told'],
  },
  {
    check: 'flags-follow-accounts',
    by: 'a balance that may not be paid although its account is active',
    sql: `update usance.balances set may_credit = false where account_id = :alice`,
    names: { account: ':alice', ref: 'alice' },
  },
];

/** Bookkeeping: what was done without its event. */
const TOLD: readonly [check: string, by: string, sql: string, names: Record<string, string | readonly string[]>][] = [
  [
    'accounts-are-told',
    'a guardian',
    'update usance.accounts set guardian_ids = array[:bob]::uuid[] where id = :alice',
    { account: ':alice', guardians: [':bob'] },
  ],
  [
    'freezes-are-told',
    'a freeze lifted',
    `insert into usance.freezes (tenant_id, id, asset, violation, details, lifted_at, lifted_by, lift_reason)
     values (:tenant, :fresh, 'USD/2', 'x', '{}', now(), 'x', 'x')`,
    { freeze: ':fresh', lifted_by: 'x' },
  ],
];

const NIL = '00000000-0000-0000-0000-000000000000';

describe('broken books', () => {
  const store = useUsance();
  let worlds = 0;

  beforeAll(async () => {
    for (const [table, constraint] of [
      ['balances', 'balances_available_not_negative'],
      ['reservations', 'reservations_never_exceed'],
      ['reservations', 'reservations_resolve_when_used_up'],
      ['transfers', 'transfers_amount_positive'],
      ['transfers', 'transfers_between_two'],
    ]) {
      await store.owner.query(`alter table usance.${table} drop constraint ${constraint}`);
    }
  });

  /** A tenant with some life behind it: alice 62 + 20 reserved, bob 118, carol 100; the same in EUR for carol. */
  const livedIn = async (): Promise<{ tenant: TenantHandle; ids: Record<string, string> }> => {
    const tenant = await store.usance.createTenant({ name: `world-${(worlds += 1)}` });
    await tenant.createAsset('USD/2');
    await tenant.createAsset('EUR/2');
    await open(tenant, { alice: 100, bob: 100, carol: 100 });
    await tenant.deposit({ account: 'carol', asset: 'EUR', amount: 100, idempotencyKey: key() });
    const pay = { from: 'alice', to: 'bob', asset: 'USD', amount: 10, idempotencyKey: key() };
    const { transfer } = await tenant.transfer(pay);
    const reserve = { account: 'alice', asset: 'USD', idempotencyKey: '' };
    const resolved = await tenant.reserve({ ...reserve, amount: 10, idempotencyKey: key() });
    await tenant.capture({ reservation: resolved.reservation, to: 'bob', amount: 8, idempotencyKey: key() });
    await tenant.release({ reservation: resolved.reservation, idempotencyKey: key() });
    const waiting = await tenant.reserve({ ...reserve, amount: 20, idempotencyKey: key() });
    const account = async (ref: string): Promise<string> => (await tenant.account(ref)).id;
    const ids = {
      tenant: tenant.id,
      alice: await account('alice'),
      bob: await account('bob'),
      world: await account('world'),
      open: waiting.reservation,
      resolved: resolved.reservation,
      transfer,
      fresh: newId(),
    };
    return { tenant, ids };
  };
  const fill = (text: string, ids: Record<string, string>): string =>
    text.replaceAll(/:([a-z]+)/g, (whole, name: string) => ids[name] ?? whole);
  /** With every trigger and foreign key asleep. */
  const damage = (text: string, ids: Record<string, string>): Promise<unknown> => {
    const statements = text.replaceAll(/:([a-z]+)\b/g, (whole, name: string) =>
      name in ids ? `'${ids[name]}'` : whole,
    );
    return store.owner.transaction(async (tx) => {
      await tx.query(`set local session_replication_role = replica; ${statements}`);
    });
  };
  const offences = async (tenantId: string): Promise<{ check: string; details: Record<string, unknown> }[]> =>
    (await store.usance.verify()).flatMap(({ name, offenders }) =>
      offenders.filter((offender) => offender.tenantId === tenantId).map(({ details }) => ({ check: name, details })),
    );
  const slice = (tenantId: string, fromBeginning = true): Promise<SliceReport> =>
    checkSlice(store.db, liveAt(new Date()), BOOK_CHECKS, {
      after: { tenantId, id: NIL },
      accounts: 1_000,
      fromBeginning,
    });
  const pay = (tenant: TenantHandle, asset = 'USD'): Promise<string> =>
    refusalOf(tenant.transfer({ from: 'carol', to: 'bob', asset, amount: 1, idempotencyKey: key() }));

  test('are what every check is tried with', () => {
    const told = TOLD.map(([check]) => check);
    expect(new Set([...BREAKS.map((item) => item.check), ...told])).toEqual(
      new Set(BOOK_CHECKS.map((check) => check.name)),
    );
    expect(BOOK_CHECKS.filter(({ kind }) => kind === 'bookkeeping').map(({ name }) => name)).toEqual(told);
  });

  test.each(TOLD)('%s: finds %s without an event, and freezes nothing', async (check, _by, sql, names) => {
    const { tenant, ids } = await livedIn();
    await damage(sql, ids);
    const details = Object.fromEntries(
      Object.entries(names).map(([name, value]) => [
        name,
        typeof value === 'string' ? fill(value, ids) : value.map((each) => fill(each, ids)),
      ]),
    );
    expect(await offences(tenant.id)).toMatchObject([{ check, details }]);
    expect(await slice(tenant.id)).toMatchObject({ violations: [], frozen: 0, reported: 0 });
    expect(await pay(tenant)).toBe('not refused');
  });

  test.each(BREAKS)('$check: finds $by', async (broken) => {
    const { tenant, ids } = await livedIn();
    const { tenant: neighbour } = await livedIn();
    expect(await offences(tenant.id)).toEqual([]);
    expect(await slice(tenant.id)).toMatchObject({ violations: [], frozen: 0 });

    await damage(broken.sql, ids);
    const found = await offences(tenant.id);
    expect([...new Set(found.map((offence) => offence.check))].toSorted()).toEqual(
      [broken.check, ...(broken.also ?? [])].toSorted(),
    );
    const expected = Object.fromEntries(Object.entries(broken.names).map(([name, value]) => [name, fill(value, ids)]));
    const named = found.filter((offence) => offence.check === broken.check).map((offence) => offence.details);
    expect(named).toContainEqual(expect.objectContaining(expected));

    const report = await slice(tenant.id);
    const caught = new Set(report.violations.map((violation) => violation.check));
    expect(caught.has(broken.check)).toBe(!broken.whole);
    expect(report.frozen).toBe(1);
    expect(new Set(report.violations.map((violation) => violation.offender.tenantId))).toEqual(new Set([tenant.id]));

    // Nothing of that asset leaves; everything else goes on.
    expect(await pay(tenant)).toBe('ASSET_FROZEN');
    expect(await refusalOf(tenant.withdraw({ account: 'carol', asset: 'USD', amount: 1, idempotencyKey: key() }))).toBe(
      'ASSET_FROZEN',
    );
    expect(await refusalOf(tenant.reserve({ account: 'carol', asset: 'USD', amount: 1, idempotencyKey: key() }))).toBe(
      'ASSET_FROZEN',
    );
    const capture = { reservation: ids['open'] ?? '', to: 'carol', amount: 1, idempotencyKey: key() };
    expect(['ASSET_FROZEN', 'RESERVATION_NOT_FOUND', 'RESERVATION_RESOLVED']).toContain(
      await refusalOf(tenant.capture(capture)),
    );
    expect(await refusalOf(tenant.deposit({ account: 'carol', asset: 'USD', amount: 1, idempotencyKey: key() }))).toBe(
      'not refused',
    );
    expect(await pay(tenant, 'EUR')).toBe('not refused');
    expect(await pay(neighbour)).toBe('not refused');

    // It is on record, once, however often it is found again.
    expect(await slice(tenant.id)).toMatchObject({ frozen: 0 });
    const [freeze, ...more] = (await store.usance.freezes()).filter((item) => item.tenantId === tenant.id);
    expect(more).toEqual([]);
    expect(freeze).toMatchObject({ asset: 'USD/2', liftedAt: null });
    const events = await listEventsOf(store.db, tenant.id, freeze?.id ?? '');
    expect(events).toMatchObject([
      { type: 'freeze.created', actor: 'system', data: { asset: 'USD/2', violation: freeze?.violation } },
    ]);

    // A person lifts it, and says why.
    const operator = await store.usance.tenant(tenant.id, { actor: 'operator jo' });
    expect(await refusalOf(operator.unfreeze('USD', ' '))).toBe('FIELD_INVALID');
    await operator.unfreeze('USD', 'counted by hand');
    expect(await pay(tenant)).toBe('not refused');
    expect(await refusalOf(operator.unfreeze('USD', 'again'))).toBe('FREEZE_NOT_FOUND');
    expect(await listEventsOf(store.db, tenant.id, freeze?.id ?? '')).toMatchObject([
      { type: 'freeze.created', actor: 'system' },
      { type: 'freeze.lifted', actor: 'operator jo', data: { asset: 'USD/2', reason: 'counted by hand' } },
    ]);
    // Still wrong, so the next look freezes it anew.
    expect(await slice(tenant.id)).toMatchObject({ frozen: 1 });
  });

  test('of a transfer in an asset that nobody has are reported; there is nothing to freeze', async () => {
    const { tenant, ids } = await livedIn();
    await damage(
      `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
       values (:tenant, :fresh, :alice, :bob, 'NONE/2', 5, 'x', now())`,
      ids,
    );
    const report = await slice(tenant.id);
    expect(new Set(report.violations.map((violation) => violation.check))).toEqual(
      new Set(['balances-equal-history', 'transfers-well-formed']),
    );
    expect(report.frozen).toBe(0);
    expect(await pay(tenant)).toBe('not refused');
  });

  test('are found by the loop as well', async () => {
    const { tenant, ids } = await livedIn();
    await damage(`update usance.balances set available = 5 where account_id = :bob`, ids);
    const loop = store.usance.loops.find((candidate) => candidate.name === 'integrity');
    const run = await loop?.runOnce();
    expect(run?.counts).toMatchObject({ frozen: expect.any(Number) as number });
    expect(await pay(tenant)).toBe('ASSET_FROZEN');
    expect(await held(tenant, 'bob')).toEqual([5n, 0n]);
  });
});
