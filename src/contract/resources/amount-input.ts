// Amounts in request bodies. Each can be given in minor units (`amount: "1050"`) or as a decimal number (`amount_decimal: "10.50"`),
// which is scaled here by the asset's own decimals: everything behind the routes uses only minor units.
import { Type } from 'typebox';
import type { TenantVerbs } from '../../engine.ts';
import { parseAsset, parsePositiveDecimal, refuse } from '../../kernel/index.ts';
import { AmountIn } from '../schemas.ts';
import { assetOr } from './asset-or.ts';
import { refusedAs } from '../validate.ts';

export const DecimalIn = Type.String({
  description:
    'Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250.',
  pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  maxLength: 40,
  examples: ['12.50'],
  ...refusedAs('AMOUNT_INVALID/not_decimal'),
});

export const Decimal = Type.String({
  description: 'The same amount as a decimal number: "12.50" if `amount` is "1250" of USD/2.',
  pattern: '^-?[0-9]+(\\.[0-9]+)?$',
  examples: ['12.50'],
});

/** The two fields by which a body takes an amount; exactly one is given, or at most one where the amount may be left out. */
export const AMOUNT = { amount: Type.Optional(AmountIn), amount_decimal: Type.Optional(DecimalIn) };

type Minor = string | number | bigint;

interface Given {
  readonly amount?: string | number;
  readonly amount_decimal?: string;
}

interface GivenParts extends Given {
  readonly legs?: readonly Given[];
  readonly steps?: readonly Given[] | null;
}

/** Minor units, whichever of the two fields was given; undefined where neither was. `asset` is the full name where the decimal was. */
export function eitherAmount(
  minor: string | number | undefined,
  decimal: string | undefined,
  asset: string,
  param = 'amount',
): Minor | undefined {
  if (decimal === undefined) return minor;
  if (minor !== undefined) {
    refuse('FIELD_INVALID/both_given', { first: param, param: `${param}_decimal` });
  }
  return parsePositiveDecimal(decimal, parseAsset(asset).scale, `${param}_decimal`);
}

/** The same, where there has to be an amount. */
export function requiredAmount(given: Given, asset: string, param = 'amount'): Minor {
  return eitherAmount(given.amount, given.amount_decimal, asset, param) ?? missingAmount(param);
}

export function missingAmount(param: string): never {
  return refuse('FIELD_INVALID/amount_required', { param, decimal: `${param}_decimal` });
}

/** The amount of a change, if it has one. The changed resource is read only if its asset must be known. */
export async function changedAmount(
  given: Given,
  read: () => Promise<{ readonly asset: string }>,
): Promise<{ amount?: Minor }> {
  const asset = given.amount_decimal === undefined ? '' : (await read()).asset;
  const amount = eitherAmount(given.amount, given.amount_decimal, asset);
  return amount === undefined ? {} : { amount };
}

export function hasDecimals(body: GivenParts): boolean {
  return (
    body.amount_decimal !== undefined ||
    (body.legs?.some(hasDecimals) ?? false) ||
    (body.steps?.some(hasDecimals) ?? false)
  );
}

/**
 * The asset of an order that has an amount: as it was named, or the default one; by its full name where an amount is to be scaled
 * by it.
 */
export async function orderAsset(tenant: TenantVerbs, body: OrderGiven): Promise<string> {
  requireGiven(body);
  return scaledAsset(tenant, body.asset, hasDecimals(body));
}

interface OrderGiven extends GivenParts {
  readonly asset?: string;
}

/** Like every field that is required, refused before anything is looked up. */
export function requireGiven(given: Given): void {
  if (given.amount === undefined && given.amount_decimal === undefined) missingAmount('amount');
}

export async function scaledAsset(tenant: TenantVerbs, named: string | undefined, decimals: boolean): Promise<string> {
  const asset = await assetOr(tenant, named);
  return decimals ? fullName(await assetsFor(tenant, [asset]), asset) : asset;
}

/** The tenant's assets, if one of these is named only by its code. */
export async function assetsFor(tenant: TenantVerbs, names: readonly string[]): Promise<readonly AssetNamed[]> {
  return names.some((name) => !isFull(name)) ? tenant.assets() : [];
}

interface AssetNamed {
  readonly name: string;
  readonly code: string;
}

export function fullName(assets: readonly AssetNamed[], asset: string): string {
  if (isFull(asset)) return asset;
  return assets.find(({ code }) => code === asset)?.name ?? refuse('ASSET_NOT_FOUND', { param: 'asset', asset });
}

const isFull = (asset: string): boolean => asset.includes('/');
