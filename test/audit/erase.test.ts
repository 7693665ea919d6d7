import { beforeAll, describe, expect, test } from 'vitest';
import { verifyChains } from '../../src/audit/index.ts';
import { orderEvents } from '../../src/events/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { key, refusedWhole, troubles } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import { orderAll } from '../support/order.ts';
import { foundAfter } from './tamper.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('erasing', () => {
  const store = useUsance();
  const seal = (): Promise<void> => orderAll(store.db);
  const broken = async (): Promise<unknown> => (await verifyChains(store.db)).flatMap(({ offenders }) => offenders);
  /** The tables in which a text is, in any column of any row. */
  const tablesWith = async (text: string): Promise<string[]> => {
    const tables = await store.owner.query(
      `select relname from pg_class where relnamespace = 'usance'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const found: string[] = [];
    for (const { relname } of tables) {
      const rows = await store.owner.query(`select from usance.${String(relname)} t where t::text like $1 limit 1`, [
        `%${text}%`,
      ]);
      if (rows.length > 0) found.push(String(relname));
    }
    return found;
  };

  test('removes the data of an event, and keeps its type, its actor and the chain', async () => {
    await store.tenant
      .from({
        ip: '192.0.2.9',
        userAgent: 'till/7',
        requestId: 'jane-roe-1985.device-42',
        traceContext: TRACE,
        reason: 'she called from 555-0142',
      })
      .pause('asset', 'USD', 'owes to Jane Roe');
    await store.tenant.liftPause('asset', 'USD');
    await seal();
    const [event] = await store.tenant.auditEvents({ action: 'PAUSE_CREATED' });
    const hash = event?.seal?.hash;
    await store.tenant.eraseAuditEvent(event?.id ?? '', 'a name was in the reason');
    await seal();
    const [after] = await store.tenant.auditEvents({ action: 'PAUSE_CREATED' });
    expect(event).toMatchObject({ reason: 'she called from 555-0142' });
    const erased = { details: { erased: true }, ip: null, userAgent: null, requestId: null, reason: null };
    expect(after).toEqual({ ...event, ...erased });
    expect(after?.seal?.hash).toBe(hash);
    expect(await broken()).toEqual([]);
    for (const text of ['till/7', 'jane-roe-1985', TRACE, '555-0142']) expect(await tablesWith(text)).toEqual([]);
    expect(await store.tenant.auditEvents({ action: 'AUDIT_EVENT_ERASED' })).toMatchObject([
      { actor: 'library', details: { events: [event?.id], reason: 'a name was in the reason' } },
    ]);
    // The salt is gone: nobody finds out what it was by trying.
    const [stored] = await store.owner.query('select salt from usance.events where id = $1::uuid', [event?.id ?? '']);
    expect(stored).toEqual({ salt: null });
  });

  test('waits for no sequencer, and holds up none', async () => {
    await store.tenant.pause('asset', 'USD', 'of June Poe');
    await store.tenant.liftPause('asset', 'USD');
    await seal();
    const [sealed] = await store.tenant.auditEvents({ action: 'PAUSE_CREATED' });
    await store.owner.transaction(
      async (tx) => {
        await tx.query(`select pg_advisory_xact_lock(hashtext('usance.sequencer'))`);
        await store.tenant.eraseAuditEvent(sealed?.id ?? '', 'a name was in the reason');
      },
      { idleLimitMs: 60_000 },
    );
    const [after] = await store.tenant.auditEvents({ action: 'PAUSE_CREATED' });
    expect(after).toMatchObject({ id: sealed?.id, details: { erased: true } });
    await seal();
    expect(await broken()).toEqual([]);
  });

  test('is refused for what is not there, is another tenant’s, was erased, or names erased events', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    const [theirs] = await other.auditEvents();
    const [erased] = await store.tenant.auditEvents({ action: 'PAUSE_CREATED' });
    const [erasing] = await store.tenant.auditEvents({ action: 'AUDIT_EVENT_ERASED' });
    for (const id of [newId(), 'x', theirs?.id, erased?.id, erasing?.id]) {
      expect(await refusedWhole(store.owner, () => store.tenant.eraseAuditEvent(id ?? '', 'why not'))).toBe(
        'EVENT_NOT_FOUND',
      );
    }
    expect(await refusalOf(store.tenant.eraseAuditEvent(theirs?.id ?? '', ' '))).toBe('FIELD_INVALID');
  });

  test('cannot be made to look like something else: what an erased event was is found changed', async () => {
    const found = await foundAfter(store.owner, (tx) =>
      tx.query(`update usance.events set actor = 'somebody else' where data::text = '{"erased":true}'`),
    );
    expect(found[0]).toMatch(/changed/);
  });

  test('meets ordering at any moment, and the chain holds', async () => {
    for (let n = 0; n < 20; n += 1) await store.tenant.setExecutionCap(n + 1);
    const events = await store.tenant.auditEvents({ action: 'EXECUTION_CAP_SET' });
    const erase = events.map((event) => store.tenant.eraseAuditEvent(event.id, 'at once'));
    const sealing = Array.from({ length: 20 }, async () => {
      await orderEvents(store.db);
    });
    await Promise.all([...erase, ...sealing]);
    await seal();
    expect(await broken()).toEqual([]);
    const after = await store.tenant.auditEvents({ action: 'EXECUTION_CAP_SET' });
    expect(after.every(({ details }) => details['erased'] === true)).toBe(true);
  });

  describe('an account', () => {
    const secret = { ref: 'jane.roe', name: 'Jane Roe-4711', contact: { email: 'jane@roe4711.example' } };

    beforeAll(async () => {
      await store.tenant.openAccount({ ref: 'keeper' });
      await store.tenant.openAccount(secret);
      await store.tenant.deposit({ account: 'jane.roe', asset: 'USD', amount: 70, idempotencyKey: key() });
      await store.tenant.editAccount('jane.roe', { name: 'Jane Roe-4711 b' });
      await store.tenant.transfer({ from: 'jane.roe', to: 'keeper', asset: 'USD', amount: 70, idempotencyKey: key() });
      await store.tenant.suspendAccount('jane.roe', 'Jane Roe-4711 asked');
    });

    test('is erased when it is closed, and not before', async () => {
      expect(await refusedWhole(store.owner, () => store.tenant.eraseAccount('jane.roe', 'asked for'))).toBe(
        'ACCOUNT_STATE_CONFLICT',
      );
      expect(await refusalOf(store.tenant.eraseAccount('world', 'asked for'))).toBe('ACCOUNT_STATE_CONFLICT');
      const { id } = await store.tenant.closeAccount('jane.roe', 'Jane Roe-4711 left');
      await seal();
      const erased = await store.tenant.eraseAccount('jane.roe', 'asked for', { ref: true });
      expect(erased).toMatchObject({ id, ref: `erased-${id}`, name: null, contact: null, statusReason: null });
      await seal();
      expect(await store.tenant.account(id)).toEqual(erased);
      expect(await refusalOf(store.tenant.account('jane.roe'))).toBe('ACCOUNT_NOT_FOUND');
      for (const text of ['Roe-4711', 'roe4711', 'jane.roe']) expect(await tablesWith(text)).toEqual([]);
      expect(await store.tenant.transfers(id)).toHaveLength(2);
      expect(await broken()).toEqual([]);
      expect(await troubles(store.usance)).toEqual([]);
      const [last] = await store.tenant.auditEvents({ resourceId: id });
      expect(last).toMatchObject({
        action: 'ACCOUNT_ERASED',
        details: { fields: ['name', 'contact', 'statusReason', 'ref'] },
      });
    });

    test('that is erased several times at once has one event of it', async () => {
      await store.tenant.openAccount({ ref: 'plain', name: 'Plain' });
      await store.tenant.closeAccount('plain', 'left');
      await Promise.all(Array.from({ length: 5 }, () => store.tenant.eraseAccount('plain', 'asked for')));
      const { id } = await store.tenant.account('plain');
      const events = await store.tenant.auditEvents({ resourceId: id });
      expect(events.map((event) => event.action)).toEqual(['ACCOUNT_ERASED', 'ACCOUNT_CLOSED', 'ACCOUNT_CREATED']);
    });
  });
});
