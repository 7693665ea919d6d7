// What a set of retention reads: as much of a table of ten times the size.
import { expect, test } from 'vitest';
import { freshTenant } from '../jobs/matcher.ts';
import { useUsance } from '../support/database.ts';
import { DELIVERING, addEndpoint } from '../support/webhooks.ts';

const store = useUsance(DELIVERING);

/** Shared buffers that a call reads; it is undone. */
async function buffersOf(call: string): Promise<number> {
  let buffers = NaN;
  const undone = new Error('undone');
  await store.owner
    .transaction(async (tx) => {
      const rows = await tx.query(`explain (analyze, buffers, costs off, timing off, summary off) select ${call}`);
      const text = rows.map((row) => String(Object.values(row)[0])).join('\n');
      const [, hit = '0'] = /Buffers: shared hit=(\d+)/.exec(text) ?? [];
      const [, read = '0'] = /Buffers: shared [^\n]*read=(\d+)/.exec(text) ?? [];
      buffers = Number(hit) + Number(read);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return buffers;
}

test('a set of bodies, and of old attempts, reads the same whatever the number of younger ones is', async () => {
  const tenant = await freshTenant(store.usance);
  const { id } = await addEndpoint(tenant);
  let last = 0;
  const attempts = async (rows: number, ended: string): Promise<void> => {
    await store.owner.query(
      `insert into usance.delivery_attempts (tenant_id, id, execution_id, endpoint_id, attempt, ended_at, url, request_headers, request_bytes,
         request_digest, response_status, response_headers, response_body)
       select $1::uuid, (left(usance.first_id_at(now() - interval '40 days')::text, 13) || '-7' || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3)
           || '-' || substr(md5(n::text), 7, 12))::uuid,
         $2::uuid, $2::uuid, 1, now() - $3::interval + n * interval '1 ms', 'https://shop.example.com/hooks', '{}', 500, decode(md5(n::text), 'hex'),
         200, '{}', 'ok'
       from generate_series($4::int, $5::int) n`,
      [tenant.id, id, ended, last + 1, last + rows],
    );
    last += rows;
  };
  const measured = async (young: number) => {
    await store.owner.query('truncate usance.delivery_attempts');
    await attempts(young, '20 days');
    await attempts(4_000, '35 days');
    await store.owner.query('analyze usance.delivery_attempts');
    return {
      bodies: await buffersOf(`usance.delete_delivery_bodies(now() - interval '30 days', 2000)`),
      rows: await buffersOf(`usance.forget_delivery_attempts(now() - interval '30 days', 2000)`),
      nothing: await buffersOf(`usance.forget_delivery_attempts(now() - interval '200 days', 2000)`),
    };
  };
  const [small, large] = [await measured(2_000), await measured(60_000)];
  expect(small.bodies).toBeGreaterThan(1_000);
  // Among eleven times as many rows an index is a level higher, and each row is in four of them.
  for (const what of ['bodies', 'rows', 'nothing'] as const)
    expect([what, large[what] <= small[what] * 1.3 + 50]).toEqual([what, true]);
  const before = `now() - interval '30 days'`;
  expect(await store.owner.query(`select usance.forget_delivery_attempts(${before}, 3000) as rows`)).toEqual([
    { rows: 3_000 },
  ]);
  expect(await store.owner.query(`select usance.forget_delivery_attempts(${before}, 3000) as rows`)).toEqual([
    { rows: 1_000 },
  ]);
  expect(await store.owner.query(`select usance.forget_delivery_attempts(${before}, 3000) as rows`)).toEqual([
    { rows: 0 },
  ]);
});
