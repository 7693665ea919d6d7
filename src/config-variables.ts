// The table of variables; config.ts reads them.
import { NOTIFICATION_VARIABLES } from './config-notifications.ts';
import { CHAIN_VARIABLES } from './config-chains.ts';
import { OUTBOUND_VARIABLES } from './config-outbound.ts';
import { PAYOUT_VARIABLES } from './config-payouts.ts';
import { ACCESS_VARIABLES } from './config-variables-access.ts';

/** The commands that open a store. `doctor` is not one of them: it must start to report missing variables. */
const ON_A_STORE = [
  'api',
  'processor',
  'scheduler',
  'upcoming',
  'why',
  'receipt',
  'worker',
  'verify',
  'accounts',
  'subscriptions',
  'freezes',
  'payments',
  'dead-letters',
  'outages',
  'jobs',
  'executions',
  'webhooks',
  'notifications',
  'api-keys',
  'test-clocks',
  'audit-events',
  'execution-cap',
  'chains',
  'alerts',
  'treasury-wallets',
  'payouts',
  'top',
] as const;
export type Command = (typeof ON_A_STORE)[number] | 'dev' | 'stop' | 'migrate' | 'doctor' | 'encryption-key' | 'listen';

export interface Variable {
  readonly name: string;
  /** The commands that read it. */
  readonly for: string;
  readonly default: string | null;
  /** The default where NODE_ENV is production, if it differs. */
  readonly productionDefault?: string;
  readonly says: string;
  /** Commands that do not start without it where NODE_ENV is production. */
  readonly neededBy?: readonly Command[];
  /** No command starts with it where NODE_ENV is production. */
  readonly notInProduction?: true;
  /** An example value, if the default does not show one. */
  readonly example?: string;
  /** The example is a placeholder for a secret: no command starts with it where NODE_ENV is production. */
  readonly secret?: true;
}

export const VARIABLES = [
  {
    name: 'NODE_ENV',
    for: 'every command',
    default: 'development',
    says: '"production" refuses settings that are unsafe outside development, logs JSON, and makes "npm start" run only the API.',
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
    says: 'The same database, as the owner of the schema. DATABASE_URL can then be a role that cannot rewrite history. Unset: DATABASE_URL.',
    example: 'postgres://usance_owner:password@localhost:5432/app',
    secret: true,
  },
  {
    name: 'USANCE_LISTEN_URL',
    for: 'dev, api, scheduler, processor, worker, doctor',
    default: null,
    says: 'The same database for LISTEN, and for the heartbeat of a worker of jobs, over one more connection each per process: the server itself, not a connection pooler in transaction mode. none: no LISTEN, loops and event streams poll, and a heartbeat over DATABASE_URL. Unset: DATABASE_URL.',
    example: 'postgres://usance_app:password@localhost:5432/app',
    secret: true,
  },
  {
    name: 'USANCE_DATA_DIR',
    for: 'the embedded server',
    default: '.usance',
    says: 'Folder of the embedded server: data, password, log, and the API key that "usance dev" created.',
  },
  {
    name: 'USANCE_SCHEMA',
    for: 'every command',
    default: 'usance',
    says: 'Database schema. One database can hold several.',
  },
  {
    name: 'USANCE_POOL_SIZE',
    for: 'every command',
    default: '10',
    says: 'Maximum number of database connections per process.',
  },
  {
    name: 'USANCE_URL',
    for: 'listen',
    default: null,
    says: 'Address of the API that `usance listen` reads events from. Unset: HOST and PORT.',
    example: 'https://usance.example.com',
  },
  {
    name: 'PORT',
    for: 'dev, api, doctor, listen',
    default: '3001',
    says: 'HTTP port. 0: any free port.',
  },
  {
    name: 'HOST',
    for: 'dev, api, doctor, listen',
    default: '127.0.0.1',
    productionDefault: '0.0.0.0',
    says: 'Address to listen on. 0.0.0.0 listens on every address and is the default in production. Outside production, an address that is not loopback requires USANCE_EXPOSE_DEV.',
  },
  {
    name: 'USANCE_EXPOSE_DEV',
    for: 'dev, api',
    default: null,
    says: '1 allows a HOST that other machines can reach outside production, where a demo tenant and an admin key exist. Unset: refused.',
    example: '1',
    notInProduction: true,
  },
  {
    name: 'METRICS_PORT',
    for: 'dev, api, scheduler, processor, worker, doctor',
    default: null,
    says: 'Port for /health, /ready and /metrics, without authentication. Unset: scheduler, processor and worker serve none of them; dev and api serve /metrics on PORT to this machine only, and not in production. 0: any free port.',
    example: '9464',
  },
  {
    name: 'METRICS_HOST',
    for: 'dev, api, scheduler, processor, worker, doctor',
    default: '127.0.0.1',
    says: 'Address that METRICS_PORT listens on. Metrics cover every tenant and need no authentication: expose the port to an internal network only.',
    example: '0.0.0.0',
  },
  {
    name: 'USANCE_METRICS_RETENTION',
    for: 'dev, api, scheduler, processor, worker',
    default: '2d',
    says: 'Retention of the table system_metrics: 12h, 7d, P7D.',
  },
  {
    name: 'USANCE_METRICS_FILE',
    for: 'scheduler, processor and worker with --once',
    default: null,
    says: 'File to which a one-shot command writes its metrics when it ends, for the textfile collector of node_exporter. {command} is replaced by the name of the command: use it where several commands share the variable. Unset: none.',
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
    says: 'On shutdown, how long /ready fails before the process stops accepting work. A load balancer needs a few seconds to notice.',
  },
  ...ACCESS_VARIABLES,
  {
    name: 'USANCE_KEY_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '60000',
    says: 'Requests per minute of one API key, counted per process. 0: no limit.',
  },
  {
    name: 'USANCE_USER_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '300',
    says: 'Requests per minute of one end user, counted per process. 0: no limit.',
  },
  {
    name: 'USANCE_ADDRESS_REQUESTS_PER_MINUTE',
    for: 'dev, api',
    default: '600',
    says: 'Unauthenticated requests per minute from one address (IPv6: from one /64 network), counted per process. 0: no limit.',
  },
  {
    name: 'USANCE_ADDRESS_CONNECTIONS',
    for: 'dev, api',
    default: '1000',
    says: 'Concurrent connections from one address (IPv6: from one /64 network) outside TRUSTED_PROXIES, counted per process. 0: no limit.',
  },
  {
    name: 'USANCE_TENANT_STREAMS',
    for: 'dev, api',
    default: '50',
    says: 'Concurrent event streams of one tenant per process, 1 to 200. A process serves 200 in all.',
  },
  {
    name: 'USANCE_KEY_STREAMS',
    for: 'dev, api',
    default: null,
    says: 'Concurrent event streams of one API key per process, with the keys of its rotation lineage and their sessions, 1 to 200. They count towards USANCE_TENANT_STREAMS. Unset: half of those, 25.',
  },
  {
    name: 'TRUSTED_PROXIES',
    for: 'dev, api',
    default: null,
    says: 'Addresses and networks of your proxies, separated by commas. The client address is then the last one in X-Forwarded-For that is not a proxy. Unset: the peer of the connection.',
    example: '10.0.0.0/8, 127.0.0.1',
  },
  {
    name: 'FRONTEND_URL',
    for: 'dev, api',
    default: null,
    says: 'Allowed CORS origins, separated by commas. Unset: none.',
    example: 'https://app.example.com',
  },
  {
    name: 'USANCE_MAX_HOLD_DELAY',
    for: 'dev, api',
    default: '7d',
    says: 'Longest delay of a payment that reserves its funds: 48h, 7d, P30D. A payment with funding at_execution may be up to five years ahead.',
  },
  {
    name: 'USANCE_APPROVAL_WITHIN',
    for: 'dev, api, scheduler, worker, payments, dead-letters',
    default: '7d',
    says: 'How long a payment awaits approval before it expires and its funds are released: 48h, 7d, P7D.',
  },
  {
    name: 'ALLOWANCE_MAX_RETRIES',
    for: 'dev, api, scheduler, worker, dead-letters',
    default: '5',
    says: 'Attempts of an allowance credit, the first included, before it becomes a dead letter: 1 to 100. A change applies to every allowance without its own retry policy from its next credit on.',
  },
  {
    name: 'ALLOWANCE_RETRY_DELAY_MS',
    for: 'dev, api, scheduler, worker, dead-letters',
    default: '600000',
    says: 'Milliseconds between two attempts of an allowance credit, from one second (1000) to one day (86400000).',
  },
  {
    name: 'USANCE_BATCH_SIZE',
    for: 'dev, api, scheduler, processor, worker',
    default: '1000',
    says: 'Maximum number of schedules or payments in one transaction of the scheduler or the processor: 1 to 10000. Smaller batches hold locks for less time; larger ones cost less per payment.',
  },
  {
    name: 'SCHEDULER_CRON',
    for: 'dev, api, scheduler, worker',
    default: null,
    says: 'When subscriptions are charged: five cron fields in UTC. A charge that falls due in between waits for the next time. Unset: each charge at its own time, as all other schedules always are. A one-shot run (--once) does not wait.',
    example: '0 0 * * *',
  },
  {
    name: 'PROCESSOR_CRON',
    for: 'dev, api, processor, worker',
    default: null,
    says: 'When charges of subscriptions are executed and retried: five cron fields in UTC. Unset: at their time, as all other payments always are. A one-shot run (--once) does not wait.',
    example: '15 0,6,12,18 * * *',
  },
  {
    name: 'USANCE_SHORTFALL_HORIZON',
    for: 'dev, worker',
    default: '3d',
    says: 'How far ahead account.shortfall_expected is emitted: 12h, 3d, P3D.',
  },
  {
    name: 'USANCE_EXECUTIONS_PER_SECOND',
    for: 'dev, api, processor, worker, execution-cap',
    default: null,
    says: 'Maximum number of payments per second of each tenant without its own cap, over all processors: 1 to 1000000. Give every process the same value; api and execution-cap only show it. Unset: no cap.',
    example: '50',
  },
  {
    name: 'USANCE_SIMULATE_FAILURES',
    for: 'dev, processor, worker',
    default: '0',
    says: 'Fail this many first attempts of every payment, to try out retries.',
    notInProduction: true,
  },
  {
    name: 'USANCE_ANCHOR_FILE',
    for: 'dev, worker, audit-events',
    default: null,
    says: 'File to which the heads of the audit log’s hash chains are appended. Stored where the owner of the database cannot change it, it proves any change of the audit log: "usance verify --anchor". Unset: they are only logged.',
    example: '/var/log/usance/anchors.jsonl',
  },
  {
    name: 'USANCE_ANCHOR_EVERY',
    for: 'dev, worker',
    default: '1h',
    says: 'How often anchors are written: 10m, 1h, P1D. Changes to events recorded since the last anchor are not detected by it.',
  },
  {
    name: 'USANCE_KEEP_IDEMPOTENCY_KEYS',
    for: 'dev, worker',
    default: '30d',
    says: 'Retention of idempotency keys. Afterwards the same key counts as new.',
  },
  {
    name: 'USANCE_ARCHIVE_PAYMENTS_AFTER',
    for: 'dev, worker, payments',
    default: '730d',
    says: 'How long after its end and its last refund a payment is archived: 365d, P365D; at least one day. Archived payments are still found. never: no archiving.',
  },
  {
    name: 'USANCE_KEEP_EXECUTIONS',
    for: 'dev, worker',
    default: '90d',
    says: 'Retention of executions of jobs after their end: 30d, P30D; at least one day. Dead letters are kept until they are retried or discarded. forever: no removal.',
  },
  {
    name: 'USANCE_JOB_CONCURRENCY',
    for: 'dev, worker',
    default: '50',
    says: 'Executions that one process runs at the same time, with --processors: 1 to 10000.',
  },
  {
    name: 'USANCE_JOB_TENANT_CONCURRENCY',
    for: 'dev, worker',
    default: null,
    says: 'Executions of one tenant that one process runs at the same time. Unset: USANCE_JOB_CONCURRENCY.',
    example: '10',
  },
  {
    name: 'USANCE_WEBHOOK_CONCURRENCY',
    for: 'dev, worker',
    default: '100',
    says: 'Deliveries to webhook endpoints that one process sends at the same time: 1 to 10000. One endpoint has at most a fifth of them, and at most 20.',
  },
  {
    name: 'USANCE_KEEP_DELIVERY_BODIES',
    for: 'dev, worker',
    default: '30d',
    says: 'Retention of the responses of webhook endpoints: 7d, P7D; at least one day. forever: as long as the executions.',
  },
  {
    name: 'USANCE_PROCESSOR_MEMORY_MB',
    for: 'dev, worker',
    default: '1024',
    says: 'Memory of the child process that runs --processors, in MiB: 64 to 1048576. A process that uses more is ended and started again.',
  },
  {
    name: 'USANCE_MISSING_PROCESSOR_AFTER',
    for: 'dev, worker',
    default: '1h',
    says: 'How long no worker may have a processor before executions that were due all that time fail with PROCESSOR_MISSING.',
  },
  {
    name: 'USANCE_OWN_EVENTS_PER_DAY',
    for: 'dev, api',
    default: '1000000',
    says: 'Events that the applications of one tenant can append a day, in UTC. 0: no limit.',
  },
  {
    name: 'USANCE_KEEP_OWN_EVENTS',
    for: 'dev, worker',
    default: 'forever',
    says: 'Retention of the data of events that applications appended: 90d, P90D; at least one day. Afterwards the data is erased, and the event stays in the order and in the hash chain. Needs the role usance_eraser. forever: no erasing.',
    example: '400d',
  },
  ...OUTBOUND_VARIABLES,
  ...NOTIFICATION_VARIABLES,
  ...CHAIN_VARIABLES,
  ...PAYOUT_VARIABLES,
  {
    name: 'LOG_FORMAT',
    for: 'dev, api, scheduler, processor, worker',
    default: null,
    says: 'Log format: pretty, or json (one object per line). Unset: json in production, pretty elsewhere.',
    example: 'json',
  },
  {
    name: 'LOG_LEVEL',
    for: 'dev, api, scheduler, processor, worker',
    default: 'info',
    says: 'Minimum log level: debug, info (every request and every batch), warn or error.',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof VARIABLES)[number]['name'];
