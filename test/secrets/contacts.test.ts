// Contacts of accounts, encrypted at rest: what the database has, what callers see, and what happens without a key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asNumber, asText, asTextOrNull, only } from '../../src/db/index.ts';
import type { Engine, TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { newId } from '../../src/kernel/index.ts';
import { TEST_SECRETS, useDatabase, useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const CONTACT = { email: 'alice@example.com', phone: '+491701234567', zone: 'Europe/Berlin' };

describe('A contact', () => {
  const store = useUsance();
  const stored = async (
    ref: string,
  ): Promise<{ plain: string | null; encrypted: string | null; key: string | null }> => {
    const row = only(
      await store.owner.query(
        `select contact::text as plain, encode(contact_encrypted, 'hex') as encrypted, contact_key
         from usance.accounts where ref = $1::text`,
        [ref],
      ),
    );
    return {
      plain: asTextOrNull(row['plain']),
      encrypted: asTextOrNull(row['encrypted']),
      key: asTextOrNull(row['contact_key']),
    };
  };

  test('is stored encrypted, and read as it was given', async () => {
    const opened = await store.tenant.openAccount({ ref: 'alice', contact: CONTACT });
    expect(opened.contact).toEqual(CONTACT);
    const { plain, encrypted, key } = await stored('alice');
    expect({ plain, key }).toEqual({ plain: null, key: TEST_SECRETS.keyId });
    expect(Buffer.from(encrypted ?? '', 'hex').toString('latin1')).not.toMatch(/alice|4917|Berlin/);
    const { tenant } = store;
    expect((await tenant.account('alice')).contact).toEqual(CONTACT);
    expect((await tenant.accountWithBalances('alice')).account.contact).toEqual(CONTACT);
    expect((await tenant.accountsById([opened.id]))[0]?.contact).toEqual(CONTACT);
    expect((await tenant.accounts()).find(({ ref }) => ref === 'alice')?.contact).toEqual(CONTACT);
    expect((await tenant.accountsPage()).accounts.find(({ ref }) => ref === 'alice')?.contact).toEqual(CONTACT);
    await tenant.openAccount({ ref: 'kid', guardian: 'alice', contact: { email: 'kid@example.com' } });
    expect((await tenant.juniors('alice'))[0]?.contact).toEqual({ email: 'kid@example.com' });
    expect((await tenant.suspendAccount('alice', 'asked')).contact).toEqual(CONTACT);
    expect((await tenant.reactivateAccount('alice', 'asked')).contact).toEqual(CONTACT);
  });

  test('gives an allowance its time zone', async () => {
    const { tenant } = store;
    await tenant.openAccount({ ref: 'mum', contact: { zone: 'Asia/Tokyo' } });
    await tenant.openAccount({ ref: 'child', guardian: 'mum' });
    const order = { asset: 'USD/2', amount: 500, frequency: 'WEEKLY', status: 'ON' } as const;
    expect(await tenant.createAllowance({ ...order, guardian: 'mum', junior: 'child' })).toMatchObject({
      zone: 'Asia/Tokyo',
    });
  });

  test('changes, stays and is cleared', async () => {
    const { tenant } = store;
    await tenant.openAccount({ ref: 'bob', contact: { email: 'bob@example.com', zone: 'UTC' } });
    const before = await stored('bob');
    await tenant.editAccount('bob', { name: 'Bob' });
    expect(await stored('bob')).toEqual(before);
    // The same again, in another order, is no change.
    await tenant.editAccount('bob', { contact: { zone: 'UTC', email: 'bob@example.com' } });
    expect(await stored('bob')).toEqual(before);
    const edited = await tenant.editAccount('bob', { contact: { email: 'b@example.com' } });
    expect(edited.contact).toEqual({ email: 'b@example.com' });
    expect((await stored('bob')).encrypted).not.toBe(before.encrypted);
    expect((await tenant.editAccount('bob', { contact: null })).contact).toBeNull();
    expect(await stored('bob')).toEqual({ plain: null, encrypted: null, key: null });
    const told = await store.owner.query(
      `select data::text as data from usance.events where type = 'account.updated' and resource_id = $1::uuid order by id`,
      [edited.id],
    );
    const changed = told.map((row) => (JSON.parse(asText(row['data'])) as { changed: string[] }).changed);
    expect(changed).toEqual([['name'], [], ['contact'], ['contact']]);
  });

  test('is erased with its account, encrypted or not', async () => {
    const { tenant } = store;
    for (const ref of ['gone', 'gone-plain']) await tenant.openAccount({ ref, contact: CONTACT });
    await store.owner.query(
      `update usance.accounts set contact = '{"email":"old@example.com"}', contact_encrypted = null, contact_key = null where ref = 'gone-plain'`,
    );
    for (const ref of ['gone', 'gone-plain']) {
      await tenant.closeAccount(ref, 'asked');
      expect((await tenant.eraseAccount(ref, 'asked')).contact).toBeNull();
      expect(await stored(ref)).toEqual({ plain: null, encrypted: null, key: null });
    }
  });

  test('of one account does not decrypt in another', async () => {
    for (const ref of ['victim', 'mallory']) await store.tenant.openAccount({ ref, contact: CONTACT });
    await store.owner.query(
      `update usance.accounts set (contact_encrypted, contact_key) =
         (select contact_encrypted, contact_key from usance.accounts where ref = 'victim') where ref = 'mallory'`,
    );
    // Its other fields can be read.
    expect((await store.tenant.account('mallory')).ref).toBe('mallory');
    await expect(store.tenant.account('mallory').then(({ contact }) => contact)).rejects.toThrow(
      /account\.contact .* copied from another row/,
    );
    await store.owner.query(
      `update usance.accounts set contact_encrypted = null, contact_key = null where ref = 'mallory'`,
    );
  });

  test.each([
    ['is not encrypted', `contact_encrypted = '\\x01', contact_key = '00000000'`, 'accounts_contact'],
    ['has another key than it names', `contact_key = '00000000'`, 'accounts_contact_key_is_its_own'],
    ['has no key', `contact_key = null`, 'accounts_contact_key_is_its_own'],
    [
      'has a key that the store does not know',
      `contact_encrypted = overlay(contact_encrypted placing '\\x00000000' from 2), contact_key = '00000000'`,
      'accounts_contact_encryption_key',
    ],
  ])('that %s is refused by the database', async (_, change, constraint) => {
    await expect(store.owner.query(`update usance.accounts set ${change} where ref = 'alice'`)).rejects.toThrow(
      constraint,
    );
  });

  test('is in no other table, and in no column of any table', async () => {
    const tables = await store.owner.query(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'usance' and c.relkind in ('r', 'p') order by 1`,
    );
    expect(tables.length).toBeGreaterThan(30);
    const request = { key: newId(), fingerprint: 'POST /accounts secret@example.com' };
    await store.tenant.idempotently(request, async (verbs) => {
      const { id, contact } = await verbs.openAccount({ ref: 'secret', contact: { email: 'secret@example.com' } });
      return { id, contact: { email: contact?.email ?? '' } };
    });
    const showing: string[] = [];
    for (const row of tables) {
      const name = asText(row['name']);
      const text = `select count(*)::int as count from usance.${name} t where t::text like '%alice@example%' or t::text like '%secret@example%'`;
      if (asNumber(only(await store.owner.query(text))['count']) > 0) showing.push(name);
    }
    expect(showing).toEqual([]);
  });

  test('in a remembered answer is encrypted, and replayed as it was', async () => {
    const { tenant } = store;
    const request = { key: newId(), fingerprint: 'a' };
    const work = async (verbs: Pick<TenantHandle, 'account'>): Promise<{ contact: { email: string }; ref: string }> => {
      const { contact, ref } = await verbs.account('alice');
      return { contact: { email: contact?.email ?? '' }, ref };
    };
    const first = await tenant.idempotently(request, work);
    const again = await tenant.idempotently(request, work);
    expect(again).toEqual({ ...first, replayed: true });
    expect(JSON.stringify(again.answer)).toBe(JSON.stringify(first.answer));
    expect(first.answer.contact.email).toBe(CONTACT.email);
    const row = only(
      await store.owner.query('select answer, fingerprint from usance.idempotency_keys where key = $1::text', [
        request.key,
      ]),
    );
    expect(asText(row['answer'])).toMatch(/^\{"contact":\{"\$encrypted":"01[0-9a-f]+"\},"ref":"alice"\}$/);
    expect(asText(row['fingerprint'])).toMatch(/^k1\.[0-9a-f]{8}\.[0-9a-f]{64}$/);
    expect(await refusalOf(tenant.idempotently({ ...request, fingerprint: 'b' }, work))).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('in an answer from before encryption is replayed too', async () => {
    const { tenant } = store;
    const request = { key: newId(), fingerprint: 'old' };
    await tenant.idempotently(request, async () => ({ contact: null }));
    await store.owner.query(
      `update usance.idempotency_keys set answer = '{"contact":{"email":"old@example.com"}}' where key = $1::text`,
      [request.key],
    );
    const replayed = await tenant.idempotently<{ contact: { email: string } | null }>(request, async () => ({
      contact: null,
    }));
    expect(replayed).toEqual({ answer: { contact: { email: 'old@example.com' } }, replayed: true });
  });
});

describe('Without a key', () => {
  const database = useDatabase();
  let usance: Engine;
  let tenant: TenantHandle;
  beforeAll(async () => {
    usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false });
    tenant = await usance.createTenant({ name: 'shop' });
    await tenant.openAccount({ ref: 'alice', name: 'Alice' });
    await tenant.openAccount({ ref: 'plain' });
    await database.owner.query(`update usance.accounts set contact = '{"email":"p@example.com"}' where ref = 'plain'`);
  });
  afterAll(() => usance.close());

  test('a contact is refused, and nothing is opened or changed', async () => {
    expect(await refusalOf(tenant.openAccount({ ref: 'bob', contact: CONTACT }))).toBe('ENCRYPTION_KEY_MISSING');
    expect(await refusalOf(tenant.account('bob'))).toBe('ACCOUNT_NOT_FOUND');
    expect(await refusalOf(tenant.editAccount('alice', { name: 'A', contact: CONTACT }))).toBe(
      'ENCRYPTION_KEY_MISSING',
    );
    expect((await tenant.account('alice')).name).toBe('Alice');
  });

  test('everything else works, also with a contact from before', async () => {
    expect((await tenant.account('plain')).contact).toEqual({ email: 'p@example.com' });
    const edited = await tenant.editAccount('plain', { name: 'Plain', contact: { email: 'p@example.com' } });
    expect(edited).toMatchObject({ name: 'Plain', contact: { email: 'p@example.com' } });
    expect((await tenant.suspendAccount('plain', 'asked')).contact).toEqual({ email: 'p@example.com' });
    expect((await tenant.editAccount('plain', { contact: null })).contact).toBeNull();
  });

  test('the loop encrypts nothing', async () => {
    await database.owner.query(`update usance.accounts set contact = '{"email":"p@example.com"}' where ref = 'plain'`);
    const loop = usance.loops.find(({ name }) => name === 'encrypt');
    expect(await loop?.runOnce()).toEqual({ counts: { encrypted: 0 }, more: false });
  });
});
