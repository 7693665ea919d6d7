// Events about alerts: thresholds that a tenant has crossed.
import { event } from './define.ts';
import { asset, instant, integer, nullable, text, word } from './fields.ts';

const ALERT = {
  kind: word(
    ['payout_success', 'settlement_time', 'treasury_floor', 'chain_health', 'webhook_delivery', 'manual_review'],
    'The kind of measurement.',
    'payout_success',
  ),
  chain: nullable(text('The chain.', 'sandbox'), 'The chain; null: the alert is about no chain.'),
  asset: nullable(asset, 'The asset of the wallet; null unless `kind` is `treasury_floor`.'),
  unit: word(['share', 'seconds', 'minor_units', 'payouts'], 'The unit of `value` and `threshold`.', 'share'),
  value: text('The measurement that raised the alert, as a decimal.', '0.9'),
  threshold: text('The value that was crossed, as a decimal.', '0.95'),
  count: integer('Samples that were measured.', 20),
  window_ms: nullable(
    integer('The length of the rolling window, in milliseconds.', 900_000),
    'The length of the rolling window, in milliseconds; null: what is now was measured.',
  ),
};
const EXAMPLE = { asset: null };

export const ALERT_EVENTS = {
  'alert.raised': event('A measurement crossed the threshold of an alert. Emitted once per crossing.', ALERT, EXAMPLE),
  'alert.cleared': event(
    'The measurement of an alert is back, or there is nothing left to measure.',
    {
      ...ALERT,
      raised_at: instant('When the alert was raised.', '2026-11-15T09:00:00.000Z'),
      cleared_value: nullable(
        text('The measurement that cleared it, as a decimal.', '0.97'),
        'The measurement that cleared it, as a decimal; null: there was nothing left to measure.',
      ),
    },
    EXAMPLE,
  ),
} as const;
