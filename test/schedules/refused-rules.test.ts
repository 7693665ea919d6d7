// What cannot be a rule, and what is said about it.
import { expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/index.ts';
import type { RuleInput, TimingInput } from '../../src/schedules/rules/index.ts';
import { timetable } from './rules.ts';

function refusal(timing: TimingInput): string {
  try {
    timetable(timing);
  } catch (error) {
    if (error instanceof Refusal) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'not refused';
}

test.each<[RuleInput, string]>([
  [{ frequency: 'HOURLY' } as unknown as RuleInput, 'RULE_INVALID: frequency must be one of DAILY'],
  [{ frequency: 'DAILY', every: 0 }, 'RULE_INVALID: every must be'],
  [{ frequency: 'DAILY', every: 1.5 }, 'RULE_INVALID: every must be'],
  [
    { frequency: 'WEEKLY', weekdays: ['XX'] },
    'RULE_INVALID: the recurrence rule cannot be read: "XX" is not a weekday',
  ],
  [{ frequency: 'WEEKLY', weekdays: ['2TU'] }, 'RULE_INVALID: a numbered weekday'],
  [{ frequency: 'WEEKLY', daysOfMonth: [3] }, 'RULE_INVALID: daysOfMonth needs MONTHLY'],
  [{ frequency: 'MONTHLY', daysOfMonth: [32] }, 'RULE_INVALID: daysOfMonth are'],
  [{ frequency: 'MONTHLY', daysOfMonth: [1], weekdays: ['1MO'] }, 'RULE_INVALID: give weekdays or daysOfMonth'],
  [{ frequency: 'YEARLY', months: [13] }, 'RULE_INVALID: months are'],
  [{ frequency: 'DAILY', time: '24:00' }, 'LOCAL_TIME_INVALID: rule.time'],
  [{ frequency: 'MONTHLY', weekdays: ['6MO'] }, 'RULE_NEVER_FIRES'],
  [{} as RuleInput, 'RULE_INVALID: give exactly one of'],
  [{ cron: '0 9 * * *', everySeconds: 60 }, 'RULE_INVALID: give exactly one of'],
  [{ everySeconds: 1 }, 'RULE_TOO_FREQUENT'],
  [{ everySeconds: 59 }, 'RULE_TOO_FREQUENT'],
  [{ everySeconds: 0 }, 'RULE_INVALID: everySeconds'],
  [{ everySeconds: 1e12 }, 'RULE_INVALID: everySeconds'],
  [{ cron: '* * * * * *' }, 'RULE_INVALID: the cron expression cannot be read: it has 6 fields'],
  [{ cron: '60 * * * *' }, 'RULE_INVALID: the cron expression cannot be read: the minute "60"'],
  [{ cron: '0 9-8 * * *' }, 'RULE_INVALID: the cron expression cannot be read: the hour "9-8" goes backwards'],
  [{ cron: '0 9 * * FRIDAY' }, 'RULE_INVALID: the cron expression cannot be read: the day of week "FRIDAY"'],
  [{ cron: '*/0 * * * *' }, 'RULE_INVALID: the cron expression cannot be read: the minute "*/0" has a step of nothing'],
  [{ cron: '0 9 ? * *' }, 'RULE_INVALID: the cron expression cannot be read: the day of month "?"'],
  [{ cron: '0 0 30 2 *' }, 'RULE_NEVER_FIRES'],
  [{ cron: 5 } as unknown as RuleInput, 'RULE_INVALID: cron must be text'],
  [{ rrule: '' }, 'RULE_INVALID: the recurrence rule cannot be read: it must be one RRULE'],
  [{ rrule: 'FREQ=SECONDLY' }, 'RULE_TOO_FREQUENT: FREQ=SECONDLY is not supported; take a fixed period'],
  [{ rrule: 'FREQ=DAILY;BYSECOND=0,1' }, 'RULE_TOO_FREQUENT'],
  [{ rrule: 'FREQ=FORTNIGHTLY' }, 'RULE_INVALID: the recurrence rule cannot be read: FREQ must be one of'],
  [{ rrule: 'FREQ=DAILY;FREQ=DAILY' }, 'RULE_INVALID: the recurrence rule cannot be read: FREQ is given twice'],
  [{ rrule: 'FREQ=DAILY;RSCALE=CHINESE' }, 'RULE_INVALID: the recurrence rule cannot be read: "RSCALE=CHINESE"'],
  [
    { rrule: 'FREQ=DAILY;COUNT=2;UNTIL=20270101' },
    'RULE_INVALID: the recurrence rule cannot be read: it ends by UNTIL or by COUNT',
  ],
  [
    { rrule: 'FREQ=MONTHLY;BYMONTHDAY=0' },
    'RULE_INVALID: the recurrence rule cannot be read: BYMONTHDAY counts from 1',
  ],
  [{ rrule: 'FREQ=MONTHLY;BYMONTHDAY=32' }, 'RULE_INVALID: the recurrence rule cannot be read: BYMONTHDAY has "32"'],
  [{ rrule: 'FREQ=MONTHLY;BYWEEKNO=3' }, 'RULE_INVALID: the recurrence rule cannot be read: BYWEEKNO goes with'],
  [{ rrule: 'FREQ=DAILY;BYYEARDAY=3' }, 'RULE_INVALID: the recurrence rule cannot be read: BYYEARDAY goes with'],
  [{ rrule: 'FREQ=WEEKLY;BYMONTHDAY=3' }, 'RULE_INVALID: the recurrence rule cannot be read: BYMONTHDAY does not go'],
  [{ rrule: 'FREQ=WEEKLY;BYDAY=2TU' }, 'RULE_INVALID: the recurrence rule cannot be read: a numbered BYDAY'],
  [{ rrule: 'FREQ=MONTHLY;BYSETPOS=1' }, 'RULE_INVALID: the recurrence rule cannot be read: BYSETPOS needs'],
  [
    { rrule: 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;BYHOUR=8,9' },
    'RULE_INVALID: the recurrence rule cannot be read: BYSETPOS does not go',
  ],
  [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'RULE_NEVER_FIRES'],
  [{ rrule: 'FREQ=DAILY;UNTIL=20250101' }, 'END_BEFORE_START'],
  [
    { rrule: 'DTSTART:20260101T000000\nRRULE:FREQ=DAILY' },
    'RULE_INVALID: the recurrence rule cannot be read: it must be one RRULE',
  ],
  [
    { rrule: 'FREQ=DAILY\nEXDATE:20260231' },
    'RULE_INVALID: the recurrence rule cannot be read: "20260231" is not in the calendar',
  ],
])('%j: %s', (rule, expected) => {
  expect(refusal({ rule, start: '2026-01-01' })).toContain(expected);
});

const DAILY: RuleInput = { frequency: 'DAILY' };

test.each<[Partial<TimingInput>, string]>([
  [{ zone: 'Mars/Olympus' }, 'ZONE_UNKNOWN: zone must be the IANA name of a time zone'],
  [{ zone: '+01:00' }, 'ZONE_UNKNOWN'],
  [{ zone: '' }, 'ZONE_UNKNOWN'],
  [{ start: '2026-02-30' }, 'LOCAL_TIME_INVALID: start must be a local date'],
  [{ start: '2026-02-01T25:00' }, 'LOCAL_TIME_INVALID'],
  [{ start: '2026-02-01T09:00Z' }, 'LOCAL_TIME_INVALID: start must be a local date or date and time'],
  [{ start: '1969-12-31' }, 'LOCAL_TIME_INVALID: start must lie between'],
  [
    { start: '2026-02-01', until: '2026-01-31' },
    'END_BEFORE_START: the end, 2026-01-31T23:59:59.999, lies before the start',
  ],
  [{ until: '2027-01-01', count: 3 }, 'RULE_INVALID: give either until or count'],
  [{ count: 0 }, 'RULE_INVALID: count must be'],
  [{ rule: { rrule: 'FREQ=DAILY;COUNT=3' }, count: 4 }, 'RULE_INVALID: the recurrence rule has an end of its own'],
  [{ count: 2, exclude: ['2026-01-01', '2026-01-02'] }, 'RULE_NEVER_FIRES'],
  [{ exclude: ['tomorrow'] }, 'LOCAL_TIME_INVALID: exclude'],
  [{ exclude: Array.from({ length: 1_001 }, () => '2026-01-01') }, 'RULE_INVALID: exclude has more than'],
  [{ rule: { cron: '0 0 31 * *' }, monthEnd: 'clamp' }, 'RULE_INVALID: monthEnd does not go with cron; L is'],
  [{ rule: { everySeconds: 60 }, monthEnd: 'clamp' }, 'RULE_INVALID: monthEnd does not go with a fixed period'],
  [{ businessDays: { shift: 'sideways' as 'next' } }, 'RULE_INVALID: businessDays.shift'],
  [{ businessDays: { shift: 'next', weekend: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] } }, 'RULE_NEVER_FIRES'],
  [
    { rule: { cron: '0 9,17 * * *' }, businessDays: { shift: 'next' } },
    'RULE_INVALID: a rule with several times a day',
  ],
  [
    {
      businessDays: {
        shift: 'next',
        holidays: Array.from({ length: 40 }, (_, day) => new Date(Date.UTC(2026, 6, day)).toISOString().slice(0, 10)),
      },
    },
    'RULE_INVALID: businessDays.holidays leaves no business day',
  ],
  [
    { businessDays: { shift: 'next', holidays: Array.from({ length: 1_001 }, () => '2026-01-01') } },
    'RULE_INVALID: businessDays.holidays has more',
  ],
])('%j: %s', (timing, expected) => {
  expect(refusal({ rule: DAILY, start: '2026-01-01', ...timing })).toContain(expected);
});

test.each<[TimingInput, string]>([
  [{ rule: { frequency: 'YEARLY', daysOfMonth: [1] } }, 'RULE_INVALID: YEARLY with daysOfMonth needs months'],
  [
    { rule: { frequency: 'YEARLY', daysOfMonth: ['last'], months: [] } },
    'RULE_INVALID: YEARLY with daysOfMonth needs months',
  ],
  [{ rule: { frequency: 'YEARLY', weekdays: ['MO'] } }, 'RULE_INVALID: YEARLY with weekdays needs months'],
  [{ rule: { frequency: 'YEARLY', weekdays: ['2TU', 'FR'] } }, 'RULE_INVALID: YEARLY with weekdays needs months'],
  [{ rule: { cron: '0 0 1 * *', daysOfMonth: [3] } }, 'RULE_INVALID: daysOfMonth does not go with cron'],
  [{ rule: { rrule: 'FREQ=DAILY', time: '09:00' } }, 'RULE_INVALID: time does not go with rrule'],
  [{ rule: { everySeconds: 60, months: [1] } }, 'RULE_INVALID: months does not go with everySeconds'],
  [{ rule: { frequency: 'WEEKLY' }, monthEnd: 'clamp' }, 'RULE_INVALID: monthEnd does not go with WEEKLY'],
  [{ rule: { rrule: 'FREQ=WEEKLY' }, monthEnd: 'clamp' }, 'RULE_INVALID: monthEnd does not go with WEEKLY'],
  [{ rule: { rrule: 'FREQ=DAILY' }, monthEnd: 'skip' }, 'RULE_INVALID: monthEnd does not go with DAILY'],
  [{ rule: { rrule: 'FREQ=MONTHLY;BYDAY=5MO' }, monthEnd: 'clamp' }, 'RULE_INVALID: monthEnd needs days of the month'],
  [
    { rule: { rrule: 'FREQ=YEARLY;BYYEARDAY=366' }, monthEnd: 'clamp' },
    'RULE_INVALID: monthEnd needs days of the month',
  ],
  [{ rule: { rrule: 'FREQ=YEARLY;BYWEEKNO=53' }, monthEnd: 'clamp' }, 'RULE_INVALID: monthEnd needs days of the month'],
  [
    { rule: { frequency: 'MONTHLY', weekdays: ['5MO'] }, monthEnd: 'clamp' },
    'RULE_INVALID: monthEnd needs days of the month',
  ],
  [{ rule: { rrule: 'FREQ=DAILY;UNTIL=20261401' } }, 'is not in the calendar'],
  [{ rule: { rrule: 'FREQ=DAILY;UNTIL=20271231T250000' } }, 'is not in the calendar'],
  [{ rule: { rrule: 'FREQ=DAILY;COUNT=3=4' } }, 'has more than one "="'],
  [{ rule: { rrule: 'FREQ=DAILY;' } }, 'with nothing beside it'],
  [{ rule: { rrule: 'FREQ=MONTHLY;BYDAY=MO;BYHOUR=9,10;BYSETPOS=1' } }, 'create one schedule for each BYHOUR'],
])('what would be ignored or cannot be is refused: %j', (timing, expected) => {
  expect(refusal(timing)).toContain(expected);
});

test('every field of a calendar rule is refused in a rule of another kind', () => {
  const fields = { every: 2, weekdays: ['MO'], daysOfMonth: [1], months: [1], time: '09:00' };
  const kinds = { rrule: 'FREQ=DAILY', cron: '0 9 * * *', everySeconds: 3_600 };
  for (const [kind, value] of Object.entries(kinds)) {
    expect(refusal({ rule: { [kind]: value } as unknown as RuleInput }), kind).toBe('not refused');
    for (const [field, given] of Object.entries(fields))
      expect(refusal({ rule: { [kind]: value, [field]: given } as unknown as RuleInput })).toContain(
        `RULE_INVALID: ${field} does not go with ${kind}`,
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
