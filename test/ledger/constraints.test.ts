// What no statement gets past: not a bug of ours, and not the owner of the schema with a prompt and good intentions.
import { beforeAll, describe, expect, test } from 'vitest';
import { sqlState, violatedConstraint } from '../../src/db/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { systemAccountId } from '../../src/ledger/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const CHECK = '23514';
const UNIQUE = '23505';
const FOREIGN = '23503';
const RESTRICT = '23001';
const DENIED = '42501';

describe('the database itself', () => {
  const store = useUsance();
  const ids = { tenant: '', alice: '', bob: '', other: '', stranger: '', open: '', resolved: '', world: '' };

  beforeAll(async () => {
    await open(store.tenant, { alice: 100, bob: 100 });
    const reserve = { account: 'alice', asset: 'USD', amount: 10, idempotencyKey: key() };
    ids.open = (await store.tenant.reserve(reserve)).reservation;
    ids.resolved = (await store.tenant.reserve({ ...reserve, idempotencyKey: key() })).reservation;
    await store.tenant.release({ reservation: ids.resolved, idempotencyKey: key() });
    await store.tenant.capture({ reservation: ids.open, to: 'bob', amount: 3, idempotencyKey: key() });
    await store.tenant.suspendAccount('bob', 'for an event');
    await store.tenant.reactivateAccount('bob', 'for an event');
    const other = await store.usance.createTenant({ name: 'other' });
    await other.createAsset('USD/2');
    ids.tenant = store.tenant.id;
    ids.world = systemAccountId(ids.tenant, 'world');
    ids.alice = (await store.tenant.account('alice')).id;
    ids.bob = (await store.tenant.account('bob')).id;
    ids.other = other.id;
    ids.stranger = (await other.openAccount({ ref: 'stranger' })).id;
  });

  /** The owner tries; whatever it did is undone. What stopped it, as "SQLSTATE constraint". */
  const attempt = async (text: string): Promise<string> => {
    const statement = text.replaceAll(/:(\w+)/g, (whole, name: string) =>
      name in ids ? `'${ids[name as keyof typeof ids]}'` : whole,
    );
    const undo = new Error('undo');
    const outcome = await store.owner
      .transaction(async (tx) => {
        await tx.query(statement);
        await tx.query('set constraints all immediate');
        throw undo;
      })
      .catch((error: unknown) => error);
    if (outcome === undo) return 'nothing stopped it';
    return [sqlState(outcome) ?? String(outcome), violatedConstraint(outcome) ?? ''].join(' ').trim();
  };
  const transfer = (
    fields: { tenant?: string; debit?: string; credit?: string; asset?: string; amount?: string } = {},
  ): string =>
    `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
     values (${fields.tenant ?? ':tenant'}, '${newId()}', ${fields.debit ?? ':alice'}, ${fields.credit ?? ':bob'},
             '${fields.asset ?? 'USD/2'}', ${fields.amount ?? '1'}, 'raw', now())`;

  const account = (ref: string, kind: string): string =>
    `insert into usance.accounts (tenant_id, id, ref, kind, created_at, updated_at)
     values (:tenant, '${newId()}', '${ref}', '${kind}', now(), now())`;

  test('lets a transfer through that is in order', async () => {
    expect(await attempt(transfer())).toBe('nothing stopped it');
  });

  test.each([
    [
      'a negative balance',
      'update usance.balances set available = -1 where account_id = :alice',
      `${CHECK} balances_available_not_negative`,
    ],
    [
      'a negative reserve',
      'update usance.balances set reserved = -1 where account_id = :alice',
      `${CHECK} balances_reserved_not_negative`,
    ],
    ['a balance beyond a bigint', 'update usance.balances set available = 9223372036854775807 + 1', '22003'],
    [
      'a balance of no account',
      `insert into usance.balances values (:tenant, gen_random_uuid(), 'USD/2')`,
      `${FOREIGN} balances_account_exists`,
    ],
    [
      'a balance of another tenant’s account',
      `insert into usance.balances values (:tenant, :stranger, 'USD/2')`,
      `${FOREIGN} balances_account_exists`,
    ],
    [
      'a balance in no asset',
      `insert into usance.balances values (:tenant, :alice, 'EUR/2')`,
      `${FOREIGN} balances_asset_exists`,
    ],
    ['a second balance', `insert into usance.balances values (:tenant, :alice, 'USD/2')`, `${UNIQUE} balances_pkey`],
    ['a transfer of nothing', transfer({ amount: '0' }), `${CHECK} transfers_amount_positive`],
    ['a negative transfer', transfer({ amount: '-1' }), `${CHECK} transfers_amount_positive`],
    ['a transfer to oneself', transfer({ credit: ':alice' }), `${CHECK} transfers_between_two`],
    ['a transfer to another tenant', transfer({ credit: ':stranger' }), FOREIGN],
    ['a transfer from another tenant', transfer({ debit: ':stranger' }), FOREIGN],
    ['a transfer under another tenant’s name', transfer({ tenant: ':other' }), FOREIGN],
    ['a transfer in an asset the tenant lacks', transfer({ asset: 'EUR/2' }), FOREIGN],
    ['a changed transfer', 'update usance.transfers set amount = amount + 1', RESTRICT],
    ['a removed transfer', 'delete from usance.transfers', RESTRICT],
    ['removed transfers', 'truncate usance.transfers', RESTRICT],
    ['a changed event', `update usance.events set type = 'x'`, RESTRICT],
    ['a removed event', 'delete from usance.events', RESTRICT],
    ['removed events', 'truncate usance.events', RESTRICT],
    [
      'a second scale for a code',
      `insert into usance.assets values (:tenant, 'USD/6', 'USD', 6)`,
      `${UNIQUE} assets_one_scale_per_code`,
    ],
    [
      'an asset called otherwise',
      `insert into usance.assets values (:tenant, 'EUR/2', 'EUR', 3)`,
      `${CHECK} assets_name_is_code_and_scale`,
    ],
    [
      'a scale above nine',
      `insert into usance.assets values (:tenant, 'EUR/10', 'EUR', 10)`,
      `${CHECK} assets_scale_check`,
    ],
    ['a changed asset', 'update usance.assets set created_at = now()', RESTRICT],
    ['a removed asset', 'delete from usance.assets', RESTRICT],
    ['a removed account', 'delete from usance.accounts', RESTRICT],
    ['removed accounts', 'truncate usance.accounts cascade', RESTRICT],
    ['a ref twice', account('alice', 'user'), `${UNIQUE} accounts_ref_key`],
    ['a ref that moves to another account', `update usance.accounts set ref = 'bob-2' where id = :bob`, RESTRICT],
    [
      'a ref erased of an account that is not closed',
      `update usance.accounts set ref = 'erased-' || id where id = :bob`,
      RESTRICT,
    ],
    [
      'a guardian of oneself',
      'update usance.accounts set guardian_ids = array[id] where id = :bob',
      `${CHECK} accounts_guardian_is_another`,
    ],
    [
      'a guardian of another tenant',
      'update usance.accounts set guardian_ids = array[:stranger]::uuid[] where id = :bob',
      `${FOREIGN} accounts_guardian_exists`,
    ],
    ['a fourth system account', account('dave', 'system'), `${CHECK} accounts_system_refs`],
    [
      'a suspended world',
      `update usance.accounts set status = 'suspended' where id = :world`,
      `${CHECK} accounts_system_is_active`,
    ],
    [
      'an unknown state',
      `update usance.accounts set status = 'asleep' where id = :bob`,
      `${CHECK} accounts_status_check`,
    ],
    [
      'a capture beyond the amount',
      'update usance.reservations set captured = 11 where id = :open',
      `${CHECK} reservations_never_exceed`,
    ],
    [
      'a capture and release beyond the amount',
      'update usance.reservations set released = 8 where id = :open',
      `${CHECK} reservations_never_exceed`,
    ],
    [
      'a used-up reservation that is open',
      'update usance.reservations set captured = 10 where id = :open',
      `${CHECK} reservations_resolve_when_used_up`,
    ],
    [
      'a resolved reservation that is not used up',
      'update usance.reservations set resolved_at = now() where id = :open',
      `${CHECK} reservations_resolve_when_used_up`,
    ],
    ['a capture taken back', 'update usance.reservations set captured = 2 where id = :open', RESTRICT],
    ['a reservation of another amount', 'update usance.reservations set amount = 20 where id = :open', RESTRICT],
    ['a reservation of another account', 'update usance.reservations set account_id = :bob where id = :open', RESTRICT],
    [
      'a reservation resolved twice',
      'update usance.reservations set resolved_at = now() where id = :resolved',
      RESTRICT,
    ],
    [
      'a reservation opened again',
      'update usance.reservations set released = 0, resolved_at = null where id = :resolved',
      RESTRICT,
    ],
    ['a removed reservation', 'delete from usance.reservations', RESTRICT],
    ['removed reservations', 'truncate usance.reservations', RESTRICT],
    [
      'a reservation of another tenant’s account',
      `insert into usance.reservations values (:tenant, gen_random_uuid(), :stranger, 'USD/2', 1, 0, 0, now())`,
      `${FOREIGN} reservations_account_exists`,
    ],
    [
      'a reservation of nothing',
      `insert into usance.reservations values (:tenant, gen_random_uuid(), :alice, 'USD/2', 0, 0, 0, now())`,
      `${CHECK} reservations_amount_check`,
    ],
    [
      'a default asset that is none',
      `update usance.tenants set default_asset = 'EUR/2' where id = :tenant`,
      `${FOREIGN} tenants_default_asset_exists`,
    ],
    [
      'a tenant’s name twice',
      `insert into usance.tenants (id, name, kind) values (gen_random_uuid(), 'shop', 'live')`,
      `${UNIQUE} tenants_name_key`,
    ],
    ['another name for a tenant', `update usance.tenants set name = 'shop-2' where id = :other`, RESTRICT],
    [
      'a first tenant that is no longer the first',
      'update usance.tenants set is_first = false where is_first',
      RESTRICT,
    ],
    ['a removed tenant', 'delete from usance.tenants', FOREIGN],
    [
      'a freeze lifted by nobody',
      `insert into usance.freezes (tenant_id, id, asset, violation, details, lifted_at) values (:tenant, gen_random_uuid(), 'USD/2', 'x', '{}', now())`,
      `${CHECK} freezes_lifted_by_someone`,
    ],
  ])('stops %s, even from the owner', async (_what, text, expected) => {
    const [state, constraint] = (await attempt(text)).split(' ');
    expect(expected.includes(' ') ? `${state} ${constraint}` : state).toBe(expected);
  });

  test('stops changes to history that name its partitions', async () => {
    const partitions = await store.owner.query(
      `select i.inhrelid::regclass::text as name from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
       where p.relname not in ('executions', 'invocations', 'delivery_attempts')`,
    );
    expect(partitions.length).toBeGreaterThanOrEqual(10);
    for (const { name } of partitions) {
      expect(await attempt(`delete from ${String(name)}`)).toBe(RESTRICT);
      expect(await attempt(`update ${String(name)} set tenant_id = tenant_id`)).toBe(RESTRICT);
      expect(await attempt(`truncate ${String(name)}`)).toBe(RESTRICT);
    }
  });

  test.each([
    'update usance.transfers set amount = 1',
    'delete from usance.transfers',
    'truncate usance.transfers',
    `update usance.events set type = 'x'`,
    'delete from usance.events',
    'update usance.assets set scale = 3',
    'delete from usance.assets',
    'delete from usance.accounts',
    'delete from usance.reservations',
    'delete from usance.balances',
    'delete from usance.tenants',
    'delete from usance.freezes',
    'update usance.opening_balances set amount = 1',
    'delete from usance.migrations',
    'insert into usance.transfers_default select * from usance.transfers',
    'alter table usance.transfers disable trigger user',
    'alter table usance.balances drop constraint balances_available_not_negative',
    'create table usance.mine (n int)',
    'drop table usance.transfers',
    `set session_replication_role = 'replica'`,
  ])('denies the role that the engine runs as: %s', async (text) => {
    const outcome = await store.db.query(text).catch((error: unknown) => sqlState(error));
    expect(outcome).toBe(DENIED);
  });

  test('was not changed by any of that', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
