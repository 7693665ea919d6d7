// A stored choice in words, and the check that its inputs still give it. The sentences are computed from the stored inputs, so they
// cannot say anything else than the reason.
import type { Disqualification, RouteCandidate, RouteInputs } from './inputs.ts';
import { DEGRADED_FACTOR, WEIGHTS, decideRoute } from './score.ts';
import type { RouteDecision } from './score.ts';

/** A choice as it is stored: everything that it was computed from, and the result. */
export interface StoredRoute {
  readonly inputs: RouteInputs;
  readonly decision: RouteDecision;
}

export function routeFor(inputs: RouteInputs): StoredRoute {
  return { inputs, decision: decideRoute(inputs) };
}

/** Whether the stored inputs give the stored decision. Compared as JSON, because that is what the row holds. */
export function replays({ inputs, decision }: StoredRoute): boolean {
  return canonical(decideRoute(inputs)) === canonical(decision);
}

/** jsonb does not keep the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const PRIORITY_WORDS = { low_fee: 'low fee', fast: 'speed', reliable: 'reliability' } as const;

/** One sentence for the choice, then one for each chain, best first. */
export function explainRoute({ inputs, decision }: StoredRoute): string[] {
  const byChain = new Map(inputs.candidates.map((candidate) => [candidate.chain, candidate]));
  const { fee, latency, reliability } = WEIGHTS[inputs.priority];
  const [best] = decision.ranked;
  const weights = `fee ${percent(fee)}, latency ${percent(latency)}, reliability ${percent(reliability)}`;
  return [
    best
      ? `Chosen: ${best.chain}, the highest score for ${PRIORITY_WORDS[inputs.priority]} (${weights}).`
      : 'No chain can take this payout.',
    ...decision.ranked.map(({ chain, score, parts, degraded }) => {
      const measured = byChain.get(chain);
      const numbers = measured ? ` (${measurements(measured)})` : '';
      const shares = `fee ${round(parts.fee)}, latency ${round(parts.latency)}, reliability ${round(parts.reliability)}`;
      const penalty = degraded ? `, multiplied by ${DEGRADED_FACTOR} because the chain is degraded` : '';
      return `${chain}: ${round(score)}, from ${shares}${penalty}${numbers}.`;
    }),
    ...decision.disqualified.map(
      ({ chain, reason }) => `${chain}: not considered, ${reasonWords(reason, byChain.get(chain))}.`,
    ),
  ];
}

function reasonWords(reason: Disqualification, candidate: RouteCandidate | undefined): string {
  switch (reason) {
    case 'no_address':
      return 'the payee has no valid address on this chain';
    case 'treasury_too_low':
      return candidate ? tooLowWords(candidate) : 'the treasury has too little there';
    case 'chain_unhealthy':
      return candidate?.basis?.snapshot === null
        ? 'its health was never measured: start `usance worker`'
        : 'the chain is unhealthy, or its health was not measured recently';
    case 'price_stale':
      return 'its fee asset has no recent price';
    case 'wallet_unread':
      return 'the balance of the wallet there could not be read';
    case 'wallet_frozen':
      return 'the wallet there is frozen because its balance differs from the books: unfreeze it';
    case 'attempt_failed':
      return 'an attempt of this payout there has failed';
    case 'fee_unread':
      return 'its fee could not be estimated';
    case 'barred':
      return candidate?.barred ?? 'payouts of the tenant may not take it';
  }
}

function tooLowWords({ walletUnits, neededUnits, walletFeeUnits, neededFeeUnits, basis }: RouteCandidate): string {
  if (BigInt(walletUnits) < BigInt(neededUnits)) {
    const shown = (units: string): string =>
      basis ? `${decimal(units, basis.decimals)} ${basis.asset}` : `${units} units`;
    return `the treasury has ${shown(walletUnits)} there and the payout needs ${shown(neededUnits)}`;
  }
  const shown = (units = '?'): string =>
    basis?.feeAsset ? `${decimal(units, basis.feeDecimals ?? 0)} ${basis.feeAsset}` : `${units} units`;
  return `the treasury has ${shown(walletFeeUnits)} there for fees and a transfer needs about ${shown(neededFeeUnits)}`;
}

/** `1.5` for 1500000 units of 6 decimals. */
function decimal(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, '0');
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/(?<!0)0+$/, '');
  return `${digits.slice(0, digits.length - decimals)}${rest === '' ? '' : `.${rest}`}`;
}

/** Why each chain does not qualify, one clause each: for a refusal. */
export function whyDisqualified({ inputs, decision }: StoredRoute): string[] {
  return decision.disqualified.map(
    ({ chain, reason }) =>
      `${chain}: ${reasonWords(
        reason,
        inputs.candidates.find((candidate) => candidate.chain === chain),
      )}`,
  );
}

const measurements = ({ feeUsd, confirmationSeconds, rpcErrorRate }: RouteCandidate): string =>
  `fee ${feeUsd ?? '?'} USD, ${confirmationSeconds} s, ${percent(rpcErrorRate)} failed calls`;
const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;
const round = (value: number): string => value.toFixed(3);
