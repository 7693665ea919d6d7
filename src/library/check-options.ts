// Option names of `createUsance`. A misspelled `databaseUrl` would open an embedded server and write the money there.
import { SetupError, nearestName } from '../kernel/index.ts';
import type { UsanceOptions } from './usance-options.ts';

type MembersOf<T> = Readonly<Record<keyof T, true>>;
/** The names of a group of options; `true` for a single value. */
type Known = { readonly [Name in keyof UsanceOptions]-?: true | MembersOf<NonNullable<UsanceOptions[Name]>> };

const BATCHES = { batchSize: true, lanes: true } as const;

const KNOWN: Known = {
  databaseUrl: true,
  ownerUrl: true,
  listenUrl: true,
  dataDir: true,
  schema: true,
  poolSize: true,
  idleLimitMs: true,
  migrate: true,
  onNotice: true,
  bounds: { maxHoldDelayMs: true },
  approvalWithinMs: true,
  processor: BATCHES,
  scheduler: BATCHES,
  clocks: { maxSteps: true },
  allowances: { maxAttempts: true, retryDelayMs: true },
  subscriptionCrons: { scheduler: true, processor: true },
  shortfallHorizonMs: true,
  maxGroup: true,
  executionsPerSecond: true,
  simulateFailures: true,
  metricsRetentionMs: true,
  anchors: { file: true, everyMs: true, onAnchor: true },
  retention: {
    idempotencyKeysMs: true,
    paymentsMs: true,
    executionsMs: true,
    deliveryBodiesMs: true,
    ownEventsMs: true,
  },
  ownEventsPerDay: true,
  missingProcessorMs: true,
  processors: true,
  jobs: { concurrency: true, tenantConcurrency: true, drainMs: true },
  webhooks: { concurrency: true },
  loops: true,
  recordRuns: true,
  jwt: { secret: true, previous: true, audience: true, issuer: true },
  encryption: { key: true, previousKey: true },
  longestTokenMs: true,
  outbound: { loopback: true, allow: true, proxy: true },
  notifications: { dashboardUrl: true, smtp: true },
  chains: { sandbox: true, prices: true, measureEveryMs: true, keepHealthMs: true },
};

const MOST_EDITS = 3;

/** Throws a SetupError for a name that is not an option. A caller without types can write any. */
export function requireKnownOptions(options: UsanceOptions): void {
  requireNames(options, KNOWN, '');
  for (const [name, members] of Object.entries(KNOWN)) {
    const given = options[name as keyof UsanceOptions];
    if (members !== true && typeof given === 'object' && given !== null) requireNames(given, members, `${name}.`);
  }
}

function requireNames(given: object, known: object, group: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, Object.keys(known), MOST_EDITS);
  const hint = nearest === null ? '' : `; did you mean "${group}${nearest}"?`;
  throw new SetupError(`createUsance has no option "${group}${unknown}"${hint}`);
}
