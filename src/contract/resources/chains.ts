// Chains that payouts can take, and snapshots of their health.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Chain as EngineChain, TakenSnapshot } from '../../engine.ts';
import { newestFirst, wholeList } from '../cursor.ts';
import { route } from '../route.ts';
import { Amount, Instant, closed, listOf, nullable, oneOf, pageQuery, textOrNull } from '../schemas.ts';
import { CREATED_AT } from './examples.ts';

export const HEALTH = ['healthy', 'degraded', 'unhealthy'] as const;

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const ChainHealthSnapshot = closed(
  {
    status: oneOf(HEALTH, {
      description:
        '`unhealthy`: more than 30 % failed calls, or congestion above 0.8. `degraded`: more than 10 %, or above 0.5.',
    }),
    avg_confirmation_seconds: Type.Number({ description: 'Average time until a transaction is final, in seconds.' }),
    rpc_error_rate: share('Failed calls to the endpoints of the chain, divided by all calls: 0 to 1.'),
    p95_latency_ms: Type.Number({ description: 'Latency of the endpoints in milliseconds, 95th percentile.' }),
    congestion_score: share('How full the blocks of the chain are: 0 to 1.'),
    estimated_fee_usd: nullable(Type.Number(), {
      description:
        'Estimated fee of a transfer in US dollars, for comparing chains; never posted. Null without a fresh price of the fee asset.',
    }),
    failure: textOrNull({
      description:
        'Why the chain could not be measured: the other fields then have the worst values. Null if it was measured.',
    }),
    taken_at: { ...Instant, description: 'When it was taken, in real time. RFC 3339, UTC.' } as typeof Instant,
  },
  { title: 'ChainHealthSnapshot' },
);

export const showSnapshot = (taken: TakenSnapshot): Static<typeof ChainHealthSnapshot> => ({
  status: taken.status,
  avg_confirmation_seconds: taken.avgConfirmationSeconds,
  rpc_error_rate: taken.rpcErrorRate,
  p95_latency_ms: taken.p95LatencyMs,
  congestion_score: taken.congestionScore,
  estimated_fee_usd: taken.estimatedFeeUsd,
  failure: taken.failure,
  taken_at: taken.takenAt.toISOString(),
});

const ChainAsset = closed(
  {
    code: Type.String({ description: 'Code of the asset, as in the ledger.', examples: ['USDC'] }),
    decimals: Type.Integer({ description: 'Decimals of the unit of the chain.' }),
    minimum_units: {
      ...Amount,
      description: 'The least that a transfer can move, in units of the chain.',
    } as typeof Amount,
  },
  { title: 'ChainAsset' },
);

const Chain = closed(
  {
    name: Type.String({ description: 'Name of the chain.', examples: ['sandbox'] }),
    status: oneOf(HEALTH, {
      description: 'The status that a choice of a route uses now: that of `health`, or `unhealthy` if it is stale.',
    }),
    stale: Type.Boolean({
      description:
        'Whether the newest snapshot is missing or older than three intervals: no worker measures the chain.',
    }),
    assets: Type.Array(ChainAsset, { description: 'The assets that payouts can move on the chain.' }),
    health: nullable(ChainHealthSnapshot, {
      description: 'The newest snapshot; null if the chain was never measured.',
    }),
  },
  { title: 'Chain' },
);

const showChain = ({ name, status, isStale, assets, newest }: EngineChain): Static<typeof Chain> => ({
  name,
  status,
  stale: isStale,
  assets: assets.map(({ code, decimals, minimumUnits }) => ({ code, decimals, minimum_units: String(minimumUnits) })),
  health: newest && showSnapshot(newest),
});

const EXAMPLE_HEALTH = {
  status: 'healthy',
  avg_confirmation_seconds: 8,
  rpc_error_rate: 0.05,
  p95_latency_ms: 180,
  congestion_score: 0.2,
  estimated_fee_usd: 0.02,
  failure: null,
  taken_at: CREATED_AT,
} as const;

export const chainRoutes = {
  'chains.list': route({
    method: 'GET',
    path: '/chains',
    summary: 'List chains',
    description:
      'By name: the chains of this deployment, the same for every tenant, each with its newest health snapshot. The loop `health` of ' +
      '`usance worker` takes one of each chain every `METRICS_INTERVAL_MS`.',
    scope: 'payments:read',
    answer: listOf(Chain, 'ChainList'),
    example: {
      answer: {
        data: [
          {
            name: 'sandbox',
            status: 'healthy',
            stale: false,
            assets: [{ code: 'USDC', decimals: 6, minimum_units: '1' }],
            health: EXAMPLE_HEALTH,
          },
        ],
        next_cursor: null,
      },
    },
    handle: ({ tenant }) => wholeList(tenant.chains(), showChain),
  }),

  'chains.listHistory': route({
    method: 'GET',
    path: '/chains/{name}/history',
    summary: 'List health snapshots of a chain',
    description: 'Newest first. Snapshots are kept for `USANCE_KEEP_CHAIN_HEALTH`, seven days by default.',
    scope: 'payments:read',
    params: closed({
      name: Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'Name of the chain.',
        examples: ['sandbox'],
      }),
    }),
    query: pageQuery({}),
    answer: listOf(ChainHealthSnapshot, 'ChainHealthSnapshotList'),
    example: {
      params: { name: 'sandbox' },
      answer: { data: [EXAMPLE_HEALTH], next_cursor: null },
    },
    handle: ({ tenant, params, query }) =>
      newestFirst(query, (range) => tenant.chainHistory(params.name, range), showSnapshot),
  }),
};
