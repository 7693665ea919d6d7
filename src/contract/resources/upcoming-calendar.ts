// Upcoming payments of an account, as a calendar.
import { Type } from 'typebox';
import type { Line } from '../../engine.ts';
import { MOST_FORECAST_DAYS } from '../../engine.ts';
import { formatAmount } from '../../kernel/index.ts';
import { CALENDAR_TYPE, writeCalendar } from '../calendar.ts';
import type { CalendarEvent } from '../calendar.ts';
import { accountId, accountKey, idOrNull } from '../wire-format.ts';
import { route } from '../route.ts';
import { AccountName, closed } from '../schemas.ts';
import { ALICE, HOLD } from './examples.ts';

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** A run of a schedule keeps its id until it becomes a payment. */
function eventOf(account: string, line: Line): CalendarEvent {
  const payment = idOrNull('payment', line.paymentId);
  const schedule = idOrNull('schedule', line.scheduleId);
  const cause = payment ?? `${schedule}-${line.slot?.replaceAll(/[-:]/g, '')}`;
  const amount = formatAmount(absolute(line.amount), line.asset);
  const left = `${formatAmount(line.available, line.asset)} available afterwards`;
  return {
    uid: `${cause}-${account}@usance`,
    at: new Date(line.at),
    summary: line.amount < 0n ? `Pay ${amount}` : `Receive ${amount}`,
    description: `${payment === null ? `Schedule ${schedule}` : `Payment ${payment}`}, ${left}`,
  };
}

/** A person looks at events, not at properties: without it the account would seem to have no payments after the last line. */
const cutOf = (account: string, at: Date, shown: number): CalendarEvent => ({
  uid: `truncated-${account}@usance`,
  at,
  summary: 'More payments are not shown',
  description: `This calendar shows the first ${shown} payments. Payments from ${at.toISOString()} on are missing.`,
});

export const upcomingCalendarRoutes = {
  'accounts.getUpcomingCalendar': route({
    method: 'GET',
    path: '/accounts/{id}/upcoming.ics',
    summary: 'Upcoming payments of an account as a calendar',
    description:
      'An iCalendar file (RFC 5545) with the lines of the forecast: an event for every scheduled payment and every future run of a ' +
      'schedule. An event keeps its UID, so calendars update it. A calendar shows at most 1,000 lines; if there are more, its last event ' +
      'says from when on they are missing, and the calendar has that instant as `X-USANCE-TRUNCATED-AT`.',
    scope: 'ledger:read',
    own: true,
    params: closed({ id: AccountName }),
    query: closed({
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST_FORECAST_DAYS,
          description: 'How many days ahead. Default 30.',
          examples: [30],
        }),
      ),
    }),
    answer: Type.String({ description: 'iCalendar, with CRLF at the end of every line.' }),
    mediaType: CALENDAR_TYPE,
    example: {
      params: { id: 'alice' },
      query: { days: '30' },
      answer: writeCalendar({
        name: 'alice',
        stamp: new Date('2026-11-15T09:30:00Z'),
        events: [
          {
            uid: `${HOLD}-${ALICE}@usance`,
            at: new Date('2026-11-17T09:30:00Z'),
            summary: 'Pay 100.00 USD',
            description: `Payment ${HOLD}, 150.00 USD available afterwards`,
          },
        ],
      }),
    },
    async handle({ tenant, params, query: { days } }) {
      const account = accountKey(params.id);
      const { ref, name } = await tenant.account(account);
      const found = await tenant.forecast(account, days === undefined ? {} : { days });
      const shown = accountId(found.accountId);
      const events = found.lines.map((line) => eventOf(shown, line));
      if (!found.truncated) return writeCalendar({ name: name ?? ref, stamp: found.from, events });
      const truncatedAt = found.until;
      return writeCalendar({
        name: name ?? ref,
        stamp: found.from,
        events: [...events, cutOf(shown, truncatedAt, events.length)],
        truncatedAt,
      });
    },
  }),
};
