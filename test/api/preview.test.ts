// A rule before it is a schedule, and an account's payments to come as a calendar.
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { writeCalendar } from '../../src/contract/calendar.ts';
import { key, open } from '../support/books.ts';
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

/** Properties of a calendar, unfolded and unescaped, in order. */
function parse(text: string): [name: string, value: string][] {
  expect(text.endsWith('\r\n')).toBe(true);
  const lines = text.slice(0, -2).split('\r\n');
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\n\r]/);
  }
  const unfolded = lines.reduce<string[]>((found, line) => {
    if (line.startsWith(' ')) found[found.length - 1] += line.slice(1);
    else found.push(line);
    return found;
  }, []);
  return unfolded.map((line) => {
    const at = line.indexOf(':');
    const value = line.slice(at + 1).replaceAll(/\\([\\;,n])/g, (_, mark: string) => (mark === 'n' ? '\n' : mark));
    return [line.slice(0, at), value];
  });
}

const of = (name: string, properties: readonly [string, string][]): string[] =>
  properties.flatMap(([own, value]) => (own === name ? [value] : []));

describe('GET /accounts/{id}/upcoming.ics', () => {
  test('has an event for every payment and run, with the same UID every time', async () => {
    const name = 'Cara; "Ä, B\\C" '.repeat(8);
    await store.tenant.openAccount({ ref: 'cara', name });
    await open(store.tenant, { dan: 0 });
    await store.tenant.deposit({ account: 'cara', asset: 'USD', amount: 100_00, idempotencyKey: key() });
    await store.tenant.createPayment({
      from: 'cara',
      to: 'dan',
      asset: 'USD',
      amount: 12_50,
      delay: '48h',
      idempotencyKey: key(),
    });
    await store.send('POST /schedules', {
      body: { from: 'dan', to: 'cara', amount: 700, asset: 'USD', rule: { frequency: 'WEEKLY', time: '09:00' } },
    });
    const read = async (days = 30) => store.send(`GET /accounts/cara/upcoming.ics?days=${days}`);
    const answer = await read();
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const properties = parse(answer.text);
    expect(properties.at(0)).toEqual(['BEGIN', 'VCALENDAR']);
    expect(properties.at(-1)).toEqual(['END', 'VCALENDAR']);
    expect(of('VERSION', properties)).toEqual(['2.0']);
    expect(of('X-WR-CALNAME', properties)).toEqual([name]);
    const forecast = await store.send('GET /accounts/cara/forecast?days=30');
    const lines = forecast.list('lines') as { at: string }[];
    expect(lines.length).toBeGreaterThan(3);
    expect(of('DTSTART', properties)).toEqual(lines.map(({ at }) => `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`));
    expect(of('SUMMARY', properties)).toContain('Pay 12.50 USD');
    expect(of('SUMMARY', properties).filter((each) => each === 'Receive 7.00 USD')).toHaveLength(lines.length - 1);
    const uids = of('UID', properties);
    expect(new Set(uids).size).toBe(lines.length);
    for (const uid of uids) expect(uid).toMatch(/^(pay|sch)_[0-9a-z]{26}(-\d{8}T\d{6})?-acct_[0-9a-z]{26}@usance$/);
    expect(of('UID', parse((await read(60)).text)).slice(0, uids.length)).toEqual(uids);
    const client = createClient({ url: store.url, key: store.secret });
    expect(of('UID', parse(await client.accounts.getUpcomingCalendar('cara', { days: 30 })))).toEqual(uids);
  });

  test('says in a last event and a property that it is cut, and from when on', async () => {
    await open(store.tenant, { hourly: 0, payer: 0 });
    await store.send('POST /schedules', {
      body: { from: 'payer', to: 'hourly', amount: 1, asset: 'USD', rule: { every_seconds: 3_600 } },
    });
    const properties = parse((await store.send('GET /accounts/hourly/upcoming.ics?days=60')).text);
    const forecast = await store.send('GET /accounts/hourly/forecast?days=60');
    expect(forecast.get('truncated')).toBe(true);
    const until = `${forecast.word('until').slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
    expect(of('X-USANCE-TRUNCATED-AT', properties)).toEqual([until]);
    expect(of('SUMMARY', properties)).toHaveLength(1_001);
    expect(of('SUMMARY', properties).at(-1)).toBe('More payments are not shown');
    expect(of('DTSTART', properties).at(-1)).toBe(until);
    const whole = parse((await store.send('GET /accounts/hourly/upcoming.ics?days=2')).text);
    expect(of('SUMMARY', whole)).not.toContain('More payments are not shown');
    expect(of('X-USANCE-TRUNCATED-AT', whole)).toEqual([]);
  });

  test('is empty where nothing comes, and another tenant’s account is not found', async () => {
    await open(store.tenant, { empty: 0 });
    const properties = parse((await store.send('GET /accounts/empty/upcoming.ics')).text);
    expect(of('UID', properties)).toEqual([]);
    expect(problemIn(await store.send('GET /accounts/nobody/upcoming.ics')).code).toBe('ACCOUNT_NOT_FOUND');
  });

  test('escapes what would end a line or a value, and cuts no character', () => {
    const hard = 'a;b,c\\d\r\nEND:VCALENDAR\u0007€'.repeat(20);
    const text = writeCalendar({
      name: hard,
      stamp: new Date(0),
      events: [{ uid: 'u', at: new Date(0), summary: hard, description: '😀'.repeat(50) }],
    });
    const properties = parse(text);
    expect(of('SUMMARY', properties)).toEqual([hard.replaceAll('\r\n', '\n').replaceAll('\u0007', ' ')]);
    expect(of('DESCRIPTION', properties)).toEqual(['😀'.repeat(50)]);
    expect(of('END', properties)).toEqual(['VEVENT', 'VCALENDAR']);
  });

  test.each(['\u2028', '\u2029', '\r', '\r\n'])('writes the line end %j as an escaped one', (end) => {
    const text = writeCalendar({ name: `a${end}BEGIN:VEVENT`, stamp: new Date(0), events: [] });
    expect(text).toContain('X-WR-CALNAME:a\\nBEGIN:VEVENT\r\n');
    expect(text).not.toMatch(/[\u2028\u2029]/);
  });
});
