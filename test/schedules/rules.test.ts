// Rules and the dates they give, worked out by hand or told by RFC 5545 itself.
import { describe, expect, test } from 'vitest';
import type { RuleInput, TimingInput } from '../../src/schedules/rules/index.ts';
import { instants, slots, timetable } from './rules.ts';

const from = (start: string, rule: RuleInput, more: Partial<TimingInput> = {}): TimingInput => ({
  start,
  rule,
  ...more,
});

describe('a calendar rule', () => {
  test.each<[string, TimingInput, string[]]>([
    ['every day', from('2026-02-27T09:00', { frequency: 'DAILY' }), ['2026-02-27', '2026-02-28', '2026-03-01']],
    [
      'every third day',
      from('2026-02-27', { frequency: 'DAILY', every: 3 }),
      ['2026-02-27', '2026-03-02', '2026-03-05'],
    ],
    [
      'working days only',
      from('2026-01-02', { frequency: 'DAILY', weekdays: ['MO', 'TU', 'WE', 'TH', 'FR'] }),
      ['2026-01-02', '2026-01-05', '2026-01-06'],
    ],
    ['every week on the day of its start', from('2026-01-01', { frequency: 'WEEKLY' }), ['2026-01-01', '2026-01-08']],
    [
      'every other week on two days',
      from('2026-01-07', { frequency: 'WEEKLY', every: 2, weekdays: ['MO', 'FR'] }),
      ['2026-01-09', '2026-01-19', '2026-01-23', '2026-02-02'],
    ],
    [
      'the 31st, or the last day of a shorter month, counted from the anchor and not from the last date',
      from('2026-01-31', { frequency: 'MONTHLY' }),
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    [
      'the 31st, where there is one',
      from('2026-01-31', { frequency: 'MONTHLY' }, { monthEnd: 'skip' }),
      ['2026-01-31', '2026-03-31', '2026-05-31'],
    ],
    [
      'the last day of a month, whatever its start',
      from('2026-01-10', { frequency: 'MONTHLY', daysOfMonth: ['last'] }),
      ['2026-01-31', '2026-02-28', '2026-03-31'],
    ],
    [
      'two days of a month that a short month makes one',
      from('2026-01-01', { frequency: 'MONTHLY', daysOfMonth: [30, 31] }),
      ['2026-01-30', '2026-01-31', '2026-02-28', '2026-03-30'],
    ],
    [
      'the second Tuesday and the last Friday',
      from('2026-01-01', { frequency: 'MONTHLY', weekdays: ['2TU', '-1FR'] }),
      ['2026-01-13', '2026-01-30', '2026-02-10', '2026-02-27'],
    ],
    [
      'the 29th of February, or the 28th',
      from('2024-02-29', { frequency: 'YEARLY' }),
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      'the 29th of February, where there is one: not in 2100',
      from('2092-02-29', { frequency: 'YEARLY' }, { monthEnd: 'skip' }),
      ['2092-02-29', '2096-02-29', '2104-02-29'],
    ],
    [
      'quarters',
      from('2026-01-15', { frequency: 'YEARLY', months: [10, 1, 4, 7] }),
      ['2026-01-15', '2026-04-15', '2026-07-15', '2026-10-15', '2027-01-15'],
    ],
  ])('%s', (_, timing, expected) => {
    expect(slots(timing, expected.length)).toEqual(expected);
  });

  test('takes its time of day from the rule before the start', () => {
    const timing = from('2026-01-01', { frequency: 'DAILY', time: '18:30' }, { zone: 'Europe/Berlin' });
    expect(instants(timing, 2)).toEqual(['2026-01-01T17:30', '2026-01-02T17:30']);
  });

  test('ends with a date, whose whole day counts, or after a count', () => {
    const daily = from('2026-01-30T09:00', { frequency: 'DAILY' });
    expect(slots({ ...daily, until: '2026-02-01' }, 9)).toEqual(['2026-01-30', '2026-01-31', '2026-02-01']);
    expect(slots({ ...daily, until: '2026-02-01T08:59' }, 9)).toEqual(['2026-01-30', '2026-01-31']);
    expect(slots({ ...daily, count: 2 }, 9)).toEqual(['2026-01-30', '2026-01-31']);
  });

  test('leaves out what is excluded, and counts it', () => {
    const daily = from('2026-01-30T09:00', { frequency: 'DAILY' }, { count: 4 });
    expect(slots({ ...daily, exclude: ['2026-01-31', '2026-02-01T09:00', '2026-02-02T10:00'] }, 9)).toEqual([
      '2026-01-30',
      '2026-02-02',
    ]);
  });
});

describe('an RRULE', () => {
  const nine = (start: string, rrule: string): TimingInput => ({
    start: `${start}T09:00`,
    zone: 'America/New_York',
    rule: { rrule },
  });

  // The start of every example of the RFC is 9 in the morning in New York.
  test.each<[string, string, string[]]>([
    ['1997-09-02', 'FREQ=DAILY;COUNT=3', ['1997-09-02', '1997-09-03', '1997-09-04']],
    ['1997-12-22', 'FREQ=DAILY;UNTIL=19971224T000000Z', ['1997-12-22', '1997-12-23']],
    [
      '1997-09-02',
      'FREQ=DAILY;INTERVAL=10;COUNT=5',
      ['1997-09-02', '1997-09-12', '1997-09-22', '1997-10-02', '1997-10-12'],
    ],
    [
      '1998-01-30',
      'FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
      ['1998-01-30', '1998-01-31', '1999-01-01', '1999-01-02'],
    ],
    ['1997-09-02', 'FREQ=WEEKLY;INTERVAL=2;WKST=SU', ['1997-09-02', '1997-09-16', '1997-09-30', '1997-10-14']],
    [
      '1997-09-01',
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
      ['1997-09-01', '1997-09-03', '1997-09-05', '1997-09-15', '1997-09-17'],
    ],
    [
      '1997-09-05',
      'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
      ['1997-09-05', '1997-10-03', '1997-11-07', '1997-12-05', '1998-01-02'],
    ],
    [
      '1997-09-07',
      'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
      ['1997-09-07', '1997-09-28', '1997-11-02', '1997-11-30', '1998-01-04', '1998-01-25'],
    ],
    [
      '1997-09-22',
      'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
      ['1997-09-22', '1997-10-20', '1997-11-17', '1997-12-22', '1998-01-19', '1998-02-16'],
    ],
    [
      '1997-09-28',
      'FREQ=MONTHLY;BYMONTHDAY=-3',
      ['1997-09-28', '1997-10-29', '1997-11-28', '1997-12-29', '1998-01-29', '1998-02-26'],
    ],
    [
      '1997-09-30',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
      ['1997-09-30', '1997-10-01', '1997-10-31', '1997-11-01', '1997-11-30'],
    ],
    [
      '1997-09-10',
      'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
      ['1997-09-10', '1997-09-11', '1997-09-12', '1997-09-13', '1997-09-14', '1997-09-15', '1999-03-10'],
    ],
    [
      '1997-09-02',
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
      ['1997-09-02', '1997-09-09', '1997-09-16', '1997-09-23', '1997-09-30', '1997-11-04'],
    ],
    ['1997-06-10', 'FREQ=YEARLY;COUNT=10;BYMONTH=6,7', ['1997-06-10', '1997-07-10', '1998-06-10', '1998-07-10']],
    [
      '1997-01-01',
      'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
      ['1997-01-01', '1997-04-10', '1997-07-19', '2000-01-01', '2000-04-09', '2000-07-18', '2003-01-01'],
    ],
    ['1997-05-19', 'FREQ=YEARLY;BYDAY=20MO', ['1997-05-19', '1998-05-18', '1999-05-17']],
    ['1997-05-12', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', ['1997-05-12', '1998-05-11', '1999-05-17']],
    // Without BYDAY: the weekday of the start, a Monday; the RFC takes from DTSTART what a rule does not say.
    ['1997-05-12', 'FREQ=YEARLY;BYWEEKNO=20', ['1997-05-12', '1998-05-11', '1999-05-17']],
    ['1997-05-13', 'FREQ=YEARLY;BYWEEKNO=20,21;BYMONTH=5', ['1997-05-13', '1997-05-20', '1998-05-12', '1998-05-19']],
    ['1997-03-13', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH', ['1997-03-13', '1997-03-20', '1997-03-27', '1998-03-05']],
    [
      '1998-02-13',
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      ['1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13', '2000-10-13'],
    ],
    [
      '1997-09-13',
      'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
      ['1997-09-13', '1997-10-11', '1997-11-08', '1997-12-13'],
    ],
    [
      '1996-11-05',
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      ['1996-11-05', '2000-11-07', '2004-11-02'],
    ],
    ['1997-09-04', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', ['1997-09-04', '1997-10-07', '1997-11-06']],
    [
      '1997-09-29',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
      ['1997-09-29', '1997-10-30', '1997-11-27', '1997-12-30'],
    ],
    [
      '1997-08-05',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
      ['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24'],
    ],
    [
      '1997-08-05',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
      ['1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31'],
    ],
    [
      '2007-01-15',
      'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
      ['2007-01-15', '2007-01-30', '2007-02-15', '2007-03-15', '2007-03-30'],
    ],
  ])('from %s: %s', (start, rrule, expected) => {
    expect(slots(nine(start, rrule), expected.length)).toEqual(expected);
  });

  test('ends where its COUNT or UNTIL says', () => {
    expect(slots(nine('1997-09-04', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3'), 9)).toHaveLength(3);
    expect(slots(nine('1997-09-02', 'FREQ=WEEKLY;UNTIL=19971007'), 99).at(-1)).toBe('1997-10-07');
  });

  test('has its times of day, and its exclusions in local time, UTC or as whole days', () => {
    const timing = nine(
      '1997-09-02',
      'RRULE:FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30\nEXDATE:19970902T093000,19970902T210000Z\nEXDATE;VALUE=DATE:19970903',
    );
    expect(slots(timing, 4)).toEqual(['1997-09-02T09:00', '1997-09-02T17:30', '1997-09-04T09:00', '1997-09-04T09:30']);
  });
});

describe('a cron expression', () => {
  test.each<[string, string[]]>([
    ['30 9 * * *', ['2026-01-01', '2026-01-02']],
    ['0 9 * * MON-FRI', ['2026-01-01', '2026-01-02', '2026-01-05']],
    ['0 9 1,15 * *', ['2026-01-01', '2026-01-15', '2026-02-01']],
    ['0 9 L * *', ['2026-01-31', '2026-02-28', '2026-03-31']],
    ['0 9 15,L 2 *', ['2026-02-15', '2026-02-28', '2027-02-15']],
    ['0 0 1 jan,Jul *', ['2026-01-01', '2026-07-01', '2027-01-01']],
    ['0 9 13 * FRI', ['2026-01-02', '2026-01-09', '2026-01-13', '2026-01-16']],
    ['0 9 */10 * FRI', ['2026-05-01', '2026-07-31', '2026-08-21']],
    ['0 9 * * FRI#2', ['2026-01-09', '2026-02-13']],
    ['0 9 * * 5L', ['2026-01-30', '2026-02-27']],
    ['0 9 * * 7', ['2026-01-04', '2026-01-11']],
    ['0 9 29 2 *', ['2028-02-29', '2032-02-29']],
    ['*/20 8-9 1 1 *', ['2026-01-01T08:00', '2026-01-01T08:20', '2026-01-01T08:40', '2026-01-01T09:00']],
    ['5/25 0 1 1 *', ['2026-01-01T00:05', '2026-01-01T00:30', '2026-01-01T00:55', '2027-01-01T00:05']],
  ])('%s', (cron, expected) => {
    expect(slots({ start: '2026-01-01', rule: { cron } }, expected.length)).toEqual(expected);
  });
});

describe('a clock change', () => {
  const berlin = (start: string, rule: RuleInput): TimingInput => ({ start, rule, zone: 'Europe/Berlin' });

  test('a time that the clocks leave out comes as much later', () => {
    // On 29 March 2026 there is no 02:30: from 02:00 the clocks go to 03:00.
    expect(instants(berlin('2026-03-28T02:30', { frequency: 'DAILY' }), 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:30',
      '2026-03-30T00:30',
    ]);
  });

  test('a time that comes twice is the first of the two', () => {
    expect(instants(berlin('2026-10-24T02:30', { frequency: 'DAILY' }), 3)).toEqual([
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  test('an hourly rule runs once an hour when hours are left out, and once when one comes twice', () => {
    expect(instants(berlin('2026-03-29T00:30', { cron: '30 * * * *' }), 4)).toEqual([
      '2026-03-28T23:30',
      '2026-03-29T00:30',
      '2026-03-29T01:30',
      '2026-03-29T02:30',
    ]);
    expect(instants(berlin('2026-10-25T01:30', { cron: '30 * * * *' }), 3)).toEqual([
      '2026-10-24T23:30',
      '2026-10-25T00:30',
      '2026-10-25T02:30',
    ]);
  });

  const newYork = (more: Partial<TimingInput>): TimingInput => ({
    start: '2027-03-14T00:00',
    zone: 'America/New_York',
    rule: { cron: '0 * * * *' },
    ...more,
  });

  // On 14 March 2027 there is no 02:00: its slot gives way to that of 03:00, if that one runs.
  test.each<[string, TimingInput, string[]]>([
    ['count', newYork({ count: 3 }), ['05:00', '06:00', '07:00']],
    ['until', newYork({ until: '2027-03-14T02:30' }), ['05:00', '06:00', '07:00']],
    ['exclude', newYork({ exclude: ['2027-03-14T03:00'], count: 5 }), ['05:00', '06:00', '07:00', '08:00']],
    [
      'COUNT',
      newYork({ rule: { rrule: 'FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0;COUNT=3' } }),
      ['05:00', '06:00', '07:00'],
    ],
    [
      'EXDATE',
      newYork({ rule: { rrule: 'FREQ=DAILY;BYHOUR=1,2,3,4;BYMINUTE=0\nEXDATE:20270314T030000' }, until: '2027-03-14' }),
      ['06:00', '07:00', '08:00'],
    ],
    [
      'the first of two excluded',
      newYork({ rule: { cron: '0,20 2,3 * * *' }, exclude: ['2027-03-14T03:00'], until: '2027-03-14' }),
      ['07:00', '07:20'],
    ],
    ['nothing', newYork({ count: 4 }), ['05:00', '06:00', '07:00']],
  ])('a slot that the clocks leave out is kept when the later one was removed: by %s', (_, timing, expected) => {
    expect(instants(timing, 10).map((at) => at.slice(11))).toEqual(expected);
  });

  test('a day that the date line took is kept when the whole next day is excluded', () => {
    const apia = { start: '2011-12-30T00:00', zone: 'Pacific/Apia', rule: { cron: '* * * * *' }, count: 3_000 };
    const kept = instants({ ...apia, exclude: ['2011-12-31'] }, 3_000);
    expect(kept.length).toBe(1_440 + 120);
    expect(new Set(kept).size).toBe(kept.length);
    expect(kept).toEqual(kept.toSorted());
  });

  test('a day that the date line took is paid on the next', () => {
    // Samoa had no 30 December 2011.
    expect(
      instants(
        { start: '2011-12-29T12:00', zone: 'Pacific/Apia', rule: { frequency: 'MONTHLY', daysOfMonth: [30] } },
        1,
      ),
    ).toEqual(['2011-12-30T22:00']);
  });

  test('a fixed period does not notice', () => {
    expect(instants(berlin('2026-03-28T12:00', { everySeconds: 86_400 }), 3)).toEqual([
      '2026-03-28T11:00',
      '2026-03-29T11:00',
      '2026-03-30T11:00',
    ]);
  });
});

describe('business days', () => {
  const monthEnds = from('2026-01-31T09:00', { frequency: 'MONTHLY' });

  test('a slot on another day is moved to the next, to the one before, or left out', () => {
    // 31 January and 28 February 2026 are Saturdays.
    expect(instants({ ...monthEnds, businessDays: { shift: 'next' } }, 3)).toEqual([
      '2026-02-02T09:00',
      '2026-03-02T09:00',
      '2026-03-31T09:00',
    ]);
    expect(instants({ ...monthEnds, businessDays: { shift: 'previous' } }, 2)).toEqual([
      '2026-01-30T09:00',
      '2026-02-27T09:00',
    ]);
    expect(instants({ ...monthEnds, businessDays: { shift: 'skip' } }, 2)).toEqual([
      '2026-03-31T09:00',
      '2026-04-30T09:00',
    ]);
  });

  test('a holiday is none, a weekend may be another', () => {
    const businessDays = { shift: 'previous', holidays: ['2026-03-31'], weekend: ['FR', 'SA'] } as const;
    expect(instants({ ...monthEnds, businessDays }, 3)).toEqual([
      '2026-01-29T09:00',
      '2026-02-26T09:00',
      '2026-03-30T09:00',
    ]);
  });

  test('the slot keeps its nominal date', () => {
    expect(slots({ ...monthEnds, businessDays: { shift: 'next' } }, 2)).toEqual(['2026-01-31', '2026-02-28']);
  });

  test('after an instant comes what is moved past it', () => {
    const table = timetable({ ...monthEnds, businessDays: { shift: 'next' } });
    const sunday = Date.parse('2026-03-01T12:00:00Z');
    expect(new Date(table.after(sunday)?.at ?? 0).toISOString()).toBe('2026-03-02T09:00:00.000Z');
  });
});
