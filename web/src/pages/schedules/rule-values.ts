// A rule as the texts of a form, and back.
import type { Rule } from '../../../../src/client/index.ts';

/** The texts of the form, by the names of its fields. */
type Values = Readonly<Record<string, string>>;

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(/[\s,]+/).filter((part) => part !== '');

export function ruleOf(values: Values): Rule {
  const { kind = '', cron = '', rrule = '', everySeconds = '', every = '', time = '' } = values;
  if (kind === 'cron') return { cron: cron.trim() };
  if (kind === 'rrule') return { rrule: rrule.trim() };
  if (kind === 'everySeconds') return { everySeconds: Number(everySeconds) };
  const weekdays = kind === 'DAILY' ? [] : listOf(values['weekdays']).map((day) => day.toUpperCase());
  const days = kind === 'MONTHLY' || kind === 'YEARLY' ? listOf(values['daysOfMonth']) : [];
  const months = kind === 'YEARLY' ? listOf(values['months']) : [];
  return {
    frequency: kind as NonNullable<Rule['frequency']>,
    ...(every.trim() === '' ? {} : { every: Number(every) }),
    ...(weekdays.length === 0 ? {} : { weekdays }),
    ...(days.length === 0 ? {} : { daysOfMonth: days.map((day) => (day === 'last' ? 'last' : Number(day))) }),
    ...(months.length === 0 ? {} : { months: months.map(Number) }),
    ...(time.trim() === '' ? {} : { time: time.trim() }),
  };
}

export function valuesOfRule(rule: Rule): Values {
  if (rule.cron !== undefined) return { kind: 'cron', cron: rule.cron };
  if (rule.rrule !== undefined) return { kind: 'rrule', rrule: rule.rrule };
  if (rule.everySeconds !== undefined) return { kind: 'everySeconds', everySeconds: String(rule.everySeconds) };
  return {
    kind: rule.frequency ?? 'MONTHLY',
    every: rule.every === undefined ? '' : String(rule.every),
    weekdays: rule.weekdays?.join(', ') ?? '',
    daysOfMonth: rule.daysOfMonth?.join(', ') ?? '',
    months: rule.months?.join(', ') ?? '',
    time: rule.time ?? '',
  };
}
