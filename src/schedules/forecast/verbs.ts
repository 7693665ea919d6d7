// Looking ahead, as an application asks for it.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { derivedAccount, findAccounts } from '../../ledger/index.ts';
import { hasMorePayments } from '../../payments/index.ts';
import type { Paces } from '../pace.ts';
import type { Window } from './gather.ts';
import { gather } from './gather.ts';
import type { Funds, Line, Shortfall } from './project.ts';
import { project } from './project.ts';
import { hasMoreSchedules } from './store.ts';

export interface AssetForecast extends Funds {
  readonly asset: string;
  readonly shortfall: Shortfall | null;
  readonly needed: bigint;
  /** After the last line. */
  readonly ends: Funds;
}

export interface Forecast {
  readonly accountId: Uuid;
  readonly from: Date;
  /** Earlier than was asked for where a bound was met first. */
  readonly until: Date;
  readonly truncated: boolean;
  readonly assets: readonly AssetForecast[];
  readonly lines: readonly Line[];
}

export interface ForecastVerbs {
  /** What comes and goes in the next days (default 30), and the first payment that cannot be covered. */
  forecast(account: string, options?: { days?: number }): Promise<Forecast>;
}

export const MOST_FORECAST_DAYS = 366;
const USUAL_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const MOST: Window['most'] = { payments: 10_000, schedules: 10_000, lines: 1_000 };

export function forecastVerbs(
  context: Pick<VerbContext, 'tenantId' | 'sql' | 'snapshot' | 'moment'>,
  paces: Paces,
  most = MOST,
): ForecastVerbs {
  const { tenantId } = context;
  /** One snapshot: a payment that settles meanwhile is counted once. */
  const snapshot = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => context.snapshot?.(work) ?? work(context.sql);
  return {
    async forecast(account, { days = USUAL_DAYS } = {}) {
      if (!Number.isSafeInteger(days) || days < 1 || days > MOST_FORECAST_DAYS) {
        refuse('FIELD_INVALID/not_whole_number', { param: 'days', min: 1, max: MOST_FORECAST_DAYS });
      }
      return snapshot(async (sql) => {
        const [found] = await findAccounts(sql, tenantId, [account]);
        if (!found) return refuse('ACCOUNT_NOT_FOUND', { account, param: 'account' });
        if (derivedAccount(tenantId, found.id) === 'world')
          refuse('ACCOUNT_STATE_CONFLICT/no_forecast', { account: 'world' });
        const { now } = await context.moment(sql);
        const window = { now, until: new Date(now.getTime() + days * DAY_MS), most };
        const ahead = (await gather(sql, tenantId, [found.id], window, paces)).get(found.id);
        const { funds, flows, until } = ahead ?? { funds: new Map<string, Funds>(), flows: [], until: now };
        const more =
          (await hasMorePayments(sql, tenantId, found.id, most.payments)) ||
          (await hasMoreSchedules(sql, tenantId, found.id, most.schedules));
        const projected = [...funds].map(([asset, own]) => ({
          asset,
          own,
          ...project(
            own,
            flows.filter((flow) => flow.asset === asset),
          ),
        }));
        return {
          accountId: found.id,
          from: now,
          until,
          truncated: until < window.until || more,
          assets: projected.map(({ asset, own, lines, ...rest }) => {
            const { available, reserved } = lines.at(-1) ?? own;
            return { asset, ...own, ...rest, ends: { available, reserved } };
          }),
          lines: projected.flatMap(({ lines }) => lines).toSorted((a, b) => a.at - b.at),
        };
      });
    },
  };
}
