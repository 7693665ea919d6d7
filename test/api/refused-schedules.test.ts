// A schedule with a mistake in it, over HTTP: refused with a code, the field to change, in its own spelling, and what to do.
import { beforeAll, describe, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';

const store = useApi();
const ORDER = {
  from: 'alice',
  to: 'bob',
  asset: 'USD/2',
  amount: '100',
  rule: { frequency: 'DAILY' },
  zone: 'Europe/Berlin',
  start: '2027-01-01T09:00',
};

beforeAll(() => open(store.tenant, { alice: 1_000, bob: 0 }));

describe('a schedule is refused', () => {
  test.each<[string, object, string, string | undefined, RegExp]>([
    ['an impossible rule', { rule: { cron: '61 * * * *' } }, 'RULE_INVALID', 'rule.cron', /the minute "61"/],
    [
      'two rules at once',
      { rule: { cron: '0 9 * * *', every_seconds: 60 } },
      'RULE_INVALID',
      'rule',
      /exactly one of frequency, rrule, cron or every_seconds/,
    ],
    ['a day no month has', { rule: { cron: '0 0 30 2 *' } }, 'RULE_NEVER_FIRES', 'rule', /change/],
    ['every second', { rule: { every_seconds: 1 } }, 'RULE_TOO_FREQUENT', 'rule', /minute|60/],
    ['every second, in words', { rule: { rrule: 'FREQ=SECONDLY' } }, 'RULE_TOO_FREQUENT', 'rule.rrule', /fixed period/],
    [
      'every hour, in words',
      { rule: { rrule: 'FREQ=HOURLY' } },
      'RULE_TOO_FREQUENT',
      'rule.rrule',
      /every_seconds.* or cron/,
    ],
    [
      'an empty part',
      { rule: { rrule: 'FREQ=DAILY;' } },
      'RULE_INVALID',
      'rule.rrule',
      /";" with nothing beside it; leave/,
    ],
    [
      'a position among times of day',
      { rule: { rrule: 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;BYHOUR=8,9' } },
      'RULE_INVALID',
      'rule.rrule',
      /create one schedule for each BYHOUR/,
    ],
    [
      'days of a week',
      { rule: { frequency: 'WEEKLY', days_of_month: [3] } },
      'RULE_INVALID',
      'rule.days_of_month',
      /^rule.days_of_month needs/,
    ],
    [
      'days of a year',
      { rule: { frequency: 'YEARLY', days_of_month: [3] } },
      'RULE_INVALID',
      'rule.months',
      /^YEARLY with days_of_month needs months, such as/,
    ],
    [
      'a field of another kind',
      { rule: { cron: '0 0 1 * *', days_of_month: [3] } },
      'RULE_INVALID',
      'rule',
      /^days_of_month/,
    ],
    [
      'a policy of months',
      { rule: { frequency: 'WEEKLY' }, month_end: 'clamp' },
      'RULE_INVALID',
      'month_end',
      /^month_end/,
    ],
    [
      'a period of days',
      { rule: { every_seconds: 0 } },
      'RULE_INVALID',
      'rule.every_seconds',
      /^rule.every_seconds must/,
    ],
    ['an unknown zone', { zone: 'Berlin' }, 'ZONE_UNKNOWN', 'zone', /IANA/],
    ['an end before the start', { until: '2026-12-31' }, 'END_BEFORE_START', 'until', /is before the start/],
    ['a start that is no date', { start: '2027-02-30' }, 'LOCAL_TIME_INVALID', 'start', /local date/],
    ['a past that ends there', { start: '2020-01-01', until: '2020-12-31' }, 'RULE_NEVER_FIRES', 'until', /later end/],
    ['nothing to pay', { amount: '0' }, 'AMOUNT_NOT_POSITIVE', 'amount', /greater than|positive/],
    ['less than nothing', { amount: '-5' }, 'AMOUNT_INVALID', 'amount', /amount/],
    ['a cap where none belongs', { missed_cap: 3 }, 'MISSED_INVALID', 'missed', /missed_cap and missed_window/],
    [
      'several times a day, moved',
      { rule: { cron: '0 9,17 * * *' }, business_days: { shift: 'next' } },
      'RULE_INVALID',
      'business_days.shift',
      /business_days\.shift/,
    ],
    ['nobody to pay', { to: 'nobody' }, 'ACCOUNT_NOT_FOUND', 'to', /no account "nobody"/],
  ])('%s', async (_title, mistake, code, param, says) => {
    const answer = await store.send('POST /schedules', { body: { ...ORDER, ...mistake } });
    expect([answer.status >= 400 && answer.status < 500, answer.get('code'), answer.get('param')]).toEqual([
      true,
      code,
      param,
    ]);
    expect(answer.word('detail')).toMatch(says);
    // A field is named as it is spelt over HTTP.
    expect(answer.word('detail')).not.toMatch(/\b[a-z]+[A-Z][a-z]/);
  });

  test('a plan whose period is no object', async () => {
    const plan = { name: 'Club', price: '100', asset: 'USD/2', receiver: 'bob', period: 'monthly', months: 12 };
    const answer = await store.send('POST /plans', { body: plan });
    expect(`${answer.word('code')}/${answer.word('reason')}`).toBe('PLAN_INVALID/not_a_period');
    expect(answer.word('detail')).toBe('period must be an object with frequency, or with every_seconds');
  });

  test('by any verb once it is cancelled, save to look at it', async () => {
    const id = (await store.send('POST /schedules', { body: ORDER })).word('id');
    await store.send(`POST /schedules/${id}/cancel`, { body: {} });
    for (const verb of ['pause', 'resume', 'cancel', 'trigger']) {
      const answer = await store.send(`POST /schedules/${id}/${verb}`, verb === 'trigger' ? {} : { body: {} });
      expect([verb, answer.status, answer.get('code')]).toEqual([verb, 409, 'SCHEDULE_STATE_CONFLICT']);
      expect(answer.word('detail')).toMatch(/^the schedule is cancelled and cannot be \w+; only one that is /);
    }
    expect((await store.send(`GET /schedules/${id}/upcoming`)).get('data')).toEqual([]);
  });
});
