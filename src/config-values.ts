// Parses the text of a variable into a value, or throws a sentence for the operator. The sentence never contains the value, which may
// be a secret.
import { isIPv4, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { SetupError, isSchemaName } from './kernel/index.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface SharedSecret {
  readonly secret: string;
  readonly previous: string | null;
  readonly audience: string;
  readonly issuer: string | null;
}

export function checkedUrl(name: string, value: string | null): string | null {
  if (value === null) return null;
  if (!/^postgres(ql)?:\/\//.test(value)) throw new SetupError(`${name} must start with postgres://`);
  // The value stays out of the message: there is a password in it.
  if (URL.canParse(value)) return value;
  throw new SetupError(
    `${name} cannot be read: it is postgres://user:password@host:port/database, and a character such as / # ? or @ in ` +
      'the password is written %2F %23 %3F %40',
  );
}

/** `none` stays `none`. */
export function checkedListenUrl(name: string, value: string | null): string | null {
  if (value === null || value === 'none') return value;
  if (/^postgres(ql)?:\/\//.test(value)) return checkedUrl(name, value);
  throw new SetupError(`${name} must start with postgres://, or be none`);
}

export function checkedSchema(value: string): string {
  if (isSchemaName(value)) return value;
  throw new SetupError('USANCE_SCHEMA must be a lower-case name of letters, digits and underscores');
}

export function checkedKey(value: string | null): string | null {
  // Not in the message either. It goes into a header, so there is nothing in it that a header cannot carry.
  if (value === null || /^[!-~]{24,200}$/.test(value)) return value;
  throw new SetupError('USANCE_API_KEY must be 24 to 200 printable characters without spaces');
}

export function checkedOrigin(value: string): string[] {
  if (value === '') return [];
  const origin = URL.canParse(value) ? new URL(value).origin : '';
  // Exactly what a browser sends: no path, no star, no user.
  if (/^https?:/.test(origin) && (value === origin || value === `${origin}/`)) return [origin];
  throw new SetupError('FRONTEND_URL must be origins such as https://app.example.com, with commas between');
}

export function checkedProxy(value: string): string[] {
  if (value === '') return [];
  const [address = '', bits, more] = value.split('/');
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0;
  const isNetwork = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
  // All networks (a mask of no bits) would let every client choose its own address.
  if (most > 0 && isNetwork && more === undefined && !address.includes('%')) return [value];
  throw new SetupError('TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, with commas between');
}

export function checkedJwt(
  secret: string | null,
  previous: string | null,
  { audience, issuer }: { audience: string; issuer: string | null },
): SharedSecret | null {
  for (const [name, text] of Object.entries({ JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previous })) {
    // Shorter than what it makes, it could be guessed from one token.
    if (text === null || text === 'none' || text.length >= 32) continue;
    throw new SetupError(
      `${name} must be at least 32 characters: node -e "console.log(crypto.randomUUID() + crypto.randomUUID())"`,
    );
  }
  if (secret !== null && secret !== 'none') {
    return Object.freeze({ secret, previous: previous === 'none' ? null : previous, audience, issuer });
  }
  if (previous === null) return null;
  throw new SetupError('JWT_SECRET_PREVIOUS is set, but JWT_SECRET is not: take the first away, or set both');
}

/** Checks only that there is a key beside a previous one; the engine reads the keys. */
export function checkedEncryption(
  key: string | null,
  previousKey: string | null,
  production: boolean,
): { readonly key: string | null; readonly previousKey: string | null } {
  // Outside production the key may be in the data folder; a process that finds none there does not start.
  if (key !== null || previousKey === null || !production) return Object.freeze({ key, previousKey });
  throw new SetupError(
    'USANCE_ENCRYPTION_KEY_PREVIOUS is set, but USANCE_ENCRYPTION_KEY is not: take the first away, or set both',
  );
}

/** Checks only the shape; the user of the expression parses its fields. */
export function checkedCron(name: string, value: string | null): string | null {
  if (value === null || /^\S+( +\S+){4}$/.test(value)) return value;
  throw new SetupError(
    `${name} must be five cron fields in UTC, such as "0 0 * * *": minute, hour, day of month, month, day of week`,
  );
}

export const pathOrNull = (value: string | null): string | null => (value === null ? null : resolve(value));

/** A file whose name may contain {command}; any other placeholder would be written as it is. */
export function checkedMetricsFile(name: string, value: string | null): string | null {
  const unknown = value?.match(/\{[^{}]*\}/g)?.find((placeholder) => placeholder !== '{command}');
  if (unknown !== undefined) throw new SetupError(`${name} has the placeholder ${unknown}: only {command} is known`);
  return pathOrNull(value);
}

/** An address to push to. The value stays out of the message: it may have a password in it. */
export function checkedPushUrl(name: string, value: string | null): string | null {
  if (value === null || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw new SetupError(`${name} must be an address such as http://pushgateway:9091`);
}

/** Null where the variable is not set. */
export function checkedSwitch(name: string, value: string | null): boolean | null {
  if (value === null) return null;
  if (value === '0' || value === '1') return value === '1';
  throw new SetupError(`${name} must be 0 or 1`);
}

export function confirmEvery(name: string, value: string | null): number {
  const ms = duration(name, value);
  if (ms >= 1_000 && ms <= 300_000) return ms;
  throw new SetupError(`${name} must be from 1 second to 5 minutes`);
}

export function checkedFormat(value: string): 'pretty' | 'json' {
  if (value === 'pretty' || value === 'json') return value;
  throw new SetupError('LOG_FORMAT must be pretty or json');
}

export function checkedLevel(value: string | null): LogLevel {
  const level = LOG_LEVELS.find((one) => one === value);
  if (level !== undefined) return level;
  throw new SetupError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
}

export function wholeNumber(name: string, value: string | null, min: number, max: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new SetupError(`${name} must be a whole number from ${min} to ${max}`);
}

/** Null where the variable is not set. */
export function optionalNumber(name: string, value: string | null, min: number, max: number): number | null {
  return value === null ? null : wholeNumber(name, value, min, max);
}

export const MOST_A_MINUTE = 100_000_000;
export const MOST_A_DAY = 1_000_000_000_000;
/** Rows in one transaction of a loop: more than this holds locks and memory for too long. */
export const MOST_IN_A_BATCH = 10_000;

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** `48h`, `7d`, `PT48H`, `P7D`: one unit, which is all a limit needs. */
export function duration(name: string, value: string | null): number {
  const match = /^([1-9]\d{0,8})([smhd])$|^P([1-9]\d{0,8})(D)$|^PT([1-9]\d{0,8})([HMS])$/.exec(value ?? '');
  const [count = '', unit = ''] = match?.slice(1).filter((part) => part !== undefined) ?? [];
  if (!match) throw new SetupError(`${name} must be a duration such as 48h, 7d or P7D`);
  return Number(count) * SECONDS[unit.toLowerCase() as keyof typeof SECONDS] * 1_000;
}

/** A session cannot last longer idle than at most. */
export function checkedSessions(
  idleMs: number,
  lifetimeMs: number,
): { readonly idleMs: number; readonly lifetimeMs: number } {
  if (idleMs <= lifetimeMs) return Object.freeze({ idleMs, lifetimeMs });
  throw new SetupError('USANCE_SESSION_LIFETIME must be at least USANCE_SESSION_IDLE');
}

const DAY_MS = 86_400_000;

/**
 * At least a day: a create looks whether its reference is free, archived ones included, before it inserts, and nothing that was
 * made meanwhile may have got there.
 */
export function archiveAge(name: string, value: string | null): number | null {
  if (value === 'never') return null;
  const ms = duration(name, value);
  if (ms >= DAY_MS) return ms;
  throw new SetupError(`${name} must be at least a day, or never`);
}

/** At least a day: a job or a consumer that was down overnight still finds what it missed. */
export function keepAge(name: string, value: string | null): number | null {
  if (value === 'forever') return null;
  const ms = duration(name, value);
  if (ms >= DAY_MS) return ms;
  throw new SetupError(`${name} must be at least a day, or forever`);
}

/** An http or https URL without a user, a query and a fragment, and without a slash at its end. */
export function checkedWebUrl(name: string, value: string | null): string | null {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/(?<!\/)\/+$/, '');
  throw new SetupError(
    `${name} must be an http or https URL without a user, a query and a fragment, such as https://usance.example.com`,
  );
}

export interface SmtpConfig {
  readonly url: string;
  readonly from: string;
  readonly publicUrl: string;
  /** E-mails of one tenant in 24 hours; 0: no limit. */
  readonly perDay?: number;
}

/** Whether user and password are percent-encoded correctly: a password with a bare `%` would end the process with an error that shows it. */
function hasReadableLogin({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** The three are set together. No message has the URL: there is a password in it. */
export function checkedSmtp({
  url,
  from,
  publicUrl,
  perDay,
  production,
}: { readonly [K in 'url' | 'from' | 'publicUrl']: string | null } & {
  readonly perDay?: number | undefined;
  readonly production: boolean;
}): SmtpConfig | null {
  if (url === null) return null;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (
    parsed === null ||
    !/^smtps?:$/.test(parsed.protocol) ||
    parsed.hostname === '' ||
    !/^\/?$/.test(parsed.pathname) ||
    parsed.hash !== '' ||
    !hasReadableLogin(parsed)
  )
    throw new SetupError(
      'USANCE_SMTP_URL must be smtp://user:password@host:587 or smtps://user:password@host:465; a character such as / # ? or @ in the password is written %2F %23 %3F %40',
    );
  const tls = parsed.searchParams.get('tls');
  if ([...parsed.searchParams.keys()].some((name) => name !== 'tls') || (tls !== null && tls !== 'none'))
    throw new SetupError('USANCE_SMTP_URL takes no parameter but tls=none');
  if (production && tls === 'none' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(parsed.hostname))
    throw new SetupError('USANCE_SMTP_URL has tls=none for another machine, which NODE_ENV=production refuses');
  if (from === null || !/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9][A-Za-z0-9.-]{0,189}$/.test(from))
    throw new SetupError(
      'USANCE_EMAIL_FROM must be an address such as payments@example.com, because USANCE_SMTP_URL is set',
    );
  if (publicUrl === null)
    throw new SetupError(
      'USANCE_PUBLIC_URL must be set, because USANCE_SMTP_URL is: links to unsubscribe begin with it',
    );
  if (production && !publicUrl.startsWith('https:'))
    throw new SetupError('USANCE_PUBLIC_URL must be an https URL, because NODE_ENV is production');
  return { url, from, publicUrl, ...(perDay === undefined ? {} : { perDay }) };
}

/** How much dearer a chain may become between the choice of a route and its signing. */
export function checkedTolerance(
  share: string | null,
  policy: string | null,
): { readonly share: number; readonly usd: number; readonly policy: 'requote' | 'fail' } {
  const number = Number(share ?? 'none');
  if (!(number >= 0 && number <= 100)) throw new SetupError('USANCE_FEE_TOLERANCE must be a number from 0 to 100');
  if (policy !== 'requote' && policy !== 'fail') throw new SetupError('USANCE_FEE_POLICY must be requote or fail');
  return Object.freeze({ share: number, usd: 0.01, policy });
}

/** `SBX=1,SOL=150.25`: US dollars for one whole unit, by asset code. */
export function checkedPrices(name: string, text: string | null): Readonly<Record<string, number>> {
  const pairs = text === null ? [] : text.split(',').map((pair) => pair.trim().split('='));
  const prices = pairs.map(([asset = '', usd = '', ...more]): [string, number] => {
    const price = /^[0-9]+(?:\.[0-9]+)?$/.test(usd) ? Number(usd) : 0;
    if (!/^[A-Z][A-Z0-9]*$/.test(asset) || more.length > 0 || !(price > 0 && Number.isFinite(price)))
      throw new SetupError(`${name} must be asset codes with prices in US dollars, such as SBX=1,SOL=150.25`);
    return [asset, price];
  });
  if (new Set(prices.map(([asset]) => asset)).size < prices.length)
    throw new SetupError(`${name} has two prices of one asset`);
  return Object.freeze(Object.fromEntries(prices));
}
