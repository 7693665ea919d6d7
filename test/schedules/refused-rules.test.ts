// What cannot be a rule, and what is said about it.
import { expect, test } from 'vitest';
import { RULES_ERRORS } from '../../src/kernel/errors/rules.ts';
import { Refusal } from '../../src/kernel/index.ts';
import type { RuleInput, TimingInput } from '../../src/schedules/rules/index.ts';
import { timetable } from './rules.ts';

const keyOf = ({ code, reason }: Refusal): string => (reason === undefined ? code : `${code}/${reason}`);

function refusal(timing: TimingInput): string {
  try {
    timetable(timing);
  } catch (error) {
    if (error instanceof Refusal) return `${keyOf(error)}: ${error.message}`;
    throw error;
  }
  return 'not refused';
}

const RULES: [RuleInput, string][] = [
  [
    { frequency: 'HOURLY' } as unknown as RuleInput,
    'RULE_INVALID/one_of: rule.frequency must be DAILY, WEEKLY, MONTHLY or YEARLY',
  ],
  [{ frequency: 'DAILY', every: 0 }, 'RULE_INVALID/not_whole_number: rule.every must be a whole number from 1 to 999'],
  [
    { frequency: 'DAILY', every: 1.5 },
    'RULE_INVALID/not_whole_number: rule.every must be a whole number from 1 to 999',
  ],
  [
    { frequency: 'WEEKLY', weekdays: ['XX'] },
    'RULE_INVALID/weekday_unknown: rule.weekdays has "XX", which is not a weekday; weekdays are MO,',
  ],
  [{ frequency: 'WEEKLY', weekdays: ['2TU'] }, 'RULE_INVALID/weekday_numbered: a numbered weekday'],
  [{ frequency: 'WEEKLY', daysOfMonth: [3] }, 'RULE_INVALID/days_of_month_frequency: rule.daysOfMonth needs MONTHLY'],
  [{ frequency: 'MONTHLY', daysOfMonth: [32] }, 'RULE_INVALID/days_of_month: rule.daysOfMonth must have'],
  [
    { frequency: 'MONTHLY', daysOfMonth: [1], weekdays: ['1MO'] },
    'RULE_INVALID/days_of_month_and_weekdays: give either weekdays or daysOfMonth',
  ],
  [{ frequency: 'YEARLY', months: [13] }, 'RULE_INVALID/months: rule.months must have'],
  [{ frequency: 'DAILY', time: '24:00' }, 'LOCAL_TIME_INVALID/time_of_day: rule.time'],
  [{ frequency: 'MONTHLY', weekdays: ['6MO'] }, 'RULE_NEVER_FIRES/no_date: no date satisfies the rule'],
  [{} as RuleInput, 'RULE_INVALID/one_kind: give exactly one of frequency, rrule, cron or everySeconds'],
  [
    { cron: '0 9 * * *', everySeconds: 60 },
    'RULE_INVALID/one_kind: give exactly one of frequency, rrule, cron or everySeconds',
  ],
  [{ everySeconds: 1 }, 'RULE_TOO_FREQUENT/period'],
  [{ everySeconds: 59 }, 'RULE_TOO_FREQUENT'],
  [{ everySeconds: 0 }, 'RULE_INVALID/not_whole_number: rule.everySeconds must be a whole number from 1 to'],
  [{ everySeconds: 1e12 }, 'RULE_INVALID/not_whole_number: rule.everySeconds must be a whole number from 1 to'],
  [{ cron: '* * * * * *' }, 'RULE_INVALID/cron_fields: the cron expression has 6 fields'],
  [{ cron: '60 * * * *' }, 'RULE_INVALID/cron_range: the minute "60" of the cron expression is not between 0 and 59'],
  [{ cron: '0 9-8 * * *' }, 'RULE_INVALID/cron_backwards: the hour "9-8"'],
  [{ cron: '0 9 * * FRIDAY' }, 'RULE_INVALID/cron_range: the day of week "FRIDAY"'],
  [{ cron: '*/0 * * * *' }, 'RULE_INVALID/cron_step: the minute "*/0" of the cron expression has a step of 0'],
  [{ cron: '0 9 ? * *' }, 'RULE_INVALID/cron_syntax: the day of month "?"'],
  [{ cron: '0 0 30 2 *' }, 'RULE_NEVER_FIRES/no_date: no date satisfies the rule'],
  [{ cron: 5 } as unknown as RuleInput, 'RULE_INVALID/not_text: rule.cron must be text'],
  [{ rrule: '' }, 'RULE_INVALID/rrule_lines: the recurrence rule must be one RRULE'],
  [
    { rrule: 'FREQ=SECONDLY' },
    'RULE_TOO_FREQUENT/frequency_unsupported: FREQ=SECONDLY is not supported; use a fixed period (everySeconds: 3600',
  ],
  [{ rrule: 'FREQ=DAILY;BYSECOND=0,1' }, 'RULE_TOO_FREQUENT'],
  [{ rrule: 'FREQ=FORTNIGHTLY' }, 'RULE_INVALID/rrule_frequency: FREQ of the recurrence rule must be one of'],
  [{ rrule: 'FREQ=DAILY;FREQ=DAILY' }, 'RULE_INVALID/rrule_part_twice: the recurrence rule has FREQ twice'],
  [
    { rrule: 'FREQ=DAILY;RSCALE=CHINESE' },
    'RULE_INVALID/rrule_part_unknown: the recurrence rule has an unknown part, "RSCALE=CHINESE"',
  ],
  [
    { rrule: 'FREQ=DAILY;COUNT=2;UNTIL=20270101' },
    'RULE_INVALID/rrule_conflict: UNTIL of the recurrence rule does not go with COUNT',
  ],
  [
    { rrule: 'FREQ=MONTHLY;BYMONTHDAY=0' },
    'RULE_INVALID/rrule_zero: BYMONTHDAY of the recurrence rule is counted from 1',
  ],
  [{ rrule: 'FREQ=MONTHLY;BYMONTHDAY=32' }, 'RULE_INVALID/rrule_range: BYMONTHDAY of the recurrence rule has "32"'],
  [{ rrule: 'FREQ=MONTHLY;BYWEEKNO=3' }, 'RULE_INVALID/rrule_needs: BYWEEKNO of the recurrence rule needs FREQ=YEARLY'],
  [{ rrule: 'FREQ=DAILY;BYYEARDAY=3' }, 'RULE_INVALID/rrule_needs: BYYEARDAY of the recurrence rule needs FREQ=YEARLY'],
  [
    { rrule: 'FREQ=WEEKLY;BYMONTHDAY=3' },
    'RULE_INVALID/rrule_conflict: BYMONTHDAY of the recurrence rule does not go with FREQ=WEEKLY',
  ],
  [{ rrule: 'FREQ=WEEKLY;BYDAY=2TU' }, 'RULE_INVALID/rrule_numbered_weekday: a numbered BYDAY'],
  [
    { rrule: 'FREQ=MONTHLY;BYSETPOS=1' },
    'RULE_INVALID/rrule_needs: BYSETPOS of the recurrence rule needs another BY part',
  ],
  [
    { rrule: 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;BYHOUR=8,9' },
    'RULE_INVALID/rrule_positions_of_times: BYSETPOS does not go',
  ],
  [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'RULE_NEVER_FIRES/no_date: no date satisfies the rule'],
  [{ rrule: 'FREQ=DAILY;UNTIL=20250101' }, 'END_BEFORE_START'],
  [
    { rrule: 'DTSTART:20260101T000000\nRRULE:FREQ=DAILY' },
    'RULE_INVALID/rrule_lines: the recurrence rule must be one RRULE',
  ],
  [
    { rrule: 'FREQ=DAILY\nEXDATE:20260231' },
    'RULE_INVALID/rrule_date_not_in_calendar: "20260231" in the recurrence rule is not in the calendar',
  ],
];

test.each(RULES)('%j: %s', (rule, expected) => {
  expect(refusal({ rule, start: '2026-01-01' })).toContain(expected);
});

const DAILY: RuleInput = { frequency: 'DAILY' };

const TIMINGS: [Partial<TimingInput>, string][] = [
  [{ zone: 'Mars/Olympus' }, 'ZONE_UNKNOWN: zone must be the IANA name of a time zone'],
  [{ zone: '+01:00' }, 'ZONE_UNKNOWN'],
  [{ zone: '' }, 'ZONE_UNKNOWN'],
  [{ start: '2026-02-30' }, 'LOCAL_TIME_INVALID/date: start must be a local date'],
  [{ start: '2026-02-01T25:00' }, 'LOCAL_TIME_INVALID'],
  [{ start: '2026-02-01T09:00Z' }, 'LOCAL_TIME_INVALID/date: start must be a local date or date and time'],
  [{ start: '1969-12-31' }, 'LOCAL_TIME_INVALID/out_of_range: start must be between 1970 and 2199'],
  [
    { start: '2026-02-01', until: '2026-01-31' },
    'END_BEFORE_START: the end, 2026-01-31T23:59:59.999, is before the start, 2026-02-01T00:00:00',
  ],
  [{ until: '2027-01-01', count: 3 }, 'RULE_INVALID/until_and_count: give either until or count'],
  [{ count: 0 }, 'RULE_INVALID/not_whole_number: count must be'],
  [
    { rule: { rrule: 'FREQ=DAILY;COUNT=3' }, count: 4 },
    'RULE_INVALID/ends_twice: the recurrence rule already ends by UNTIL or COUNT',
  ],
  [{ count: 2, exclude: ['2026-01-01', '2026-01-02'] }, 'RULE_NEVER_FIRES/no_date: no date satisfies the rule'],
  [{ exclude: ['tomorrow'] }, 'LOCAL_TIME_INVALID/date: exclude'],
  [{ exclude: Array.from({ length: 1_001 }, () => '2026-01-01') }, 'RULE_INVALID/too_many: exclude has more than'],
  [
    { rule: { cron: '0 0 31 * *' }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_with_cron: monthEnd does not go with cron; in cron, L is',
  ],
  [
    { rule: { everySeconds: 60 }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_with_kind: monthEnd does not go with everySeconds',
  ],
  [
    { businessDays: { shift: 'sideways' as 'next' } },
    'RULE_INVALID/one_of: businessDays.shift must be skip, next or previous',
  ],
  [
    { businessDays: { shift: 'next', weekend: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] } },
    'RULE_NEVER_FIRES/no_weekday: businessDays.weekend',
  ],
  [
    { rule: { cron: '0 9,17 * * *' }, businessDays: { shift: 'next' } },
    'RULE_INVALID/shift_several_times: a rule with several times a day',
  ],
  [
    {
      businessDays: {
        shift: 'next',
        holidays: Array.from({ length: 40 }, (_, day) => new Date(Date.UTC(2026, 6, day)).toISOString().slice(0, 10)),
      },
    },
    'RULE_INVALID/holidays_too_long: businessDays.holidays leaves no business day',
  ],
  [
    { businessDays: { shift: 'next', holidays: Array.from({ length: 1_001 }, () => '2026-01-01') } },
    'RULE_INVALID/too_many: businessDays.holidays has more than 1000',
  ],
];

test.each(TIMINGS)('%j: %s', (timing, expected) => {
  expect(refusal({ rule: DAILY, start: '2026-01-01', ...timing })).toContain(expected);
});

const IGNORED: [TimingInput, string][] = [
  [
    { rule: { frequency: 'YEARLY', daysOfMonth: [1] } },
    'RULE_INVALID/yearly_days_of_month: YEARLY with daysOfMonth needs months',
  ],
  [
    { rule: { frequency: 'YEARLY', daysOfMonth: ['last'], months: [] } },
    'RULE_INVALID/yearly_days_of_month: YEARLY with daysOfMonth needs months',
  ],
  [
    { rule: { frequency: 'YEARLY', weekdays: ['MO'] } },
    'RULE_INVALID/yearly_weekdays: YEARLY with weekdays needs months',
  ],
  [
    { rule: { frequency: 'YEARLY', weekdays: ['2TU', 'FR'] } },
    'RULE_INVALID/yearly_weekdays: YEARLY with weekdays needs months',
  ],
  [{ rule: { cron: '0 0 1 * *', daysOfMonth: [3] } }, 'RULE_INVALID/foreign_field: daysOfMonth does not go with cron'],
  [{ rule: { rrule: 'FREQ=DAILY', time: '09:00' } }, 'RULE_INVALID/foreign_field: time does not go with rrule'],
  [{ rule: { everySeconds: 60, months: [1] } }, 'RULE_INVALID/foreign_field: months does not go with everySeconds'],
  [
    { rule: { frequency: 'MONTHLY' }, monthEnd: 'later' as 'skip' },
    'RULE_INVALID/one_of: monthEnd must be clamp or skip',
  ],
  [{ rule: { frequency: 'MONTHLY', weekdays: ['0MO'] } }, 'RULE_INVALID/weekday_number: rule.weekdays has "0MO"'],
  [{ rule: { rrule: 'FREQ=DAILY;COUNT=3,4' } }, 'RULE_INVALID/rrule_not_one: COUNT of the recurrence rule must be one'],
  [{ rule: { rrule: 'FREQ=DAILY;UNTIL=tomorrow' } }, 'RULE_INVALID/rrule_date: "TOMORROW" in the recurrence rule'],
  [{ rule: { rrule: 'FREQ=DAILY\nEXDATE;FOO=1:20260101' } }, 'RULE_INVALID/rrule_exdate: "EXDATE;FOO=1:20260101"'],
  [
    { rule: { rrule: 'FREQ=DAILY\nEXDATE;TZID=Asia/Tokyo:20260101T090000' }, zone: 'Europe/Berlin' },
    'RULE_INVALID/rrule_exdate_zone: the EXDATE 20260101T090000 is another time in Asia/Tokyo than in the zone of the schedule; write it in Europe/Berlin',
  ],
  [
    { rule: { frequency: 'WEEKLY' }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_with_kind: monthEnd does not go with WEEKLY',
  ],
  [
    { rule: { rrule: 'FREQ=WEEKLY' }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_with_kind: monthEnd does not go with WEEKLY',
  ],
  [
    { rule: { rrule: 'FREQ=DAILY' }, monthEnd: 'skip' },
    'RULE_INVALID/month_end_with_kind: monthEnd does not go with DAILY',
  ],
  [
    { rule: { rrule: 'FREQ=MONTHLY;BYDAY=5MO' }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_without_days: monthEnd needs days of the month',
  ],
  [
    { rule: { rrule: 'FREQ=YEARLY;BYYEARDAY=366' }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_without_days: monthEnd needs days of the month',
  ],
  [
    { rule: { rrule: 'FREQ=YEARLY;BYWEEKNO=53' }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_without_days: monthEnd needs days of the month',
  ],
  [
    { rule: { frequency: 'MONTHLY', weekdays: ['5MO'] }, monthEnd: 'clamp' },
    'RULE_INVALID/month_end_without_days: monthEnd needs days of the month',
  ],
  [{ rule: { rrule: 'FREQ=DAILY;UNTIL=20261401' } }, 'is not in the calendar'],
  [{ rule: { rrule: 'FREQ=DAILY;UNTIL=20271231T250000' } }, 'is not in the calendar'],
  [
    { rule: { rrule: 'FREQ=DAILY;COUNT=3=4' } },
    'RULE_INVALID/rrule_part_syntax: the part "COUNT=3=4" of the recurrence rule has more than one "="',
  ],
  [
    { rule: { rrule: 'FREQ=DAILY;' } },
    'RULE_INVALID/rrule_part_empty: the recurrence rule has a ";" with nothing beside it',
  ],
  [{ rule: { rrule: 'FREQ=MONTHLY;BYDAY=MO;BYHOUR=9,10;BYSETPOS=1' } }, 'create one schedule for each BYHOUR'],
];

test.each(IGNORED)('what would be ignored or cannot be is refused: %j', (timing, expected) => {
  expect(refusal(timing)).toContain(expected);
});

test('every reason of a code of rules is one that some rule above is refused with', () => {
  const timings = [
    ...RULES.map(([rule]) => ({ rule, start: '2026-01-01' })),
    ...TIMINGS.map(([timing]) => ({ rule: DAILY, start: '2026-01-01', ...timing })),
    ...IGNORED.map(([timing]) => timing),
  ];
  const seen = new Set(timings.map((timing) => refusal(timing).split(':')[0]));
  const wanted = Object.entries(RULES_ERRORS).flatMap(([code, { detail }]) =>
    typeof detail === 'string' ? [code] : Object.keys(detail).map((reason) => `${code}/${reason}`),
  );
  // A past end is refused by the verbs, which know the time: test/api/refused-schedules.test.ts.
  expect(wanted.filter((key) => key !== 'RULE_NEVER_FIRES/past' && !seen.has(key))).toEqual([]);
});

test('every field of a calendar rule is refused in a rule of another kind', () => {
  const fields = { every: 2, weekdays: ['MO'], daysOfMonth: [1], months: [1], time: '09:00' };
  const kinds = { rrule: 'FREQ=DAILY', cron: '0 9 * * *', everySeconds: 3_600 };
  for (const [kind, value] of Object.entries(kinds)) {
    expect(refusal({ rule: { [kind]: value } as unknown as RuleInput }), kind).toBe('not refused');
    for (const [field, given] of Object.entries(fields))
      expect(refusal({ rule: { [kind]: value, [field]: given } as unknown as RuleInput })).toContain(
        `RULE_INVALID/foreign_field: ${field} does not go with ${kind}`,
      );
  }
});

test('a policy for the end of the month is taken by every rule with days of the month', () => {
  const rules: RuleInput[] = [
    { frequency: 'MONTHLY' },
    { frequency: 'YEARLY', months: [2], daysOfMonth: [30] },
    { rrule: 'FREQ=MONTHLY' },
    { rrule: 'FREQ=DAILY;BYMONTHDAY=31' },
    { rrule: 'FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=MO' },
  ];
  for (const rule of rules)
    expect(refusal({ rule, start: '2026-01-31', monthEnd: 'clamp' }), JSON.stringify(rule)).toBe('not refused');
});
