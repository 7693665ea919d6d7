// The steps of a hold's life: over HTTP, page by page, they are those of the view.
import { beforeAll, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { at, useApi } from './api.ts';

const store = useApi();
beforeAll(() => open(store.tenant, { ann: 10_000, ben: 0, shut: 0 }));

const hold = async (more: object = {}): Promise<string> => {
  const body = { from: 'ann', to: 'ben', asset: 'USD/2', amount: '100', delay: '1h', ...more };
  return (await store.send('POST /holds', { body })).word('id');
};
const lineOf = (event: unknown): string =>
  ['event_type', 'from_status', 'to_status']
    .map((name) => JSON.stringify(at(event, name) ?? '-').slice(1, -1))
    .join(' ');

/** Over HTTP, two to a page. */
async function overHttp(id: string): Promise<string[]> {
  const lines: string[] = [];
  let cursor = '';
  do {
    const page = await store.send(`GET /holds/${id}/events?limit=2${cursor && `&cursor=${cursor}`}`);
    const events = page.list('data');
    expect(events.length).toBeLessThanOrEqual(2);
    lines.push(...events.map(lineOf));
    cursor = page.get('next_cursor') === null ? '' : page.word('next_cursor');
  } while (cursor !== '');
  return lines;
}

async function inView(id: string): Promise<string[]> {
  const rows = await store.db.query(
    `select event_type, from_status, to_status from usance_docs.hold_events
     where hold_id = usance_docs.uuid_of($1::text) order by event_id`,
    [id],
  );
  return rows.map(lineOf);
}

test('a hold is created, scheduled, moved, processed, tried again and completed', async () => {
  const id = await hold({ to: 'shut' });
  await store.tenant.suspendAccount('shut', 'asked to');
  await store.send(`PATCH /payments/${id}`, { body: { execute_at: new Date(Date.now() + 7_200_000).toISOString() } });
  await store.send(`PATCH /payments/${id}`, { body: { metadata: { note: 1 } } });
  await store.send(`POST /payments/${id}/run-now`);
  await store.run('processor');
  await store.tenant.reactivateAccount('shut', 'seen to');
  await store.send(`POST /payments/${id}/run-now`);
  await store.run('processor');
  const life = [
    'CREATED - PENDING',
    'SCHEDULED PENDING PENDING',
    'UPDATED PENDING PENDING',
    'SCHEDULED PENDING PENDING',
    'UPDATED PENDING PENDING',
    'RUN_NOW PENDING PENDING',
    'PROCESSING PENDING PROCESSING',
    'ATTEMPT_FAILED PROCESSING PENDING',
    'RUN_NOW PENDING PENDING',
    'PROCESSING PENDING PROCESSING',
    'COMPLETED PROCESSING COMPLETED',
  ];
  expect(await overHttp(id)).toEqual(life);
  expect(await inView(id)).toEqual(life);
});

test('an end that gives back what was held says so', async () => {
  const cancelled = await hold();
  await store.send(`POST /holds/${cancelled}/cancel`);
  const failed = await hold();
  await store.send(`POST /payments/${failed}/fail`, { body: { reason: 'lost' } });
  const parted = await hold();
  await store.send(`POST /holds/${parted}/capture`, { body: { amount: '40' } });
  await store.send(`POST /holds/${parted}/cancel`);
  const lives = {
    [cancelled]: ['RELEASED PENDING PENDING', 'CANCELLED PENDING CANCELLED'],
    [failed]: ['RELEASED PENDING PENDING', 'FAILED PENDING FAILED'],
    [parted]: ['CAPTURED PENDING PENDING', 'RELEASED PENDING PENDING', 'COMPLETED PENDING COMPLETED'],
  };
  for (const [id, life] of Object.entries(lives)) {
    expect((await inView(id)).slice(2)).toEqual(life);
    expect(await overHttp(id)).toEqual(await inView(id));
  }
});

test('the timeline has the duration of an attempt', async () => {
  const id = await hold({ delay: 0 });
  await store.run('processor');
  const entries = (await store.send(`GET /payments/${id}/timeline`)).list('data');
  expect(entries.map((entry) => [at(entry, 'type'), typeof at(entry, 'duration_ms')])).toEqual([
    ['payment.created', 'object'],
    ['payment.settled', 'number'],
  ]);
});
