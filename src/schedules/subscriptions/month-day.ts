// The day of the month on which a subscription charges, where its timing is counted from a charge in a shorter month.
import type { TimingInput } from '../rules/index.ts';
import { zoneOf } from '../rules/index.ts';

/**
 * The 28th of February of a subscription that began on the 31st is followed by the 31st of March; of a yearly one that began on the 29th,
 * by the 29th of the next leap year.
 */
export function withMonthDay(
  timing: TimingInput,
  zone: string,
  { nextDueAt, startedAt }: { readonly nextDueAt: Date; readonly startedAt: Date | null },
): TimingInput {
  const { rule } = timing;
  if (!startedAt || !('frequency' in rule)) return timing;
  const [next, began] = [nextDueAt, startedAt].map((at) => new Date(zoneOf(zone).toLocal(at.getTime())));
  if (!next || !began || began.getUTCDate() <= next.getUTCDate()) return timing;
  const isLastDay = new Date(next.getTime() + 86_400_000).getUTCDate() === 1;
  if (!isLastDay) return timing;
  const daysOfMonth = [began.getUTCDate()];
  if (rule.frequency === 'MONTHLY') return { ...timing, rule: { ...rule, daysOfMonth } };
  const isSameMonth = next.getUTCMonth() === began.getUTCMonth();
  if (rule.frequency !== 'YEARLY' || !isSameMonth) return timing;
  return { ...timing, rule: { ...rule, months: [began.getUTCMonth() + 1], daysOfMonth } };
}
