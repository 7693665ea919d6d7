// Rules of schedules: when a schedule runs.
import { invalid } from './entry.ts';
import { ONE_OF, WHOLE_NUMBER } from './sentences.ts';

export const RULES_ERRORS = {
  RULE_INVALID: invalid({
    title: 'The schedule’s rule is invalid',
    detail: {
      one_kind: 'give exactly one of {kinds:fields}',
      foreign_field: '{field:field} does not go with {kind:field}; leave it out, or express it in {kind:field}',
      one_of: ONE_OF,
      not_whole_number: WHOLE_NUMBER,
      not_text: '{param} must be text of at most {max} characters',
      too_many: '{param} has more than {max} entries',
      weekday_unknown: '{param} has "{value}", which is not a weekday; weekdays are {weekdays:list}',
      weekday_number: '{param} has "{value}"; weekdays are counted from 1 to 53, or from -1 backwards',
      weekday_numbered: 'a numbered weekday such as 2TU needs MONTHLY or YEARLY',
      days_of_month: '{param} must have whole numbers from 1 to 31, or "last"',
      days_of_month_frequency: '{param} needs MONTHLY or YEARLY',
      days_of_month_and_weekdays: 'give either weekdays or {daysOfMonth:field}, not both',
      months: '{param} must have whole numbers from 1 to 12',
      yearly_days_of_month:
        'YEARLY with {daysOfMonth:field} needs months, such as [1]; for every month use MONTHLY with {daysOfMonth:field}',
      yearly_weekdays:
        'YEARLY with weekdays needs months, or a numbered weekday such as 1MO; for every week use WEEKLY with weekdays',
      month_end_with_kind: '{param} does not go with {kind:field}; it is for monthly and yearly rules',
      month_end_with_cron: '{param} does not go with cron; in cron, L is the last day of the month',
      month_end_without_days:
        '{param} needs days of the month; leave it out of a rule of weekdays, weeks or days of the year',
      until_and_count: 'give either until or count, not both',
      ends_twice: 'the recurrence rule already ends by UNTIL or COUNT; leave out until and count',
      holidays_too_long: '{param} leaves no business day for more than {max} days in a row',
      shift_several_times: 'a rule with several times a day cannot be moved to other days; set {shift:field} to "skip"',
      cron_fields:
        'the cron expression has {count} fields instead of five: minute, hour, day of month, month, day of week',
      cron_syntax: 'the {part} "{value}" of the cron expression is not a value, a range or a step',
      cron_range: 'the {part} "{value}" of the cron expression is not between {min} and {max}',
      cron_backwards: 'the {part} "{value}" of the cron expression ends before it begins',
      cron_step: 'the {part} "{value}" of the cron expression has a step of 0; use 1 or more',
      rrule_lines: 'the recurrence rule must be one RRULE, followed by any EXDATE lines; give the start as start',
      rrule_part_empty: 'the recurrence rule has a ";" with nothing beside it; leave it out',
      rrule_part_syntax: 'the part "{part}" of the recurrence rule has more than one "="',
      rrule_part_unknown: 'the recurrence rule has an unknown part, "{part}"',
      rrule_part_twice: 'the recurrence rule has {part} twice',
      rrule_frequency: 'FREQ of the recurrence rule must be one of {allowed:list}',
      rrule_needs: '{part} of the recurrence rule needs {needed}',
      rrule_conflict: '{part} of the recurrence rule does not go with {other}',
      rrule_numbered_weekday:
        'a numbered BYDAY such as 2TU needs FREQ=MONTHLY or FREQ=YEARLY, and does not go with BYWEEKNO',
      rrule_positions_of_times:
        'BYSETPOS does not go with several times a day; create one schedule for each BYHOUR or BYMINUTE',
      rrule_range: '{part} of the recurrence rule has "{value}", which is not between {min} and {max}',
      rrule_zero: '{part} of the recurrence rule is counted from 1, or from -1 backwards',
      rrule_not_one: '{part} of the recurrence rule must be one number',
      rrule_date: '"{value}" in the recurrence rule is not a date, or a date and time',
      rrule_date_not_in_calendar: '"{value}" in the recurrence rule is not in the calendar',
      rrule_exdate: '"{line}" in the recurrence rule is not an EXDATE line',
      rrule_exdate_zone:
        'the EXDATE {value} is another time in {zone} than in the zone of the schedule; write it in {scheduleZone}',
    },
    example: ['one_kind', { param: 'rule', kinds: ['frequency', 'rrule', 'cron', 'everySeconds'] }],
    cause:
      'The rule, or a field beside it (until, count, exclude, month_end, business_days), cannot be read, contradicts another field, or would be ignored. The reason says which.',
    remedy:
      'Correct the field that param names. `POST /schedules/preview` shows the next runs of a rule, or the same refusal, without creating anything.',
  }),
  RULE_NEVER_FIRES: invalid({
    title: 'The rule has no date between its start and its end',
    detail: {
      no_date: 'no date satisfies the rule between its start and its end; change one of them',
      past: 'every run of the rule is in the past; give it a later end',
      no_weekday: '{param} leaves no day of the week to run on',
    },
    example: ['no_date', { param: 'rule' }],
    cause:
      'No date satisfies the rule (30 February), its end or its exclusions leave no date, or all of its dates are in the past. A schedule pays nothing for dates before it was created or resumed.',
    remedy: 'Correct the rule, move its end, or exclude fewer days. `POST /schedules/preview` shows the next runs.',
  }),
  RULE_TOO_FREQUENT: invalid({
    title: 'The rule runs more often than once a minute',
    detail: {
      period: 'a schedule runs at most once a minute; use a longer period',
      frequency_unsupported:
        'FREQ={frequency} is not supported; use a fixed period ({period:field}: 3600 is an hour), or cron ("0 * * * *" is every hour)',
    },
    example: ['period', { param: 'rule' }],
    cause:
      'The rule has a period, or times of day, less than a minute apart; or it is a recurrence rule with a FREQ of hours, minutes or seconds, which is not supported.',
    remedy: 'Use a period of at least 60 seconds. For every hour or every few minutes use every_seconds or cron.',
  }),
  LOCAL_TIME_INVALID: invalid({
    title: 'The local date or time has the wrong form',
    detail: {
      date: '{param} must be a local date or date and time, such as 2026-01-31 or 2026-01-31T09:00, without a zone',
      out_of_range: '{param} must be between 1970 and 2199',
      time_of_day: '{param} must be a time of day such as 09:00',
    },
    example: ['date', { param: 'start' }],
    cause:
      'A date or time of a schedule is not in the calendar, is outside the years 1970 to 2199, or has a zone or an offset. Dates of a schedule are local: the field zone says where.',
    remedy: 'Send `2026-01-31`, `2026-01-31T09:00` or, for a time of day, `09:00`. Leave out `Z` and offsets.',
  }),
  ZONE_UNKNOWN: invalid({
    title: 'The time zone does not exist',
    detail: '{param} must be the IANA name of a time zone, such as Europe/Berlin; there is no "{zone}"',
    example: { param: 'zone', zone: 'Berlin' },
    cause: 'The time zone is not a name of the IANA time zone database. Offsets such as +01:00 are not accepted.',
    remedy: 'Send a name such as `Europe/Berlin`, `America/New_York` or `UTC`.',
  }),
  END_BEFORE_START: invalid({
    title: 'The schedule would end before it starts',
    detail: 'the end, {end}, is before the start, {start}',
    example: { param: 'until', end: '2026-01-31', start: '2026-02-01' },
    cause: 'The end of a schedule (until) or of a backfill (end) is before its start.',
    remedy: 'Send an end that is not before the start. A date without a time includes the whole day.',
  }),
};
