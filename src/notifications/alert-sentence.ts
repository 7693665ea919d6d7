// One sentence about an alert, from the data of its event: numbers, the name of a chain and an asset.
import { formatAmount } from '../kernel/index.ts';

export interface AlertFacts {
  readonly kind: string;
  readonly chain: string | null;
  readonly asset: string | null;
  /** Decimals in the unit of the kind. */
  readonly value: string;
  readonly threshold: string;
  readonly count: number;
  readonly windowMs: number | null;
}

const percent = (share: string): string => `${Number((Number(share) * 100).toFixed(2))} %`;
const seconds = (text: string): string => {
  const whole = Math.round(Number(text));
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
};
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const SENTENCES: Readonly<Record<string, (alert: AlertFacts) => string>> = {
  payout_success: ({ chain, value, threshold, count, ...alert }) =>
    `${percent(value)} of ${counted(count, 'payout')}${chain === null ? '' : ` over ${chain}`} settled${within(alert)}; the threshold is ${percent(threshold)}.`,
  settlement_time: ({ chain, value, threshold, count, ...alert }) =>
    `${counted(count, 'payout')} over ${chain} took ${seconds(value)} on average to be final${within(alert)}; the threshold is ${seconds(threshold)}.`,
  treasury_floor: ({ chain, asset, value, threshold }) =>
    `The wallet on ${chain} has ${formatAmount(BigInt(value), asset ?? '')} available; its floor is ${formatAmount(BigInt(threshold), asset ?? '')}.`,
  chain_health: ({ chain, value }) => `The chain ${chain} has been unhealthy for ${seconds(value)}; payouts avoid it.`,
  webhook_delivery: ({ value, threshold, count, ...alert }) =>
    `${percent(value)} of ${count} webhook ${count === 1 ? 'delivery' : 'deliveries'} arrived${within(alert)}; the threshold is ${percent(threshold)}.`,
  manual_review: ({ chain, count }) =>
    `${counted(count, 'payout')} over ${chain} ${count === 1 ? 'needs' : 'need'} a review: whether ${count === 1 ? 'it was' : 'they were'} paid is unknown.`,
};

const within = ({ windowMs }: Pick<AlertFacts, 'windowMs'>): string =>
  windowMs === null ? '' : ` in the last ${windowMs / 60_000} minutes`;

export const alertSentence = (alert: AlertFacts): string =>
  SENTENCES[alert.kind]?.(alert) ?? `${alert.kind} crossed its threshold ${alert.threshold}: ${alert.value}.`;
