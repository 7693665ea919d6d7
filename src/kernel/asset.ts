// An asset is a code and a scale, written together (`USD/2`, `USDC/6`, `ROBUX/0`): a stored amount can be read without
// looking anything up, and two scales of one code can never be mistaken for each other.
import { refuse } from './errors/index.ts';
import { formatDecimal } from './decimal.ts';
import { parseDecimal } from './money.ts';

export const MAX_SCALE = 9;

export interface Asset {
  /** `USD/2`: the key of the asset within its tenant. */
  readonly name: string;
  readonly code: string;
  readonly scale: number;
}

const WRITTEN = /^([A-Z][A-Z0-9]{1,15})\/([0-9])$/;

export function parseAsset(input: unknown, param = 'asset'): Asset {
  const match = typeof input === 'string' ? WRITTEN.exec(input) : null;
  if (!match) return refuse('ASSET_INVALID', { param });
  return { name: match[0], code: match[1] ?? '', scale: Number(match[2]) };
}

/** For people: 1250 of USD/2 is "12.50 USD". Never parsed back. */
export function formatAmount(amount: bigint, assetName: string): string {
  const asset = parseAsset(assetName);
  return `${formatDecimal(amount, asset.scale)} ${asset.code}`;
}

/** `toMinorUnits("10.50", "USD/2")` is 1050n. The text is never turned into a float. */
export function toMinorUnits(decimal: string, assetName: string): bigint {
  return parseDecimal(decimal, parseAsset(assetName).scale, 'decimal');
}

/** `toDecimal(1050n, "USD/2")` is "10.50". */
export function toDecimal(amount: bigint, assetName: string): string {
  return formatDecimal(amount, parseAsset(assetName).scale);
}
