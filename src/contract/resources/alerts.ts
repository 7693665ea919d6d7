// Alerts: thresholds that the tenant has crossed. The loop `alerts` raises and clears them.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Alert as EngineAlert } from '../../engine.ts';
import { ALERT_KIND_NAMES, ALERT_STATUSES, ALERT_UNITS } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { newestFirst } from '../cursor.ts';
import { route } from '../route.ts';
import { Instant, closed, idOf, listOf, nullable, oneOf, pageQuery, textOrNull } from '../schemas.ts';
import { instantOrNull } from '../wire-format.ts';
import { CREATED_AT } from './examples.ts';

export const Alert = closed(
  {
    id: idOf('alert'),
    kind: oneOf(ALERT_KIND_NAMES, {
      description:
        '`payout_success`: payouts over a chain that settled, of those that ended. `settlement_time`: from signing to finality, on average. ' +
        '`treasury_floor`: available in a wallet. `chain_health`: how long a chain has been unhealthy. `webhook_delivery`: deliveries whose last attempt succeeded. ' +
        '`manual_review`: payouts in review.',
    }),
    status: oneOf(ALERT_STATUSES, { description: '`open` until the measurement is back within the threshold.' }),
    chain: textOrNull({ description: 'The chain; null: the alert is about no chain.' }),
    asset: textOrNull({ description: 'The asset of the wallet; null unless `kind` is `treasury_floor`.' }),
    unit: oneOf(ALERT_UNITS, { description: 'The unit of `value`, `threshold` and `cleared_value`.' }),
    value: Type.String({ description: 'The measurement that raised it, as a decimal.', examples: ['0.9'] }),
    threshold: Type.String({ description: 'The value that was crossed, as a decimal.', examples: ['0.95'] }),
    count: Type.Integer({ description: 'Samples that were measured.' }),
    window_ms: nullable(Type.Integer(), {
      description: 'The length of the rolling window, in milliseconds; null: what is now was measured.',
    }),
    raised_at: { ...Instant, description: 'By the clock of the tenant. RFC 3339, UTC.' } as typeof Instant,
    cleared_at: nullable(Instant, { description: 'Null while it is open.' }),
    cleared_value: textOrNull({
      description: 'The measurement that cleared it; null while it is open, and if there was nothing left to measure.',
    }),
  },
  { title: 'Alert' },
);

export const showAlert = (alert: EngineAlert): Static<typeof Alert> => ({
  id: toTypeId('alert', alert.id),
  kind: alert.kind,
  status: alert.clearedAt === null ? 'open' : 'cleared',
  chain: alert.chain,
  asset: alert.asset,
  unit: alert.unit,
  value: alert.value,
  threshold: alert.threshold,
  count: alert.count,
  window_ms: alert.windowMs,
  raised_at: alert.raisedAt.toISOString(),
  cleared_at: instantOrNull(alert.clearedAt),
  cleared_value: alert.clearedValue,
});

export const EXAMPLE_ALERT: Static<typeof Alert> = {
  id: 'alt_01k9zth7y9b1d3f5h7k9n1q3s5',
  kind: 'payout_success',
  status: 'open',
  chain: 'sandbox',
  asset: null,
  unit: 'share',
  value: '0.9',
  threshold: '0.95',
  count: 20,
  window_ms: 900_000,
  raised_at: CREATED_AT,
  cleared_at: null,
  cleared_value: null,
};

export const alertRoutes = {
  'alerts.list': route({
    method: 'GET',
    path: '/alerts',
    summary: 'List alerts',
    description:
      'Newest first. The loop `alerts` measures the tenant every 30 seconds; a crossing is one alert, open until the measurement is back within the threshold. ' +
      'Cleared alerts are kept for 90 days.',
    scope: 'ops:read',
    query: pageQuery({
      status: Type.Optional(oneOf(ALERT_STATUSES, { description: 'Only alerts with this status. Default: any.' })),
      kind: Type.Optional(oneOf(ALERT_KIND_NAMES, { description: 'Only alerts of this kind. Default: any.' })),
    }),
    answer: listOf(Alert, 'AlertList'),
    example: { query: { status: 'open' }, answer: { data: [EXAMPLE_ALERT], next_cursor: null } },
    handle: ({ tenant, query: { status, kind, ...page } }) =>
      newestFirst(
        page,
        (range) => tenant.alerts({ ...(status ? { status } : {}), ...(kind ? { kind } : {}) }, range),
        showAlert,
      ),
  }),
};
