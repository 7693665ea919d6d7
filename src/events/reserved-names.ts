// Names that applications cannot use for their own events: every noun of the catalogue, every resource with ids, and nouns that usance will
// have. A consumer can then rely on `payment.settled` being an event of usance, and a later release adds types without meeting those of an
// application.
import { ID_PREFIX, snakeCase } from '../kernel/index.ts';
import { EVENT_CATALOGUE } from './schemas/index.ts';

const PLANNED = [
  'audit',
  'balance',
  'chain',
  'cron',
  'dead_letter',
  'delivery',
  'event',
  'execution',
  'hold',
  'invocation',
  'job',
  'ledger',
  'notification',
  'notification_channel',
  'payment_intent',
  'payout',
  'person',
  'processor',
  'quote',
  'route',
  'system',
  'treasury_wallet',
  'usance',
  'wallet',
  'webhook',
  'webhook_endpoint',
  'worker',
];

const firstWord = (type: string): string => type.split('.', 1)[0] ?? type;

export const RESERVED_NOUNS: readonly string[] = [
  ...new Set([...Object.keys(EVENT_CATALOGUE).map(firstWord), ...Object.keys(ID_PREFIX).map(snakeCase), ...PLANNED]),
].toSorted();

const RESERVED: ReadonlySet<string> = new Set(RESERVED_NOUNS);

/** The reserved noun that a type or a resource begins with; null if it has none. */
export function reservedNoun(name: string): string | null {
  const noun = firstWord(name);
  return RESERVED.has(noun) ? noun : null;
}

/** The audit log writes a type in capitals, with underscores instead of dots: `payment_run.now` would be the action of `payment.run_now`. */
const flat = (type: string): string => type.replaceAll('.', '_');
const FLAT = new Map(Object.keys(EVENT_CATALOGUE).map((type) => [flat(type), type]));

/** The type of the catalogue that would have the same action in the audit log; null if there is none. */
export const collidingType = (type: string): string | null => FLAT.get(flat(type)) ?? null;
