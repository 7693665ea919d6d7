// Money, times and names as text. Money never passes through a float: digits are grouped as text.
const NARROW_SPACE = '\u202f';

export function scaleOf(asset: string): number {
  return Number(asset.split('/')[1] ?? '0');
}

/** `123456789` of `USD/2` is "1,234,567.89". */
export function formatAmount(minor: string, asset: string): string {
  const negative = minor.startsWith('-');
  const scale = scaleOf(asset);
  const digits = (negative ? minor.slice(1) : minor).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
  const rest = scale === 0 ? '' : `.${digits.slice(digits.length - scale)}`;
  return `${negative ? '−' : ''}${whole}${rest}`;
}

export const codeOf = (asset: string): string => asset.split('/')[0] ?? asset;

export const formatMoney = (minor: string, asset: string): string =>
  `${formatAmount(minor, asset)}${NARROW_SPACE}${codeOf(asset)}`;

/** Whether an asset is written with its scale. The API knows `USD` too, but a page that does not know the scale cannot read an amount of it. */
export const hasScale = (asset: string): boolean => /^[^/]+\/\d$/.test(asset);

/** "12.50" of `USD/2` is 1250; null if it is not an exact amount of the asset. A comma groups thousands: "1,50" is no amount. */
export function parseMinor(text: string, asset: string): string | null {
  const match = /^(\d{1,24}|\d{1,3}(?:,\d{3}){1,8})(?:\.(\d+))?$/.exec(text.trim());
  if (!match || !hasScale(asset)) return null;
  const scale = scaleOf(asset);
  const fraction = match[2] ?? '';
  if (fraction.length > scale) return null;
  return BigInt(`${(match[1] ?? '0').replaceAll(',', '')}${fraction.padEnd(scale, '0')}`).toString();
}

export const formatCount = (count: number): string => count.toLocaleString('en');

const SIZES = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The units that ten of a larger one are not told with. */
const TOLD_ALONE = 10;

/** Seconds as "2 d 4 h", "3 min", "40 ms", rounded to the last unit: a millisecond less than a day is "1 d". */
export function formatSeconds(seconds: number): string {
  const total = Math.abs(seconds);
  const index = SIZES.findIndex(([, size]) => total >= size);
  if (index === -1) {
    if (total === 0) return '0 s';
    const ms = Math.max(1, Math.round(total * 1_000));
    return ms === 1_000 ? '1 s' : `${ms} ms`;
  }
  const [unit, size] = SIZES[index] ?? SIZES[3];
  const next = total < TOLD_ALONE * size ? SIZES[index + 1] : undefined;
  const step = next?.[1] ?? size;
  const rounded = Math.round(total / step) * step;
  // Rounded up to the next larger unit, or to ten of this one: 59.7 s is a minute.
  if (rounded > total && rounded >= Math.min(SIZES[index - 1]?.[1] ?? Infinity, next ? TOLD_ALONE * size : Infinity))
    return formatSeconds(rounded);
  const whole = Math.floor(rounded / size);
  const rest = next ? Math.round((rounded - whole * size) / next[1]) : 0;
  return next && rest > 0 ? `${whole} ${unit} ${rest} ${next[0]}` : `${whole} ${unit}`;
}

/** An ISO 8601 duration of the API in seconds. */
export function secondsOf(duration: string): number {
  const match = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration);
  if (!match) return 0;
  const [, sign, days, hours, minutes, seconds] = match;
  const total =
    Number(days ?? 0) * 86_400 + Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return sign ? -total : total;
}

export const formatDuration = (duration: string): string => formatSeconds(secondsOf(duration));

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const MINUTE = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

export const formatInstant = (instant: string): string =>
  `${DATE.format(new Date(instant))}, ${TIME.format(new Date(instant))}`;
export const formatDate = (instant: string): string => DATE.format(new Date(instant));
export const formatMinute = (instant: string): string => MINUTE.format(new Date(instant));
export const formatDay = (instant: string): string => DAY.format(new Date(instant));

/** "in 3 h", "2 min ago". */
export function formatRelative(instant: string, nowMs: number = Date.now()): string {
  const seconds = (new Date(instant).getTime() - nowMs) / 1_000;
  if (Math.abs(seconds) < 2) return 'now';
  return seconds > 0 ? `in ${formatSeconds(seconds)}` : `${formatSeconds(seconds)} ago`;
}

export const isPast = (instant: string, nowMs: number = Date.now()): boolean => Date.parse(instant) <= nowMs;

/** A local date-time of a schedule, such as 2026-12-31T09:00:00, as "Thu 31 Dec 2026, 09:00". */
export function formatLocal(local: string): string {
  const date = new Date(`${local}Z`);
  const day = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${day.format(date).replace(',', '')}, ${local.slice(11, 16)}`;
}

/** `pay_01k9zt…h6`: an id that fits a table. */
export const shortId = (id: string): string => (id.length > 18 ? `${id.slice(0, 9)}…${id.slice(-5)}` : id);

/** `sbx1017e…9e3c`: an address, or the id of a transaction, that fits a table. */
export const shortAddress = (text: string): string =>
  text.length > 20 ? `${text.slice(0, 10)}…${text.slice(-4)}` : text;

/** `at_execution` as "at execution", `APPROVAL_AWAITED` as "approval awaited". */
export const inWords = (name: string): string => name.replaceAll(/[_.-]+/g, ' ').toLowerCase();

export const sentenceCase = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A text of the API as a sentence: with a capital, and with an end. */
export function asSentence(text: string): string {
  const started = sentenceCase(text);
  return /[.!?]$/.test(started) ? started : `${started}.`;
}

export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`;

/** The same of a count that may be a lower bound: "at least 1 payment". */
export const pluralBound = (count: number, isExact: boolean, noun: string): string =>
  `${isExact ? '' : 'at least '}${plural(count, noun)}`;
