// The table of variables. What reads them, and what becomes of them, is in config.ts.
/** The commands that open a store. `doctor` is not among them: it has to come up to say what is missing. */
const ON_A_STORE = [
  'api',
  'processor',
  'scheduler',
  'upcoming',
  'why',
  'worker',
  'verify',
  'import',
  'freezes',
  'payments',
  'dlq',
  'outages',
  'keys',
  'clocks',
  'audit',
  'archive',
  'cap',
] as const;
export type Command = (typeof ON_A_STORE)[number] | 'dev' | 'stop' | 'migrate' | 'doctor';

export interface Variable {
  readonly name: string;
  /** Who reads it. */
  readonly for: string;
  readonly default: string | null;
  /** The default where NODE_ENV is production, if it differs. */
  readonly productionDefault?: string;
  readonly says: string;
  /** Commands that do not start without it where NODE_ENV is production. */
  readonly neededBy?: readonly Command[];
  /** No command starts with it where NODE_ENV is production. */
  readonly notInProduction?: true;
  /** What one might write, where the default does not show it. */
  readonly example?: string;
  /** The example is a placeholder for a secret: no command starts with it where NODE_ENV is production. */
  readonly secret?: true;
}

export const VARIABLES = [
  {
    name: 'NODE_ENV',
    for: 'every command',
    default: 'development',
    says: '"production" refuses what is only fit for trying out, logs JSON, and makes "npm start" the API alone.',
    example: 'production',
  },
  {
    name: 'DATABASE_URL',
    for: 'every command',
    default: null,
    says: 'Your own PostgreSQL, 15 or newer. Unset: an embedded server in USANCE_DATA_DIR.',
    neededBy: ON_A_STORE,
    example: 'postgres://usance_app:password@localhost:5432/app',
    secret: true,
  },
  {
    name: 'DATABASE_OWNER_URL',
    for: 'migrate',
    default: null,
    says: 'The same database as the owner of the schema, so that DATABASE_URL can be a role that cannot rewrite history. Unset: DATABASE_URL.',
    example: 'postgres://usance_owner:password@localhost:5432/app',
    secret: true,
  },
  {
    name: 'USANCE_DATA_DIR',
    for: 'the embedded server',
    default: '.usance',
    says: 'Folder of the embedded server: its data, password and log, and the API key that "usance dev" made.',
  },
  {
    name: 'USANCE_SCHEMA',
    for: 'every command',
    default: 'usance',
    says: 'Schema that holds everything. One database can hold several.',
  },
  {
    name: 'USANCE_POOL_SIZE',
    for: 'every command',
    default: '10',
    says: 'Connections at most per process.',
  },
  {
    name: 'PORT',
    for: 'dev, api, doctor',
    default: '3001',
    says: 'Port of HTTP. 0: any that is free.',
  },
  {
    name: 'HOST',
    for: 'dev, api, doctor',
    default: '127.0.0.1',
    productionDefault: '0.0.0.0',
    says: 'Address the port is opened on. 0.0.0.0 is every address of this machine, and the default in production. Outside production any other than a loopback address needs USANCE_EXPOSE_DEV.',
  },
  {
    name: 'USANCE_EXPOSE_DEV',
    for: 'dev, api',
    default: null,
    says: 'Set to 1 to open a HOST that other machines can reach outside production, with a demo tenant and an admin key. Unset: refused.',
    example: '1',
    notInProduction: true,
  },
  {
    name: 'METRICS_PORT',
    for: 'dev, api, scheduler, processor, worker, doctor',
    default: null,
    says: 'Port of /health, /ready and /metrics, asked without a key. Unset: a scheduler, processor or worker serves none; dev and api show /metrics on PORT to this machine alone, and in production to nobody. 0: any that is free.',
    example: '9464',
  },
  {
    name: 'METRICS_HOST',
    for: 'dev, api, scheduler, processor, worker, doctor',
    default: '127.0.0.1',
    says: 'Address METRICS_PORT is opened on. Metrics are of every tenant and asked without a key: open it to an inner network alone.',
    example: '0.0.0.0',
  },
  {
    name: 'USANCE_METRICS_RETENTION',
    for: 'dev, api, scheduler, processor, worker',
    default: '2d',
    says: 'How long the table system_metrics keeps what was counted: 12h, 7d, P7D.',
  },
  {
    name: 'USANCE_METRICS_FILE',
    for: 'scheduler, processor and worker with --once',
    default: null,
    says: 'File to which a one-shot command writes its metrics when it ends, for the textfile collector of node_exporter. {command} in it stands for the name of the command: use it where several commands share the variable. Unset: none.',
    example: '/var/lib/node_exporter/usance_{command}.prom',
  },
  {
    name: 'USANCE_METRICS_PUSH_URL',
    for: 'scheduler, processor and worker with --once',
    default: null,
    says: 'Pushgateway to which a one-shot command pushes its metrics when it ends, by PUT on /metrics/job/usance_<command> unless the address names a job itself. Unset: none.',
    example: 'http://pushgateway:9091',
  },
  {
    name: 'USANCE_DRAIN_SECONDS',
    for: 'dev, api, scheduler, processor, worker',
    default: '0',
    says: 'Asked to stop, how long /ready is red before nothing new is accepted or begun. A load balancer needs a few seconds to notice.',
  },
  {
    name: 'USANCE_API_KEY',
    for: 'dev, api',
    default: null,
    says: 'An API key of your choice for the first tenant, 24 to 200 printable characters. Unset: "usance dev" makes one and keeps it in USANCE_DATA_DIR.',
    example: 'choose-24-or-more-characters',
    secret: true,
  },
  {
    name: 'JWT_SECRET',
    for: 'dev, api',
    default: null,
    says: 'Signs tokens of the first tenant’s end users (HS256), at least 32 characters. none: only issuers that tenants name are believed, as where it is unset outside production.',
    neededBy: ['api'],
    example: 'choose-32-or-more-random-characters',
    secret: true,
  },
  {
    name: 'JWT_SECRET_PREVIOUS',
    for: 'dev, api',
    default: null,
    says: 'The JWT_SECRET before, while tokens that were signed with it still last. Take it away after USANCE_TOKEN_LIFETIME.',
  },
  {
    name: 'USANCE_TOKEN_LIFETIME',
    for: 'dev, api',
    default: '1d',
    says: 'The most that may lie between iat and exp of a token: 15m, 12h, P1D. Longer ones are refused.',
  },
  {
    name: 'JWT_AUDIENCE',
    for: 'dev, api',
    default: 'usance',
    says: 'What has to be among `aud` of a token signed with JWT_SECRET: one made for something else is refused.',
  },
  {
    name: 'JWT_ISSUER',
    for: 'dev, api',
    default: null,
    says: 'What has to be `iss` of a token signed with JWT_SECRET. Unset: it is not asked for.',
    example: 'https://login.example.com/',
  },
  {
    name: 'USANCE_KEY_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '60000',
    says: 'Requests a minute of one API key, counted by each process for itself. 0: no limit.',
  },
  {
    name: 'USANCE_USER_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '300',
    says: 'Requests a minute of one end user, counted by each process for itself. 0: no limit.',
  },
  {
    name: 'USANCE_ADDRESS_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '600',
    says: 'Requests a minute from one address without a key or token that is good, counted by each process for itself; IPv6 by networks of 64 bits. 0: no limit.',
  },
  {
    name: 'USANCE_ADDRESS_CONNECTIONS',
    for: 'dev, api',
    default: '1000',
    says: 'Connections at once from one address that is none of TRUSTED_PROXIES, counted by each process for itself; IPv6 by networks of 64 bits. 0: no limit.',
  },
  {
    name: 'USANCE_TENANT_STREAMS',
    for: 'dev, api',
    default: '50',
    says: 'Event streams of one tenant at once, counted by each process for itself, which has 200 for all tenants: 1 to 200.',
  },
  {
    name: 'TRUSTED_PROXIES',
    for: 'dev, api',
    default: null,
    says: 'Addresses and networks of your own proxies, with commas between: the address of a request is then the last in X-Forwarded-For that is none of them. Unset: the other end of the connection.',
    example: '10.0.0.0/8, 127.0.0.1',
  },
  {
    name: 'FRONTEND_URL',
    for: 'dev, api',
    default: null,
    says: 'Origins whose pages may ask from a browser, with commas between. Unset: none may.',
    example: 'https://app.example.com',
  },
  {
    name: 'USANCE_MAX_HOLD_DELAY',
    for: 'dev, api',
    default: '7d',
    says: 'How far ahead a payment that reserves its funds may lie: 48h, 7d, P30D. A payment with funding at_execution may lie five years ahead.',
  },
  {
    name: 'USANCE_APPROVAL_WITHIN',
    for: 'dev, api, scheduler, worker, payments, dlq',
    default: '7d',
    says: 'How long a payment awaits the approval of a second person before it expires and its funds are free again: 48h, 7d, P7D.',
  },
  {
    name: 'ALLOWANCE_MAX_RETRIES',
    for: 'dev, api, scheduler, worker, dlq',
    default: '5',
    says: 'How often a credit of an allowance is tried in all before it is a dead letter, the first time included: 1 to 100. A change reaches every allowance without a retry policy of its own with its next credit.',
  },
  {
    name: 'ALLOWANCE_RETRY_DELAY_MS',
    for: 'dev, api, scheduler, worker, dlq',
    default: '600000',
    says: 'Milliseconds from a failed try of a credit to the next, from a second (1000) to a day (86400000).',
  },
  {
    name: 'USANCE_BATCH_SIZE',
    for: 'dev, api, scheduler, processor, worker',
    default: '1000',
    says: 'How many schedules, or payments, one transaction of the scheduler or the processor takes at most: 1 to 10000. Smaller batches hold locks for less time, larger ones cost less for each payment.',
  },
  {
    name: 'SCHEDULER_CRON',
    for: 'dev, api, scheduler, worker',
    default: null,
    says: 'When subscriptions are looked at, as five cron fields in UTC; a charge that is due in between waits for the next time. Unset: each at its own time, as all other schedules always are. One tick (--once) does not wait.',
    example: '0 0 * * *',
  },
  {
    name: 'PROCESSOR_CRON',
    for: 'dev, api, processor, worker',
    default: null,
    says: 'When charges of subscriptions are tried, retries too, as five cron fields in UTC. Unset: at their time, as all other payments always are. One tick (--once) does not wait.',
    example: '15 0,6,12,18 * * *',
  },
  {
    name: 'USANCE_SHORTFALL_HORIZON',
    for: 'dev, worker',
    default: '3d',
    says: 'How long before it happens it is told that an account will lack the money for a payment (account.shortfall_expected): 12h, 3d, P3D.',
  },
  {
    name: 'USANCE_EXECUTIONS_PER_SECOND',
    for: 'dev, api, processor, worker, cap',
    default: null,
    says: 'Payments executed a second at most, of each tenant that has no cap of its own, over all processors: 1 to 1000000. Give every process the same value; api and cap only show it. Unset: no cap.',
    example: '50',
  },
  {
    name: 'USANCE_SIMULATE_FAILURES',
    for: 'dev, processor, worker',
    default: '0',
    says: 'Fail this many first attempts of every payment, to see retries at work.',
    notInProduction: true,
  },
  {
    name: 'USANCE_ANCHOR_FILE',
    for: 'dev, worker, audit',
    default: null,
    says: 'File to which the ends of the chains of the record are appended. Kept where the database’s owner cannot change it, it shows any change of the record: "usance verify --anchor". Unset: they are logged only.',
    example: '/var/log/usance/anchors.jsonl',
  },
  {
    name: 'USANCE_ANCHOR_EVERY',
    for: 'dev, worker',
    default: '1h',
    says: 'How often: 10m, 1h, P1D. What was recorded since the last time can be changed without an anchor to show it.',
  },
  {
    name: 'USANCE_KEEP_IDEMPOTENCY_KEYS',
    for: 'dev, worker',
    default: '30d',
    says: 'How long an idempotency key remembers its answer. Afterwards the same key is a new one.',
  },
  {
    name: 'USANCE_ARCHIVE_PAYMENTS_AFTER',
    for: 'dev, worker, archive',
    default: '730d',
    says: 'How long after its end, and its last refund, a payment is archived: 365d, P365D; at least a day. It is found as before. never: none is.',
  },
  {
    name: 'LOG_FORMAT',
    for: 'dev, api, scheduler, processor, worker',
    default: null,
    says: 'How the lines of a running command look: pretty, or json, one object a line. Unset: json in production, pretty elsewhere.',
    example: 'json',
  },
  {
    name: 'LOG_LEVEL',
    for: 'dev, api, scheduler, processor, worker',
    default: 'info',
    says: 'The least that is worth a line: debug, info (every request and every batch), warn or error.',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof VARIABLES)[number]['name'];
