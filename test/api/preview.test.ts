// A rule before it is a schedule.
import { describe, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { problemIn } from './problem.ts';
import { useApi } from './api.ts';

const store = useApi();

describe('POST /schedules/preview', () => {
  const preview = (body: object) => store.send('POST /schedules/preview', { body });

  test('answers the words and the runs that a schedule would have, in local time and UTC', async () => {
    const timing = {
      rule: { frequency: 'WEEKLY', weekdays: ['FR'], time: '09:00' },
      zone: 'America/New_York',
      start: '2190-03-01',
    };
    const { body } = await preview({ ...timing, limit: 3 });
    expect(body).toMatchObject({
      summary: 'every Friday, 09:00 America/New_York, from 2190-03-01',
      zone: 'America/New_York',
      runs: [
        { ordinal: 1, slot: '2190-03-05T09:00:00', local: '2190-03-05T09:00:00', at: '2190-03-05T14:00:00.000Z' },
        { ordinal: 2, at: '2190-03-12T14:00:00.000Z' },
        { ordinal: 3 },
      ],
    });
    await open(store.tenant, { alice: 0, bob: 0 });
    const order = { from: 'alice', to: 'bob', amount: 100, asset: 'USD', ...timing };
    const made = await store.send('POST /schedules', { body: order });
    expect(made.word('summary')).toBe('every Friday, 09:00 America/New_York, from 2190-03-01');
    const upcoming = await store.send(`GET /schedules/${made.word('id')}/upcoming?count=3`);
    expect(upcoming.list('data')).toMatchObject((body as { runs: object[] }).runs);
  });

  test('writes nothing, not even where a key is sent', async () => {
    const counts = () =>
      store.owner.query(
        `select (select count(*) from usance.schedules)::int as s, (select count(*) from usance.events)::int as e,
           (select count(*) from usance.idempotency_keys)::int as k`,
      );
    const before = await counts();
    expect((await preview({ rule: { cron: '0 9 * * *' } })).list('runs')).toHaveLength(10);
    expect(await counts()).toEqual(before);
  });

  test('ends with the rule, and refuses what a schedule could not have', async () => {
    expect((await preview({ rule: { frequency: 'DAILY' }, count: 2, limit: 366 })).list('runs')).toHaveLength(2);
    const refused = async (body: object) => problemIn(await preview(body)).code;
    expect(await refused({ rule: { cron: 'x' } })).toBe('RULE_INVALID');
    expect(await refused({ rule: { frequency: 'DAILY' }, zone: 'Mars/Base' })).toBe('ZONE_UNKNOWN');
    expect(await refused({ rule: { every_seconds: 1 } })).toBe('RULE_TOO_FREQUENT');
    expect(await refused({ rule: { frequency: 'DAILY' }, until: '2020-01-01', start: '2021-01-01' })).toBe(
      'END_BEFORE_START',
    );
    expect((await preview({ rule: { frequency: 'DAILY' }, limit: 367 })).status).toBe(400);
  });
});
