// The forecast of an account's balances.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { AssetForecast, Line as EngineLine } from '../../engine.ts';
import { MOST_FORECAST_DAYS } from '../../engine.ts';
import { route } from '../route.ts';
import { accountId, accountKey, idOrNull } from '../wire-format.ts';
import { AccountName, Amount, AssetName, Instant, closed, idOf, nullable, textOrNull } from '../schemas.ts';
import { ALICE, HOLD, SCHEDULE } from './examples.ts';

const Cause = {
  payment: nullable(idOf('payment'), { description: 'The payment, if it already exists.' }),
  schedule: nullable(idOf('schedule'), {
    description: 'The schedule that will create the payment, also for a subscription or an allowance.',
  }),
};

const Shortfall = closed(
  {
    at: Instant,
    missing: { ...Amount, description: 'The amount that is missing at that instant.' } as typeof Amount,
    ...Cause,
  },
  { title: 'Shortfall' },
);

const OfAsset = closed(
  {
    asset: AssetName,
    available: Amount,
    reserved: Amount,
    ends_with: { ...Amount, description: 'Available after the last line.' } as typeof Amount,
    shortfall: nullable(Shortfall, { description: 'The first payment that cannot be covered.' }),
    needed: {
      ...Amount,
      description: 'The amount that would cover every payment if it were added now; "0" if nothing is missing.',
    } as typeof Amount,
  },
  { title: 'AssetForecast' },
);

const Line = closed(
  {
    at: Instant,
    asset: AssetName,
    amount: { ...Amount, description: 'Minor units; negative for outgoing money.' } as typeof Amount,
    reserved: Type.Boolean({
      description: 'Whether it is paid from reserved funds, so that `available` stays the same.',
    }),
    available: {
      ...Amount,
      description: 'Available after this line, in minor units; negative if money is missing.',
    } as typeof Amount,
    ...Cause,
    slot: textOrNull({ description: 'The local date and time of the slot; null for a payment without a schedule.' }),
  },
  { title: 'ForecastLine' },
);

const Forecast = closed(
  {
    account: idOf('account'),
    from: Instant,
    until: {
      ...Instant,
      description: 'End of the forecast; earlier than requested if a bound was reached first. RFC 3339, UTC.',
    } as typeof Instant,
    truncated: Type.Boolean({ description: 'Whether there are more lines than one forecast shows.' }),
    assets: Type.Array(OfAsset),
    lines: Type.Array(Line),
  },
  { title: 'Forecast' },
);

const causeOf = ({ paymentId, scheduleId }: Pick<EngineLine, 'paymentId' | 'scheduleId'>) => ({
  payment: idOrNull('payment', paymentId),
  schedule: idOrNull('schedule', scheduleId),
});

function showAsset({ asset, available, reserved, ends, shortfall, needed }: AssetForecast): Static<typeof OfAsset> {
  return {
    asset,
    available: available.toString(),
    reserved: reserved.toString(),
    ends_with: ends.available.toString(),
    shortfall: shortfall && {
      at: new Date(shortfall.line.at).toISOString(),
      missing: shortfall.missing.toString(),
      ...causeOf(shortfall.line),
    },
    needed: needed.toString(),
  };
}

const showLine = (line: EngineLine): Static<typeof Line> => ({
  at: new Date(line.at).toISOString(),
  asset: line.asset,
  amount: line.amount.toString(),
  reserved: line.held,
  available: line.available.toString(),
  ...causeOf(line),
  slot: line.slot,
});

export const forecastRoutes = {
  'accounts.getForecast': route({
    method: 'GET',
    path: '/accounts/{id}/forecast',
    summary: 'Forecast an account’s balances and shortfalls',
    description:
      'All scheduled payments and all future runs of schedules, in order, applied to the current balance. After a shortfall the ' +
      'balance goes below zero, as if the payment had been paid. A payment to this account that is not reserved can still fail at its ' +
      `payer. At most ${MOST_FORECAST_DAYS} days and 1,000 lines. An upcoming shortfall also emits the event ` +
      '`account.shortfall_expected`.',
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
    answer: Forecast,
    example: {
      params: { id: 'alice' },
      query: { days: '30' },
      answer: {
        account: ALICE,
        from: '2026-11-15T09:30:00.000Z',
        until: '2026-12-15T09:30:00.000Z',
        truncated: false,
        assets: [
          {
            asset: 'USD/2',
            available: '15000',
            reserved: '10000',
            ends_with: '-3000',
            shortfall: { at: '2026-12-01T08:00:00.000Z', missing: '3000', payment: null, schedule: SCHEDULE },
            needed: '3000',
          },
        ],
        lines: [
          {
            at: '2026-11-17T09:30:00.000Z',
            asset: 'USD/2',
            amount: '-10000',
            reserved: true,
            available: '15000',
            payment: HOLD,
            schedule: null,
            slot: null,
          },
          {
            at: '2026-12-01T08:00:00.000Z',
            asset: 'USD/2',
            amount: '-18000',
            reserved: false,
            available: '-3000',
            payment: null,
            schedule: SCHEDULE,
            slot: '2026-12-01T09:00:00',
          },
        ],
      },
    },
    async handle({ tenant, params, query }) {
      const { days } = query;
      const found = await tenant.forecast(accountKey(params.id), days === undefined ? {} : { days });
      return {
        account: accountId(found.accountId),
        from: found.from.toISOString(),
        until: found.until.toISOString(),
        truncated: found.truncated,
        assets: found.assets.map(showAsset),
        lines: found.lines.map(showLine),
      };
    },
  }),
};
