// The tables of the document on delayed payments, as views: every column it names, a real row of every status, and its own
// queries as it writes them.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Row } from '../../src/db/index.ts';
import { createPool } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, testProcessor } from '../support/processor.ts';

const COLUMNS = {
  user_accounts: ['user_id', 'username', 'status', 'created_at'],
  user_balances: ['user_id', 'available_balance', 'reserved_balance', 'total_balance', 'last_updated', 'version'],
  balance_reservations: ['reservation_id', 'user_id', 'amount', 'hold_id', 'created_at', 'expires_at', 'status'],
  payment_holds: [
    'hold_id',
    'from_user_id',
    'to_user_id',
    'amount',
    'created_at',
    'execute_at',
    'status',
    'reservation_id',
    'retry_count',
    'last_error',
    'metadata',
    'completed_at',
    'cancelled_at',
  ],
  hold_events: ['event_id', 'hold_id', 'event_type', 'from_status', 'to_status', 'created_at', 'details'],
  audit_events: [
    'event_id',
    'user_id',
    'action_type',
    'resource_type',
    'resource_id',
    'timestamp',
    'details',
    'ip_address',
    'user_agent',
  ],
  system_metrics: ['metric_id', 'metric_name', 'metric_value', 'labels', 'timestamp'],
} as const;

describe('the tables of the holds design', () => {
  const store = useUsance();
  const docs = (text: string): Promise<Row[]> =>
    store.db.transaction(async (tx) => {
      await tx.query('set local search_path = usance_docs');
      return tx.query(text);
    });
  const hold = (fields: object) =>
    store.tenant.createPayment({ from: 'a', to: 'b', asset: 'USD', amount: 100, ...fields, idempotencyKey: key() });
  const ids = { COMPLETED: '', CANCELLED: '', EXPIRED: '', FAILED: '', PENDING: '' };
  const ledger = { a: '', b: '' };

  test('are filled by an ordinary life', async () => {
    await open(store.tenant, { a: 1_000, b: 0, gone: 0, idle: 0 });
    ledger.a = (await store.tenant.account('a')).id;
    ledger.b = (await store.tenant.account('b')).id;
    await store.tenant.closeAccount('gone', 'left');
    ids.COMPLETED = (await hold({ metadata: { order: 7 } })).id;
    ids.CANCELLED = (await hold({ delay: '48h' })).id;
    await store.tenant.cancelPayment(ids.CANCELLED, { reason: 'changed their mind' });
    ids.FAILED = (await hold({ delay: '48h' })).id;
    await store.tenant.failPayment(ids.FAILED, 'wrong address');
    ids.EXPIRED = (await hold({ to: 'idle', delay: '1h', expiresAt: new Date(Date.now() + 2 * HOUR) })).id;
    await store.tenant.suspendAccount('idle', 'asked to');
    ids.PENDING = (await hold({ delay: '48h' })).id;
    const processor = testProcessor(store.db);
    await processor.drain();
    await processor.drainAfter(HOUR);
    await processor.drainAfter(HOUR);
    await store.owner.query(
      `insert into usance.system_metrics (id, name, value) values (gen_random_uuid(), 'payments_completed_total', 1)`,
    );
    expect(await store.tenant.payment(ids.EXPIRED)).toMatchObject({ status: 'expired' });
  });

  test.each(Object.entries(COLUMNS))('%s has every column of the design', async (view, columns) => {
    const rows = await docs(`select ${columns.map((column) => `"${column}"`).join(', ')} from ${view}`);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('payment_holds has a row of every status, in the words of the design', async () => {
    const rows = await docs(
      'select hold_id, status, completed_at, cancelled_at, last_error, metadata from payment_holds',
    );
    expect(Object.fromEntries(rows.map((row) => [row['status'], row['hold_id']]))).toEqual(ids);
    expect(rows.find((row) => row['status'] === 'COMPLETED')).toMatchObject({
      metadata: { order: 7 },
      last_error: null,
    });
    for (const row of rows) {
      expect(row['completed_at'] !== null).toBe(row['status'] === 'COMPLETED');
      expect(row['cancelled_at'] !== null).toBe(row['status'] === 'CANCELLED');
    }
  });

  test('user_accounts and balance_reservations say how they stand', async () => {
    const accounts = await docs(`select username, status from user_accounts where username in ('a', 'gone', 'idle')`);
    expect(Object.fromEntries(accounts.map((row) => [row['username'], row['status']]))).toEqual({
      a: 'ACTIVE',
      gone: 'DELETED',
      idle: 'SUSPENDED',
    });
    const reservations = await docs('select hold_id, status from balance_reservations');
    expect(Object.fromEntries(reservations.map((row) => [row['hold_id'], row['status']]))).toEqual({
      [ids.COMPLETED]: 'CAPTURED',
      [ids.CANCELLED]: 'RELEASED',
      [ids.FAILED]: 'RELEASED',
      [ids.EXPIRED]: 'EXPIRED',
      [ids.PENDING]: 'ACTIVE',
    });
  });

  test('the balance query of the design runs as written', async () => {
    const [row] = await docs(`SELECT available_balance FROM user_balances
         WHERE user_id = '${ledger.a}'`);
    expect(row).toEqual({ available_balance: '800' });
    const [whole] = await docs(
      `select reserved_balance, total_balance, last_updated is not null as dated from user_balances where user_id = '${ledger.a}'`,
    );
    expect(whole).toEqual({ reserved_balance: '100', total_balance: '900', dated: true });
    const [held] = await docs(`SELECT * FROM payment_holds WHERE hold_id = '${ids.PENDING}'`);
    expect(held).toMatchObject({ status: 'PENDING', from_user_id: ledger.a, to_user_id: ledger.b, retry_count: 0 });
  });

  test('hold_events list every step of a hold, and audit_events who paid whom', async () => {
    const life = await docs(
      `select event_type, from_status, to_status from hold_events where hold_id = '${ids.COMPLETED}' order by event_id`,
    );
    expect(life).toEqual([
      { event_type: 'CREATED', from_status: null, to_status: 'PENDING' },
      { event_type: 'SCHEDULED', from_status: 'PENDING', to_status: 'PENDING' },
      { event_type: 'PROCESSING', from_status: 'PENDING', to_status: 'PROCESSING' },
      { event_type: 'COMPLETED', from_status: 'PROCESSING', to_status: 'COMPLETED' },
    ]);
    const types = await docs('select distinct event_type from hold_events');
    expect(types.map((row) => String(row['event_type'])).toSorted()).toEqual([
      'ATTEMPT_FAILED',
      'CANCELLED',
      'COMPLETED',
      'CREATED',
      'EXPIRED',
      'FAILED',
      'PROCESSING',
      'RELEASED',
      'SCHEDULED',
    ]);
    const [paid] = await docs(
      `select user_id, resource_id, details from audit_events where action_type = 'PAYMENT_COMPLETED'`,
    );
    expect(paid).toMatchObject({
      user_id: ledger.a,
      resource_id: ids.COMPLETED,
      details: { amount: 100, recipient: ledger.b },
    });
  });

  test('the version of a balance rises with every change of it', async () => {
    const version = async (): Promise<number> => {
      const [row] = await docs(`select version::int from user_balances where user_id = '${ledger.b}'`);
      return Number(row?.['version']);
    };
    const before = await version();
    await store.tenant.deposit({ account: 'b', asset: 'USD', amount: 10, idempotencyKey: key() });
    expect(await version()).toBe(before + 1);
    const { id } = await hold({ from: 'b', to: 'a', amount: 10, delay: '48h', funding: 'reserve' });
    expect(await version()).toBe(before + 2);
    await store.tenant.capturePayment(id, { idempotencyKey: key() });
    expect(await version()).toBe(before + 3);
  });

  test('are made anew when a migration changes what is under them, and left alone otherwise', async () => {
    const owner = createPool({ url: store.ownerUrl, maxConnections: 1 });
    onTestFinished(() => owner.close());
    const oid = async (): Promise<unknown> =>
      (await owner.query(`select 'usance_docs.payment_holds'::regclass::oid as oid`))[0]?.['oid'];
    const before = await oid();
    await migrate(owner);
    expect(await oid()).toBe(before);
    await owner.query(`comment on schema usance_docs is 'older'`);
    await migrate(owner);
    expect(await oid()).not.toBe(before);
  });
});
