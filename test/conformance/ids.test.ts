// From a log line to SQL and back: the functions of the views, against the program's own.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ID_PREFIX, fromTypeId, newId, toTypeId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const store = useUsance();
const uuids = fc.sample(fc.uuid(), 200);
const edges = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', newId()];

test('type_id and uuid_of say what the program says, in both schemas', async () => {
  const ids = [...uuids, ...edges];
  for (const schema of ['usance_docs', 'usance_docs_test']) {
    const rows = await store.owner.query(
      `select ${schema}.type_id('pay', id) as type_id, ${schema}.uuid_of(${schema}.type_id('pay', id)) as id
       from unnest($1::uuid[]) with ordinality u (id, place) order by place`,
      [ids],
    );
    expect(rows).toEqual(ids.map((id) => ({ type_id: toTypeId('payment', id), id })));
    expect(rows.map((row) => fromTypeId('payment', row['type_id']))).toEqual(ids);
  }
});

test.each(Object.entries(ID_PREFIX))('the id of a %s is read whatever its prefix', async (kind, prefix) => {
  const id = newId();
  const text = toTypeId(kind as keyof typeof ID_PREFIX, id);
  expect(text.startsWith(`${prefix}_`)).toBe(true);
  expect(await store.owner.query('select usance_docs.uuid_of($1::text) as id', [text])).toEqual([{ id }]);
});

test('null stays null', async () => {
  expect(
    await store.owner.query(`select usance_docs.uuid_of(null) as id, usance_docs.type_id('pay', null) as type_id`),
  ).toEqual([{ id: null, type_id: null }]);
});

test.each([
  '',
  'pay_',
  'pay_01jd3mzk4qe0rvb1rj4yj6d3z',
  'pay_01jd3mzk4qe0rvb1rj4yj6d3ztt',
  'pay_81jd3mzk4qe0rvb1rj4yj6d3zt',
  'pay_01jd3mzk4qe0rvb1rj4yj6d3zu',
  'PAY_01JD3MZK4QE0RVB1RJ4YJ6D3ZT',
  '018f2f5c-0000-7000-8000-000000000000',
])('%j is refused, not looked for', async (text) => {
  await expect(store.owner.query('select usance_docs.uuid_of($1::text)', [text])).rejects.toThrow(
    /is not an id such as/,
  );
});

test('a hold is found by the id of a log line, by the role that services use', async () => {
  await open(store.tenant, { ann: 100, ben: 0 });
  const { id } = await store.tenant.createPayment({
    from: 'ann',
    to: 'ben',
    asset: 'USD',
    amount: 40,
    delay: '48h',
    idempotencyKey: key(),
  });
  const rows = await store.db.query(
    `select amount::int as amount, usance_docs.type_id('pay', hold_id) as shown from usance_docs.payment_holds
     where hold_id = usance_docs.uuid_of($1::text)`,
    [toTypeId('payment', id)],
  );
  expect(rows).toEqual([{ amount: 40, shown: toTypeId('payment', id) }]);
});
