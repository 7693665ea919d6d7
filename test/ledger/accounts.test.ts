import { describe, expect, test } from 'vitest';
import { listEventsOf } from '../../src/events/index.ts';
import { ACCOUNT_MOVES } from '../../src/ledger/index.ts';
import { held, key, open, refusedWhole, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('an account', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>): Promise<string> => refusedWhole(store.owner, work);

  test('is opened active and empty, and found by its ref and its id', async () => {
    const opened = await store.tenant.openAccount({
      ref: 'alice',
      kind: 'merchant',
      name: 'Alice & Söhne',
      contact: { email: 'alice@example.org', phone: '+491701234567', zone: 'Europe/Berlin' },
    });
    expect(opened).toMatchObject({
      ref: 'alice',
      kind: 'merchant',
      status: 'active',
      guardianId: null,
      guardianIds: [],
      statusReason: null,
    });
    expect(await store.tenant.account('alice')).toEqual(opened);
    expect(await store.tenant.account(opened.id)).toEqual(opened);
    expect(await store.tenant.balances('alice')).toEqual([]);
  });

  test('has a ref that no other account of its tenant has', async () => {
    expect(await refused(() => store.tenant.openAccount({ ref: 'alice' }))).toBe('ACCOUNT_EXISTS');
    const other = await store.usance.createTenant({ name: 'another-shop' });
    expect(await other.openAccount({ ref: 'alice' })).toMatchObject({ ref: 'alice' });
  });

  test.each(['world', 'fees', 'suspense'])('cannot take the name of the system account %s', async (ref) => {
    expect(await refused(() => store.tenant.openAccount({ ref }))).toBe('ACCOUNT_EXISTS');
  });

  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(201), 'line\nbreak', 'null\0'])('cannot be called %o', async (ref) => {
    expect(await refused(() => store.tenant.openAccount({ ref }))).toBe('FIELD_INVALID');
  });

  test.each([
    { email: 'nobody' },
    { email: 'a b@c' },
    { phone: '0170 1234567' },
    { phone: '+1' },
    { zone: 'Europe/Atlantis' },
    { zone: '' },
  ])('cannot have the contact %o', async (contact) => {
    expect(await refused(() => store.tenant.openAccount({ ref: 'x', contact }))).toBe('FIELD_INVALID');
    expect(await refused(() => store.tenant.editAccount('alice', { contact }))).toBe('FIELD_INVALID');
  });

  test('is not found when the tenant has none, whatever asks for it', async () => {
    const order = { asset: 'USD', amount: 1, idempotencyKey: 'never' };
    const asks = [
      () => store.tenant.account('nobody'),
      () => store.tenant.balances('nobody'),
      () => store.tenant.transfers('nobody'),
      () => store.tenant.reservations('nobody'),
      () => store.tenant.deposit({ ...order, account: 'nobody' }),
      () => store.tenant.withdraw({ ...order, account: 'nobody' }),
      () => store.tenant.transfer({ ...order, from: 'nobody', to: 'alice' }),
      () => store.tenant.transfer({ ...order, from: 'alice', to: 'nobody' }),
      () => store.tenant.reserve({ ...order, account: 'nobody' }),
      () => store.tenant.suspendAccount('nobody', 'x'),
      () => store.tenant.editAccount('nobody', { name: 'x' }),
      () => store.tenant.editAccount('alice', { guardian: 'nobody' }),
      () => store.tenant.openAccount({ ref: 'x', guardian: 'nobody' }),
    ];
    for (const ask of asks) expect(await refused(ask)).toBe('ACCOUNT_NOT_FOUND');
  });

  test('of another tenant is not found, by ref or by id', async () => {
    const other = await store.usance.createTenant({ name: 'elsewhere' });
    const stranger = await other.openAccount({ ref: 'stranger' });
    for (const name of ['stranger', stranger.id]) {
      expect(await refused(() => store.tenant.account(name))).toBe('ACCOUNT_NOT_FOUND');
      expect(await refused(() => store.tenant.openAccount({ ref: 'x', guardian: name }))).toBe('ACCOUNT_NOT_FOUND');
      expect(await refused(() => store.tenant.editAccount('alice', { guardian: name }))).toBe('ACCOUNT_NOT_FOUND');
      const pay = { from: 'alice', to: name, asset: 'USD', amount: 1, idempotencyKey: 'x' };
      expect(await refused(() => store.tenant.transfer(pay))).toBe('ACCOUNT_NOT_FOUND');
    }
  });

  test('whose ref is another’s id does not stand in for it', async () => {
    const victim = await store.tenant.openAccount({ ref: 'victim' });
    const pretender = await store.tenant.openAccount({ ref: victim.id });
    expect(await store.tenant.account(victim.id)).toMatchObject({ id: victim.id, ref: 'victim' });
    expect(await store.tenant.account(pretender.id)).toMatchObject({ id: pretender.id });
    expect(await store.tenant.openAccount({ ref: 'ward', guardian: victim.id })).toMatchObject({
      guardianId: victim.id,
    });
    expect(await store.tenant.editAccount('ward', { guardian: victim.id })).toMatchObject({ guardianId: victim.id });
  });

  test('may have a guardian, who is another account of the tenant', async () => {
    const alice = await store.tenant.account('alice');
    const junior = await store.tenant.openAccount({ ref: 'junior', guardian: 'alice' });
    expect(junior.guardianId).toBe(alice.id);
    expect(await refused(() => store.tenant.editAccount('junior', { guardian: 'junior' }))).toBe('FIELD_INVALID');
    expect((await store.tenant.editAccount('junior', { guardian: null })).guardianId).toBeNull();
    expect((await store.tenant.editAccount('junior', { guardian: alice.id })).guardianId).toBe(alice.id);
  });

  test('is edited field by field, and history tells which, not to what', async () => {
    const { id } = await store.tenant.openAccount({
      ref: 'edited',
      name: 'Old Name',
      contact: { email: 'old@example.org' },
    });
    await store.tenant.editAccount('edited', { name: 'New Name' });
    expect(await store.tenant.account('edited')).toMatchObject({
      name: 'New Name',
      contact: { email: 'old@example.org' },
    });
    await store.tenant.editAccount('edited', { contact: null });
    expect(await store.tenant.account('edited')).toMatchObject({ name: 'New Name', contact: null });
    const told = JSON.stringify(await listEventsOf(store.db, store.tenant.id, id));
    expect(told).toContain('account.updated');
    expect(told).not.toMatch(/New Name|old@example/);
  });

  test('is listed in pages', async () => {
    const all = await store.tenant.accounts();
    expect(all.length).toBeGreaterThan(5);
    const paged: typeof all = [];
    for (;;) {
      const last = paged.at(-1);
      const page = await store.tenant.accounts({ limit: 2, ...(last ? { after: last.id } : {}) });
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(all);
    expect(await refused(() => store.tenant.accounts({ after: 'x' }))).toBe('ID_INVALID');
    expect(await refused(() => store.tenant.transfers('alice', { before: 'x' }))).toBe('ID_INVALID');
    expect(await refused(() => store.tenant.reservations('alice', { before: 'x' }))).toBe('ID_INVALID');
  });
});

describe('the state of an account', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>): Promise<string> => refusedWhole(store.owner, work);
  const pay = (from: string, to: string) => ({ from, to, asset: 'USD', amount: 1, idempotencyKey: key() });

  test('moves as its table says, and no other way', async () => {
    const verbs = { active: 'reactivateAccount', suspended: 'suspendAccount', closed: 'closeAccount' } as const;
    const states = Object.keys(ACCOUNT_MOVES) as (keyof typeof verbs)[];
    for (const from of states) {
      for (const to of states) {
        const ref = `${from}-${to}`;
        await store.tenant.openAccount({ ref });
        await store.tenant[verbs[from]](ref, 'to begin with');
        const outcome = await refusalOf(store.tenant[verbs[to]](ref, 'as the table says'));
        const legal = from === to || ACCOUNT_MOVES[from].includes(to);
        expect(`${ref}: ${outcome}`).toBe(`${ref}: ${legal ? 'not refused' : 'ACCOUNT_STATE_CONFLICT'}`);
        expect((await store.tenant.account(ref)).status).toBe(legal ? to : from);
      }
    }
  });

  test('asked for again is told once', async () => {
    const { id } = await store.tenant.openAccount({ ref: 'twice' });
    await store.tenant.suspendAccount('twice', 'first');
    await store.tenant.suspendAccount('twice', 'second');
    expect(await store.tenant.account('twice')).toMatchObject({ status: 'suspended', statusReason: 'first' });
    const events = await listEventsOf(store.db, store.tenant.id, id);
    expect(events.map((event) => event.type)).toEqual(['account.created', 'account.suspended']);
    expect(events[1]).toMatchObject({
      data: { old: { status: 'active' }, new: { status: 'suspended' }, reason: 'first' },
    });
    expect(events[0]?.actor).toBe('library');
  });

  test('suspended neither pays nor is paid, in an asset it holds or not', async () => {
    await store.tenant.createAsset('EUR/2');
    await open(store.tenant, { rich: 100, sender: 100 });
    const { reservation } = await store.tenant.reserve({ ...pay('', ''), account: 'rich', amount: 40 });
    await store.tenant.suspendAccount('rich', 'under review');
    const order = { asset: 'USD', amount: 1, idempotencyKey: key() };
    const asks = [
      () => store.tenant.transfer(pay('rich', 'sender')),
      () => store.tenant.transfer(pay('sender', 'rich')),
      () => store.tenant.deposit({ ...order, account: 'rich' }),
      () => store.tenant.deposit({ ...order, account: 'rich', asset: 'EUR' }),
      () => store.tenant.withdraw({ ...order, account: 'rich' }),
      () => store.tenant.reserve({ ...order, account: 'rich' }),
      () => store.tenant.capture({ reservation, to: 'sender', amount: 1, idempotencyKey: key() }),
    ];
    for (const ask of asks) expect(await refused(ask)).toBe('ACCOUNT_NOT_ACTIVE');
    // A release moves nothing out: what was reserved comes back, and stays where it is.
    await store.tenant.release({ reservation, amount: 15, idempotencyKey: key() });
    await store.tenant.release({ reservation, idempotencyKey: key() });
    expect(await held(store.tenant, 'rich')).toEqual([100n, 0n]);
    await store.tenant.reactivateAccount('rich', 'all is well');
    await store.tenant.transfer(pay('rich', 'sender'));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('closed is possible only when nothing is held, and for good', async () => {
    await open(store.tenant, { leaver: 10 });
    const { reservation } = await store.tenant.reserve({ ...pay('', ''), account: 'leaver', amount: 10 });
    expect(await refused(() => store.tenant.closeAccount('leaver', 'bye'))).toBe('ACCOUNT_NOT_EMPTY');
    await store.tenant.release({ reservation, idempotencyKey: key() });
    expect(await refused(() => store.tenant.closeAccount('leaver', 'bye'))).toBe('ACCOUNT_NOT_EMPTY');
    await store.tenant.withdraw({ account: 'leaver', asset: 'USD', amount: 10, idempotencyKey: key() });
    await store.tenant.closeAccount('leaver', 'bye');
    expect(await refused(() => store.tenant.transfer(pay('sender', 'leaver')))).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await refused(() => store.tenant.transfer(pay('leaver', 'sender')))).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await refused(() => store.tenant.reactivateAccount('leaver', 'back'))).toBe('ACCOUNT_STATE_CONFLICT');
    expect(await refused(() => store.tenant.openAccount({ ref: 'leaver' }))).toBe('ACCOUNT_EXISTS');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(['world', 'fees', 'suspense'])('of %s never changes, nor anything else of it', async (ref) => {
    expect(await refused(() => store.tenant.suspendAccount(ref, 'x'))).toBe('ACCOUNT_STATE_CONFLICT');
    expect(await refused(() => store.tenant.closeAccount(ref, 'x'))).toBe('ACCOUNT_STATE_CONFLICT');
    expect(await refused(() => store.tenant.editAccount(ref, { name: 'x' }))).toBe('ACCOUNT_STATE_CONFLICT');
  });
});
