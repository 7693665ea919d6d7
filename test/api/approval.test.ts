// A second person, over HTTP: two keys are two persons.
import { beforeAll, describe, expect, test } from 'vitest';
import { held, open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('a payment above the amount that needs approval', () => {
  const store = useApi();
  const other: { secret?: string } = {};
  const create = () => store.send('POST /payments', { body: { from: 'alice', to: 'bob', amount: 600, asset: 'USD' } });

  beforeAll(async () => {
    await open(store.tenant, { alice: 10_000, bob: 0 });
    other.secret = (await store.tenant.createApiKey({ name: 'other', role: 'operator' })).secret;
    await store.send('POST /limits', { body: { asset: 'USD', approval_above: '500' } });
  });
  const asOther = () => ({ secret: other.secret ?? '' });

  test('is paid after another key approved it, and not before', async () => {
    const made = await create();
    expect(made.body).toMatchObject({ status: 'scheduled', approval: 'awaited' });
    const path = `/payments/${made.word('id')}`;
    await store.run('processor');
    expect((await store.send(`GET ${path}`)).word('status')).toBe('scheduled');
    expect((await store.send('GET /payments?approval=awaited')).list('data')).toMatchObject([{ id: made.word('id') }]);

    expect(problemIn(await store.send(`POST ${path}/approve`, { body: { terms_version: 1 } })).code).toBe(
      'APPROVAL_NEEDS_ANOTHER',
    );
    expect(problemIn(await store.send(`POST ${path}/run-now`)).code).toBe('APPROVAL_AWAITED');
    const approved = await store.send(`POST ${path}/approve`, {
      body: { terms_version: 1, reason: 'seen the bill' },
      ...asOther(),
    });
    expect(approved.body).toMatchObject({ approval: 'given' });
    await store.run('processor');
    expect((await store.send(`GET ${path}`)).body).toMatchObject({ status: 'settled', approval: 'given' });
    expect(await held(store.tenant, 'bob')).toEqual([600n, 0n]);
    const story = (await store.send(`GET ${path}/timeline`)).list('data') as { type: string }[];
    expect(story.map((entry) => entry.type)).toEqual([
      'payment.created',
      'payment.approval_requested',
      'payment.approved',
      'payment.settled',
    ]);
  });

  test('is not approved by whoever saw other terms', async () => {
    const made = await create();
    const path = `/payments/${made.word('id')}`;
    expect(made.get('terms_version')).toBe(1);
    expect((await store.send(`PATCH ${path}`, { body: { amount: '900' } })).get('terms_version')).toBe(2);
    const late = await store.send(`POST ${path}/approve`, { body: { terms_version: 1 }, ...asOther() });
    expect(problemIn(late).code).toBe('APPROVAL_TERMS_CHANGED');
    const blind = await store.send(`POST ${path}/approve`, { body: {}, ...asOther() });
    expect(problemIn(blind).param).toBe('terms_version');
    const seen = await store.send(`POST ${path}/approve`, { body: { terms_version: 2 }, ...asOther() });
    expect(seen.body).toMatchObject({ approval: 'given', amount: '900', terms_version: 2 });
  });

  test('is rejected with a reason, and cancelled', async () => {
    const made = await create();
    const path = `/payments/${made.word('id')}/reject`;
    expect(problemIn(await store.send(`POST ${path}`, { body: {}, ...asOther() })).param).toBe('reason');
    const rejected = await store.send(`POST ${path}`, { body: { reason: 'nobody knows them' }, ...asOther() });
    expect(rejected.body).toMatchObject({ status: 'cancelled', released: '600' });
  });

  test('cannot be had by lifting the limit without the right to', async () => {
    const answer = await store.send('POST /limits', { body: { asset: 'USD', approval_above: null }, ...asOther() });
    expect(problemIn(answer).code).toBe('AUTH_SCOPE_MISSING');
    expect((await store.send('GET /limits')).list('data')).toEqual([
      {
        account: null,
        account_ref: null,
        asset: 'USD/2',
        max_amount: null,
        daily_amount: null,
        default_daily_amount: null,
        tenant_daily_amount: null,
        approval_above: '500',
      },
    ]);
  });
});
