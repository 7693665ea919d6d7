// What an account will hold.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { AssetForecast, Line as EngineLine } from '../../engine.ts';
import { MOST_FORECAST_DAYS } from '../../engine.ts';
import { route } from '../route.ts';
import { accountId, accountKey, idOrNull } from '../names.ts';
import { AccountName, Amount, AssetName, Instant, closed, idOf, nullable, textOrNull } from '../schemas.ts';
import { ALICE, HOLD, SCHEDULE } from './examples.ts';

const Cause = {
  payment: nullable(idOf('payment'), { description: 'Where there is one already.' }),
  schedule: nullable(idOf('schedule'), {
    description: 'That will make the payment; of a subscription or an allowance too.',
  }),
};

const Shortfall = closed(
  {
    at: Instant,
    missing: { ...Amount, description: 'What is lacking at that instant.' } as typeof Amount,
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
      description: 'With so much more, everything is covered; "0" where it is.',
    } as typeof Amount,
  },
  { title: 'AssetForecast' },
);

const Line = closed(
  {
    at: Instant,
    asset: AssetName,
    amount: { ...Amount, description: 'Signed: negative where money goes out.' } as typeof Amount,
    reserved: Type.Boolean({ description: 'It goes out of what is reserved for it: `available` stays.' }),
    available: { ...Amount, description: 'After this line; below zero where money is lacking.' } as typeof Amount,
    ...Cause,
    slot: textOrNull({ description: 'Of a schedule: the local date and time it is for.' }),
  },
  { title: 'ForecastLine' },
);

const Forecast = closed(
  {
    account: idOf('account'),
    from: Instant,
    until: { ...Instant, description: 'Earlier than was asked for where a bound was met first.' } as typeof Instant,
    truncated: Type.Boolean({ description: 'There is more than one forecast shows.' }),
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
    tag: 'accounts',
    summary: 'Forecast an account’s balances and shortfalls',
    description:
      'Everything that waits and everything that schedules will make, in order, on the balance of now. After a shortfall the ' +
      'lines go on below zero, as if it had been paid. What is not reserved may still fail at its payer. At most ' +
      `${MOST_FORECAST_DAYS} days and 1,000 lines. That a shortfall comes near is also an event, \`account.shortfall_expected\`.`,
    scope: 'ledger:read',
    own: true,
    params: closed({ id: AccountName }),
    query: closed({
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST_FORECAST_DAYS, description: '30 where left out.', examples: [30] }),
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
