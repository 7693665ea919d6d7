// What can be allowed, as data. A route names the one scope it asks for; a key has a role, scopes, or both. A role is kept by
// its name, so that a scope which is added to it later is its holders' too.

export const SCOPES = {
  'ledger:read': 'see assets, accounts, balances, transfers and statements',
  'ledger:write': 'make assets; open, edit, suspend and close accounts',
  'ledger:money': 'bring money in from outside and take it out',
  'payments:read': 'see holds and payments',
  'payments:write': 'make, edit, capture, cancel and refund them',
  'events:read': 'follow what happened',
  'ops:read': 'see what runs, what is stopped and what failed',
  'ops:write': 'run, fail and retry payments; stop what leaves, and let it leave again',
  'keys:read': 'see API keys and token issuers',
  'keys:write': 'make, rotate and revoke API keys and remove token issuers, within what the key may do itself',
  'tenants:read': 'see every tenant; a key of the first tenant only',
  'tenants:write': 'make tenants; a key of the first tenant only',
  admin: 'everything there is, and everything that will be',
} as const;

export type Scope = keyof typeof SCOPES;

const VIEWER = ['ledger:read', 'payments:read', 'events:read', 'ops:read'] as const satisfies readonly Scope[];

export const ROLES = {
  viewer: VIEWER,
  operator: [...VIEWER, 'payments:write', 'ops:write'],
  admin: ['admin'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLES;

/** What an end user can do with their own money; to name who signs for them takes somebody who can do it with everybody’s. */
export const END_USER = ['ledger:read', 'payments:read', 'payments:write'] as const satisfies readonly Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);
export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text);

/** What a holder of these may do. */
export type Allowed = ReadonlySet<Scope>;

export function allowedBy(role: Role | null, scopes: readonly Scope[]): Allowed {
  return new Set([...(role ? ROLES[role] : []), ...scopes]);
}

export function allows(allowed: Allowed, scope: Scope): boolean {
  return allowed.has(scope) || allowed.has('admin');
}
