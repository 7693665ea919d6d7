// How an id is written outside: a TypeID (`acct_01jd…`), which says what it names. Refuses nothing, so that a refusal can show ids.
import { camelCase } from './case.ts';

/** A UUID, as the tables have it. */
export type Uuid = string;

/** The prefix of the TypeID for each kind of resource. */
export const ID_PREFIX = {
  tenant: 'ten',
  account: 'acct',
  payment: 'pay',
  schedule: 'sch',
  occurrence: 'occ',
  outage: 'out',
  plan: 'plan',
  subscription: 'sub',
  cronRun: 'run',
  refund: 'rfd',
  reservation: 'rsv',
  transfer: 'trf',
  event: 'evt',
  job: 'job',
  execution: 'exe',
  invocation: 'inv',
  webhookEndpoint: 'whe',
  worker: 'wkr',
  freeze: 'frz',
  violation: 'vio',
  import: 'imp',
  pause: 'pau',
  testClock: 'clk',
  apiKey: 'key',
  session: 'ses',
  tokenIssuer: 'iss',
  notificationChannel: 'nch',
  request: 'req',
  quote: 'qte',
  treasuryWallet: 'wal',
  payoutDestination: 'pdst',
  alert: 'alt',
  ownResource: 'own',
} as const;
/** The kind of a resource that has ids, such as `payment`. */
export type IdKind = keyof typeof ID_PREFIX;

/** The kind of a resource by its name in events: `api_key` is `apiKey`. Null if its ids have no prefix. */
export function kindOfResource(resource: string): IdKind | null {
  const kind = camelCase(resource);
  return Object.hasOwn(ID_PREFIX, kind) ? (kind as IdKind) : null;
}

export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** The 26 characters behind the prefix. The first has three bits: 26 × 5 is two more than 128. */
const SUFFIX_FORM = '[0-7][0-9a-hjkmnp-tv-z]{25}';

/** The form of TypeIDs of a kind, or of one of several kinds, as a regular expression. */
export function typeIdForm(...kinds: readonly IdKind[]): string {
  const prefixes = kinds.map((kind) => ID_PREFIX[kind]).join('|');
  return `^${kinds.length === 1 ? prefixes : `(${prefixes})`}_${SUFFIX_FORM}$`;
}

const SUFFIX = new RegExp(`^${SUFFIX_FORM}$`);

export function isTypeId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIX[kind]}_`;
  return text.startsWith(prefix) && SUFFIX.test(text.slice(prefix.length));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Two characters of base 32 for each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31));
const pair = (bits: number): string => PAIRS[bits] ?? '';

/** The positions of the 32 digits of a UUID, and the value of each character. */
const PLACES = Array.from({ length: 36 }, (_, at) => at).filter((at) => ![8, 13, 18, 23].includes(at));
const WORTH = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max('0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()), 0),
);

/**
 * The TypeID of a UUID: `acct_01jd…`, a prefix and 26 characters of base 32.
 */
export function toTypeId(kind: IdKind, id: Uuid): string {
  // Most significant first: eight bits make the first two characters, every five hexadecimal digits after them four more. By
  // tables rather than by BigInt: a page of payments has hundreds of ids.
  const digit = (at: number): number => WORTH[id.charCodeAt(PLACES[at] ?? 0)] ?? 0;
  let text = `${ID_PREFIX[kind]}_${pair((digit(0) << 4) | digit(1))}`;
  for (let at = 2; at < 32; at += 5) {
    const bits =
      (digit(at) << 16) | (digit(at + 1) << 12) | (digit(at + 2) << 8) | (digit(at + 3) << 4) | digit(at + 4);
    text += pair(bits >> 10) + pair(bits & 1023);
  }
  return text;
}
