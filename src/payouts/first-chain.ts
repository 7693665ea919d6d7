// The simplest choice of a route: the first chain that this process has and the payout names. It compares nothing.
import { refused } from '../kernel/index.ts';
import type { ChooseRoute, Rails } from './ports.ts';

export function firstChain(rails: Rails): ChooseRoute {
  return async ({ tenantId, destinations, failedOn, barred = {} }, clock) => {
    const named = rails.chains.filter((chain) => destinations[chain] !== undefined && barred[chain] === undefined);
    const chain = named.find((one) => !failedOn.includes(one)) ?? named[0];
    const rail = chain === undefined ? null : rails.of(chain, tenantId);
    if (!rail) {
      const cause = refused('PAYOUT_WAITS/not_here', { chain: Object.keys(destinations).join(', ') });
      return { outcome: 'not_now', cause };
    }
    const fee = await rail.estimateFee(clock);
    if (fee.outcome === 'known')
      return { outcome: 'chosen', chain: rail.chain, feeLimitUnits: fee.value.suggestedLimitUnits, routeId: null };
    const cause = refused('PAYOUT_WAITS/no_chain', { explanation: fee.reason });
    return { outcome: 'not_now', cause };
  };
}
