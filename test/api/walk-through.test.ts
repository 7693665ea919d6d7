// Document 004's walk-through over HTTP: A has 250, a hold of 100 leaves 150 available and 100 reserved; at its hour A has
// 150, B 100 more, and the hold is COMPLETED.
import { describe, expect, test } from 'vitest';
import { troubles } from '../support/books.ts';
import { at, useApi } from './api.ts';

describe('the walk-through of the holds design', () => {
  const store = useApi();

  const balanceOf = async (ref: string) => (await store.send(`GET /accounts/${ref}`)).get('balances.0');

  test.each([
    { words: 'our words', to: 'to', delay: 'PT48H', amount: '100', asset: { asset: 'ROBUX/0' } },
    { words: 'the document’s words', to: 'to_user', delay: '48h', amount: 100, asset: {} },
    { words: 'seconds', to: 'to_user', delay: 172_800, amount: 100, asset: { asset: 'ROBUX' } },
  ])('works in $words', async ({ words, to, delay, amount, asset }) => {
    const [userA, userB] = [`A-${words.replaceAll(/\W/g, '')}`, `B-${words.replaceAll(/\W/g, '')}`];
    const made = await store.send('POST /assets', { body: { asset: 'ROBUX/0', default: true } });
    expect(made.body).toEqual({ asset: 'ROBUX/0', code: 'ROBUX', scale: 0, default: true });
    for (const ref of [userA, userB]) {
      expect((await store.send('POST /accounts', { body: { ref } })).status).toBe(201);
    }
    expect((await store.send(`POST /accounts/${userA}/deposit`, { body: { amount: 250 } })).status).toBe(201);

    const created = await store.send('POST /holds', { body: { from: userA, [to]: userB, amount, delay, ...asset } });
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject({
      status: 'scheduled',
      hold_status: 'PENDING',
      amount: '100',
      asset: 'ROBUX/0',
    });
    expect(Date.parse(created.word('execute_at')) - Date.parse(created.word('created_at'))).toBe(172_800_000);
    expect(await balanceOf(userA)).toEqual({ asset: 'ROBUX/0', available: '150', reserved: '100', total: '250' });

    await store.run('processor');
    const hold = `/holds/${created.word('id')}`;
    expect((await store.send(`GET ${hold}`)).body).toMatchObject({ hold_status: 'PENDING', attempts: 0 });

    await store.send(`POST /payments/${created.word('id')}/run-now`);
    expect(await store.run('processor')).toMatchObject({ settled: 1 });
    expect((await store.send(`GET ${hold}`)).body).toMatchObject({ status: 'settled', hold_status: 'COMPLETED' });
    expect(await balanceOf(userA)).toEqual({ asset: 'ROBUX/0', available: '150', reserved: '0', total: '150' });
    expect(await balanceOf(userB)).toEqual({ asset: 'ROBUX/0', available: '100', reserved: '0', total: '100' });

    const events = (await store.send(`GET ${hold}/events`)).list('data');
    expect(events.map((event) => at(event, 'event_type'))).toEqual([
      'CREATED',
      'SCHEDULED',
      'RUN_NOW',
      'PROCESSING',
      'COMPLETED',
    ]);
    expect(events.at(-2)).toMatchObject({ from_status: 'PENDING', to_status: 'PROCESSING', duration_ms: null });
    expect(events.at(-1)).toMatchObject({ from_status: 'PROCESSING', to_status: 'COMPLETED' });
    expect(at(events.at(-1), 'duration_ms')).toEqual(expect.any(Number));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each([
    ['a payer without enough', { amount: 1_000_000 }, 'FUNDS_INSUFFICIENT', 422],
    ['a payer that does not exist', { from: 'nobody' }, 'ACCOUNT_NOT_FOUND', 404],
    ['a payee that does not exist', { to: 'nobody' }, 'ACCOUNT_NOT_FOUND', 404],
    ['nothing', { amount: 0 }, 'AMOUNT_NOT_POSITIVE', 400],
    ['more than seven days ahead', { delay: '169h' }, 'DELAY_OUT_OF_RANGE', 400],
    ['payer and payee in one', { to: 'A-seconds' }, 'SELF_TRANSFER', 422],
  ])('refuses %s', async (_title, change, code, status) => {
    const order = { from: 'A-seconds', to: 'B-seconds', amount: 1, delay: '1h', ...change };
    const refused = await store.send('POST /holds', { body: order });
    expect(refused.body).toMatchObject({ code, status });
    expect(refused.status).toBe(status);
  });
});
