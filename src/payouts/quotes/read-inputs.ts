// Reads the inputs of a choice: the same for a quote and for a payout that is due, so that both see the chains alike.
import type { Sql } from '../../db/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import type { Rail, RouteInputs } from '../../rails/index.ts';
import { readChains } from '../../rails/index.ts';
import type { Rails } from '../ports.ts';
import type { FundsOptions } from './funds.ts';
import { readFunds } from './funds.ts';
import type { InputSources, Measured } from './route-inputs.ts';
import { routeInputs } from './route-inputs.ts';

export interface QuoteTools extends FundsOptions {
  readonly rails: Rails;
}

export interface WantedRoute extends Omit<InputSources, 'rails' | 'measured' | 'funds'> {
  readonly tenantId: Uuid;
}

/** Funds are read only on chains that the payout names: a wallet that is not open yet is read from its chain. */
export async function readInputs(
  sql: Sql,
  clock: Clock,
  { tenantId, ...wanted }: WantedRoute,
  tools: QuoteTools,
): Promise<RouteInputs> {
  const { asset, destinations } = wanted;
  const rails = railsOf(tools.rails, tenantId);
  const named = rails.filter(({ chain }) => Object.hasOwn(destinations, chain));
  const funds = await readFunds(sql, clock, { tenantId, asset, rails: named }, tools);
  const measured = await readMeasured(sql, tools.rails.chains);
  return routeInputs({ ...wanted, rails, measured, funds });
}

const railsOf = (rails: Rails, tenantId: Uuid): Rail[] =>
  rails.chains.flatMap((chain) => {
    const rail = rails.of(chain, tenantId);
    return rail ? [rail] : [];
  });

async function readMeasured(sql: Sql, chains: readonly string[]): Promise<Map<string, Measured>> {
  return new Map(
    (await readChains(sql, chains)).map(({ name, newest, intervalMs, now }) => [name, { newest, intervalMs, now }]),
  );
}
