// Amounts and instants as the recipient reads them. No float is involved: Intl takes the decimal text as it is.
import { parseAsset, toDecimal } from '../../kernel/index.ts';

export const DEFAULT_LOCALE = 'en';
export const DEFAULT_ZONE = 'UTC';

/** `1.234,50 €` for 123450 of EUR/2 in German. A code that is not a currency is written behind the number. */
export function formatMoney(amount: bigint, assetName: string, locale: string): string {
  const { code, scale } = parseAsset(assetName);
  const text = toDecimal(amount, assetName) as `${number}`;
  const digits = { minimumFractionDigits: scale, maximumFractionDigits: scale };
  if (CURRENCIES.has(code))
    return new Intl.NumberFormat(locale, { style: 'currency', currency: code, ...digits }).format(text);
  return `${new Intl.NumberFormat(locale, digits).format(text)} ${code}`;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** With the zone, so that an hour is not read as another one. */
export const formatInstant = (instant: Date, locale: string, zone: string): string =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
    timeZoneName: 'short',
  }).format(instant);
