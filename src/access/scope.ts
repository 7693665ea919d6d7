// Scopes and roles as data. A route requires one scope; a key has a role, scopes, or both. A role is stored by
// its name, so keys with a role also get scopes that are added to it later.

/** Each scope, and what it allows: shown by `api-keys create --help` and in docs/operating/security.md. */
export const SCOPES = {
  'ledger:read': 'read assets, accounts, balances, transfers, statements and forecasts',
  'ledger:write': 'create assets; create, update, suspend, reactivate and close accounts',
  'ledger:money': 'deposit and withdraw; act on payments from or to world, or out of fees',
  'payments:read': 'read payments, holds, schedules, plans, subscriptions, allowances and chains',
  'payments:write': 'create and change payments, holds, schedules, plans, subscriptions and allowances; refund',
  'events:read': 'list and follow events',
  'events:write': 'append events of an application',
  'jobs:read': 'read jobs, executions and processors',
  'jobs:write': 'create, update and delete jobs; retry and cancel executions',
  'notifications:read':
    'read notification channels, e-mail settings and templates, opt-outs, and the outcomes of e-mails',
  'notifications:write':
    'create, update, delete and test notification channels; change e-mail settings and templates, and opt-outs',
  'webhooks:read': 'read webhook endpoints, deliveries and their attempts',
  'webhooks:write': 'create, update, delete and test webhook endpoints; rotate their secrets; send deliveries again',
  'ops:read': 'read dead letters, outages, pauses, limits, the overview, loop runs and the audit log',
  'ops:write':
    'run, fail, retry and approve payments; retry and discard dead letters, also of executions; pause and resume outgoing payments; control test clocks',
  'keys:read': 'list API keys and token issuers',
  'keys:write':
    'create, rotate and revoke API keys, up to the scopes of the key itself; delete token issuers; revoke tokens',
  'tenants:read': 'list all tenants; only for keys of the first tenant',
  'tenants:write': 'create tenants; only for keys of the first tenant',
  admin: 'all scopes, including future ones',
} as const;

export type Scope = keyof typeof SCOPES;

const VIEWER = [
  'ledger:read',
  'payments:read',
  'events:read',
  'jobs:read',
  'notifications:read',
  'webhooks:read',
  'ops:read',
] as const satisfies readonly Scope[];

export const ROLES = {
  viewer: VIEWER,
  operator: [...VIEWER, 'payments:write', 'events:write', 'jobs:write', 'webhooks:write', 'ops:write'],
  admin: ['admin'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLES;

/** The scopes of an end user, for their own account; a key needs all of them to revoke tokens or delete a token issuer. */
export const END_USER = ['ledger:read', 'payments:read', 'payments:write'] as const satisfies readonly Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);
export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text);

/** The scopes that a key has, by its role and its own. */
export type Allowed = ReadonlySet<Scope>;

export function allowedBy(role: Role | null, scopes: readonly Scope[]): Allowed {
  return new Set([...(role ? ROLES[role] : []), ...scopes]);
}

export function allows(allowed: Allowed, scope: Scope): boolean {
  return allowed.has(scope) || allowed.has('admin');
}
