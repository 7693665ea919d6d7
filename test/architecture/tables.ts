// Who owns which table. All SQL about a table is in its owner's store, so that its lock order and its invariants can be
// read in one place, and nobody else's statement can break them.
import { find, isCode } from './source.ts';
import type { Complaint, SourceFile } from './source.ts';

/** A migration that makes a table adds it here. */
export const TABLE_OWNERS: Readonly<Record<string, string>> = {
  migrations: 'db',
  encryption_keys: 'secrets',
  tenants: 'tenants',
  idempotency_keys: 'tenants',
  pauses: 'tenants',
  execution_rates: 'tenants',
  test_clocks: 'tenants',
  api_keys: 'access',
  token_issuers: 'access',
  token_revocations: 'access',
  notification_channels: 'notifications',
  notification_backlog: 'notifications',
  sessions: 'access',
  sign_in_links: 'access',
  email_settings: 'notifications',
  email_templates: 'notifications',
  email_counts: 'notifications',
  email_opt_outs: 'notifications',
  emails: 'notifications',
  events: 'events',
  event_inbox: 'events',
  event_blocks: 'events',
  own_event_counts: 'events',
  assets: 'ledger',
  accounts: 'ledger',
  balances: 'ledger',
  balance_wakes: 'ledger',
  reservations: 'ledger',
  transfers: 'ledger',
  balance_checkpoints: 'ledger',
  freezes: 'ledger',
  opening_balances: 'ledger',
  payments: 'payments',
  archived_payments: 'payments',
  all_payments: 'payments',
  payment_moves: 'payments',
  payment_payees: 'payments',
  due: 'payments',
  waiting: 'payments',
  payment_dead_letters: 'payments',
  refunds: 'payments',
  payment_limits: 'payments',
  spend_buckets: 'payments',
  tenant_spend: 'payments',
  unapproved_spend: 'payments',
  system_metrics: 'ops',
  schedules: 'schedules',
  schedule_moves: 'schedules',
  schedule_due: 'schedules',
  occurrences: 'schedules',
  occurrence_dead_letters: 'schedules',
  outage_guards: 'schedules',
  outages: 'schedules',
  plans: 'schedules',
  subscriptions: 'schedules',
  subscription_changes: 'schedules',
  subscription_counts: 'schedules',
  subscription_terms: 'schedules',
  imported_subscriptions: 'schedules',
  cron_runs: 'ops',
  loop_runs: 'ops',
  allowances: 'schedules',
  shortfalls: 'schedules',
  jobs: 'jobs',
  job_matcher: 'jobs',
  job_rates: 'jobs',
  job_workers: 'jobs',
  processors: 'jobs',
  execution_queue: 'jobs',
  executions: 'jobs',
  chains: 'rails',
  quotes: 'payouts',
  wallet_checks: 'payouts',
  payout_awaited_comparisons: 'payouts',
  wallet_balances_compared: 'payouts',
  payout_routes: 'payouts',
  payout_policies: 'payouts',
  payout_destinations: 'payouts',
  payout_caps: 'payouts',
  payout_spend: 'payouts',
  chain_health_snapshots: 'rails',
  invocations: 'jobs',
  execution_dead_letters: 'jobs',
  webhook_endpoints: 'webhooks',
  delivery_attempts: 'webhooks',
  execution_order_notes: 'jobs',
  sandbox_chains: 'rails',
  sandbox_balances: 'rails',
  sandbox_transactions: 'rails',
  payout_attempts: 'payouts',
  payout_wallets: 'payouts',
  payout_wallet_assets: 'payouts',
  treasury_floors: 'payouts',
  alert_checks: 'ops',
  alerts: 'ops',
};

type Owners = Readonly<Record<string, string>>;

const MADE = /\bcreate (?:view|table(?: if not exists)?) usance\.([a-z_]+)/g;

/** The list above is what the migrations make: no table without an owner, no owner without a table. */
export function checkOwners(files: readonly SourceFile[], owners: Owners = TABLE_OWNERS): Complaint[] {
  const makers = files.filter((file) => file.path.startsWith('src/db/migrations/') || file.path === MIGRATOR);
  const made = new Set(makers.flatMap((file) => [...file.text.matchAll(MADE)].map((match) => match[1] ?? '')));
  return [
    ...[...made]
      .filter((table) => !(table in owners))
      .map((table) => `the table ${table} has no owner: say in TABLE_OWNERS which module's store may name it`),
    ...Object.keys(owners)
      .filter((table) => !made.has(table))
      .map((table) => `TABLE_OWNERS has ${table}, which no migration makes`),
  ];
}

export function checkTables(files: readonly SourceFile[], owners: Owners = TABLE_OWNERS): Complaint[] {
  return files.filter(isCode).flatMap((file) =>
    find(file, /\busance\.([a-z_]+)/g).flatMap(({ where, match }) => {
      const table = match[1] ?? '';
      const owner = owners[table];
      if (owner === undefined || mayName(file.path, owner)) return [];
      return [
        file.path.startsWith(`src/${owner}/`)
          ? `${where} names usance.${table}: the SQL of ${owner} is in its store.ts or a *-store.ts. Move the statement there`
          : `${where} names usance.${table}, which belongs to ${owner}. Ask through a function of src/${owner}/index.ts`,
      ];
    }),
  );
}

const MIGRATOR = 'src/db/migrate.ts';

function mayName(path: string, owner: string): boolean {
  return owner === 'db' ? path === MIGRATOR : path.startsWith(`src/${owner}/`) && isStore(path);
}

/** `store.ts`, `account-store.ts`; and `checks.ts`, whose queries look at the whole module at once. */
export function isStore(path: string): boolean {
  return /\/((?:[a-z-]+-)?store|checks)\.ts$/.test(path);
}

/** A parameter travels as text, and drivers guess its type differently: only a cast makes it mean the same in each. */
export function checkCasts(files: readonly SourceFile[]): Complaint[] {
  return files
    .filter((file) => isStore(file.path) || /^src\/db\/[a-z-]+\.ts$/.test(file.path))
    .flatMap((file) =>
      find(file, /\$\d+(?!\d|::)/g).map(
        ({ where, match }) =>
          `${where} has the parameter ${match[0]} without a cast: write ${match[0]}::uuid, or whatever it is`,
      ),
    );
}
