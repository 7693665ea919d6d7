// The form of a schedule: a rule becomes texts, and the texts the same rule.
import { expect, test } from 'vitest';
import { ruleOf, valuesOfRule } from '../../web/src/pages/schedules/rule-values.ts';

test.each([
  { frequency: 'DAILY', time: '07:15' },
  { frequency: 'WEEKLY', every: 2, weekdays: ['MO', 'TH'], time: '09:00' },
  { frequency: 'MONTHLY', daysOfMonth: [1, 15, 'last'] },
  { frequency: 'YEARLY', months: [1, 7], weekdays: ['-1FR'] },
  { cron: '0 9 * * 1-5' },
  { rrule: 'FREQ=MONTHLY;BYMONTHDAY=-1' },
  { everySeconds: 3_600 },
] as const)('the rule %o survives the form', (rule) => {
  expect(ruleOf(valuesOfRule(rule))).toEqual(rule);
});

test('fields of another kind of rule are left out', () => {
  const values = { kind: 'DAILY', weekdays: 'mo', daysOfMonth: '31', months: '2', cron: '* * * * *' };
  expect(ruleOf(values)).toEqual({ frequency: 'DAILY' });
  expect(ruleOf({ ...values, kind: 'WEEKLY' })).toEqual({ frequency: 'WEEKLY', weekdays: ['MO'] });
});
