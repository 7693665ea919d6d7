import { expect, test } from 'vitest';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { testProcessor } from '../support/processor.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });

test('archive puts aside what ended long enough ago, on record for who ran it', async () => {
  await open(world.tenant, { ann: 100, ben: 0 });
  const { id } = await world.tenant.createPayment({
    from: 'ann',
    to: 'ben',
    asset: 'USD',
    amount: 10,
    idempotencyKey: key(),
  });
  await testProcessor(world.db).drain();
  // As if it had been made and settled two days ago: its id is of that time too.
  await world.owner.query(`begin; set local session_replication_role = replica;
    create function pg_temp.aged(uuid) returns uuid language sql as
      $$ select (substr(usance.first_id_at(now() - interval '2 days')::text, 1, 13) || substr($1::text, 14))::uuid $$;
    update usance.payments set id = pg_temp.aged(id), ended_at = ended_at - interval '2 days', updated_at = updated_at - interval '2 days';
    update usance.transfers set payment_id = pg_temp.aged(payment_id) where payment_id is not null; commit`);
  const done = await run('payments', 'archive', '--older-than', '1d');
  expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^1 payment archived\. Audited as cli:/) });
  expect((await run('payments', 'archive', '--json')).json()).toEqual({ archived: 0 });
  const [found] = await world.tenant.payments();
  expect(found?.id.slice(-12)).toBe(id.slice(-12));
  expect(await world.tenant.auditEvents({ action: 'PAYMENTS_ARCHIVED' })).toMatchObject([
    { actor: expect.stringMatching(/^cli:/), details: { payments: 1 } },
  ]);
});
