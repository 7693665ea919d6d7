// A burst for one channel: beyond the limit, the events that wait are left to the summary in sets.
import { expect, test } from 'vitest';
import { asNumber, only } from '../../src/db/index.ts';
import type { Channel, TenantHandle } from '../../src/engine.ts';
import { notificationsLoop } from '../../src/notifications/index.ts';
import { createOutbound } from '../../src/outbound/index.ts';
import { freshTenant, order } from '../jobs/matcher.ts';
import { enqueue, someEvent } from '../jobs/queue.ts';
import { open } from '../support/books.ts';
import { TEST_SECRETS, useUsance } from '../support/database.ts';
import { useReceiver } from './channels.fixture.ts';

const receiver = await useReceiver();
const store = useUsance({ outbound: { loopback: true } });
const LIMIT = 2;
let count = 0;

interface Burst {
  readonly tenant: TenantHandle;
  readonly channel: Channel;
  readonly path: string;
  readonly job: { readonly tenantId: string; readonly id: string };
  readonly event: { readonly id: string; readonly seq: bigint };
}

async function withChannel(): Promise<Burst> {
  const tenant = await freshTenant(store.usance);
  await tenant.createAsset('USD/2');
  await open(tenant, { alice: 0 });
  await order(store.usance);
  const path = `/burst-${(count += 1)}`;
  const { channel } = await tenant.createNotificationChannel({
    name: 'on call',
    kind: 'webhook',
    url: receiver.url(path),
    topics: ['dead_letters'],
    maxPerMinute: LIMIT,
  });
  const job = { tenantId: channel.tenantId, id: channel.id };
  return { tenant, channel, path, job, event: await someEvent(store.usance, tenant) };
}

/** A single run of the loop. Returns the statements that it sent, and its counts. */
async function run(notices: string[] = []) {
  const statements: string[] = [];
  const outbound = createOutbound({ loopback: true });
  const loop = notificationsLoop(store.pool({ onStatement: (text) => void statements.push(text) }), {
    schema: 'usance',
    url: () => store.runtimeUrl,
    listenUrl: null,
    secrets: TEST_SECRETS,
    outbound,
    dashboardUrl: null,
    onTrouble: (_id, error) => {
      throw error;
    },
    onNotice: (line) => void notices.push(line),
  });
  const { counts } = await loop.runOnce(new AbortController().signal, false);
  await loop.stop();
  outbound.close();
  return { statements: statements.length, counts };
}

const backlogOf = async ({ channel }: Burst): Promise<number> =>
  asNumber(
    only(
      await store.owner.query(
        'select count(*)::int as n from usance.notification_backlog where channel_id = $1::uuid',
        [channel.id],
      ),
    )['n'],
  );

async function minutePasses({ channel }: Burst): Promise<void> {
  await store.owner.query(
    `update usance.notification_channels set window_at = window_at - interval '61 s', carrier_due_at = carrier_due_at - interval '61 s'
     where id = $1::uuid`,
    [channel.id],
  );
  await store.owner.query(
    `update usance.execution_queue set due_at = now() - interval '1 s' where job_id = $1::uuid and worker_id is null`,
    [channel.id],
  );
}

test('costs a number of statements that does not grow with its events, and no event is lost', async () => {
  const small = await withChannel();
  await enqueue(store.owner, small.job, { count: 20, event: small.event });
  const few = await run();
  const large = await withChannel();
  await enqueue(store.owner, large.job, { count: 1_400, event: large.event });
  const many = await run();
  // Some 150, of which most are claims of the messages that are sent; taken one by one the turns were 22,000.
  expect(many.statements - few.statements).toBeLessThan(700);
  expect(many.counts).toMatchObject({ summarized: expect.any(Number) });
  expect((many.counts['summarized'] ?? 0) + (many.counts['completed'] ?? 0)).toBe(1_399);
  expect(await backlogOf(large)).toBe(1_400 - LIMIT - 1);
  await minutePasses(large);
  await run();
  expect(receiver.posted(large.path).map(({ body }) => body['counts'])).toEqual([
    null,
    null,
    { 'tenant.created': 1_400 - LIMIT },
  ]);
  expect(await backlogOf(large)).toBe(0);
  const { executions } = await large.tenant.executions({ jobId: large.channel.id, status: 'completed' }, { limit: 5 });
  expect(executions[0]).toMatchObject({ attemptNumber: 1, result: { sent: false, summarized: true } });
});

test('leaves out what another transaction has, what was tried before and what its channel may not hear', async () => {
  const burst = await withChannel();
  const { job, event, tenant, channel, path } = burst;
  const ids = await enqueue(store.owner, job, { count: 60, event });
  const [locked = '', tried = ''] = ids.slice(-2);
  await store.owner.query('update usance.execution_queue set attempt = 1, started_at = due_at where id = $1::uuid', [
    tried,
  ]);
  await tenant.testNotificationChannel(channel.id);
  await order(store.usance);
  await store.owner.transaction(async (tx) => {
    await tx.query('select from usance.execution_queue where id = $1::uuid for update', [locked]);
    await run();
  });
  const stateOf = async (id: string) => {
    const [row] = await store.owner.query(
      `select q.attempt, (select e.attempt from usance.executions e where e.id = $1::uuid) as ended from (select) one
       left join usance.execution_queue q on q.id = $1::uuid`,
      [id],
    );
    return row;
  };
  expect(await stateOf(locked)).toMatchObject({ attempt: 0, ended: null });
  expect(await stateOf(tried)).toMatchObject({ attempt: null, ended: 2 });
  expect(await backlogOf(burst)).toBe(60 - LIMIT - 2);
  await run();
  expect(await backlogOf(burst)).toBe(60 - LIMIT - 1);
  await minutePasses(burst);
  await run();
  expect(receiver.posted(path).at(-1)?.body['counts']).toEqual({ 'tenant.created': 60 - LIMIT });
});

test('whose set cannot be written takes turns one by one, and says so once', async () => {
  const burst = await withChannel();
  const ids = await enqueue(store.owner, burst.job, { count: 12, event: burst.event });
  // The result of this one is refused where it ends with others, and not where its own worker ends it.
  await store.owner.query(
    `create function usance.refuse_one() returns trigger language plpgsql as $$
     begin
       if new.attempt = 1 and new.id = '${ids.at(-1)}' and new.started_at = new.attempted_at
          and current_query() like '%any ($2::uuid[]) returning%' then
         raise exception 'not this one';
       end if;
       return new;
     end $$`,
  );
  await store.owner.query(
    'create trigger refuse_one before insert on usance.executions for each row execute function usance.refuse_one()',
  );
  try {
    const notices: string[] = [];
    await run(notices);
    expect(notices.filter((line) => line.includes('take turns one by one'))).toHaveLength(1);
    expect(await backlogOf(burst)).toBe(12 - LIMIT - 1);
  } finally {
    await store.owner.query('drop trigger refuse_one on usance.executions');
  }
  await minutePasses(burst);
  await run();
  expect(receiver.posted(burst.path).at(-1)?.body['counts']).toEqual({ 'tenant.created': 12 - LIMIT });
});
