// Callers, API keys, token issuers and tenants.
import { conflict, forbidden, missing, unauthorized, unprocessable } from './entry.ts';

export const ACCESS_ERRORS = {
  AUTH_REQUIRED: unauthorized({
    title: 'Authentication is required',
    detail: 'send your API key or token as "Authorization: Bearer <key>"',
    example: { param: 'Authorization' },
    cause: 'The request has no `Authorization` header.',
    remedy: 'Send `Authorization: Bearer` and an API key, or a token of an end user.',
  }),
  AUTH_INVALID: unauthorized({
    title: 'The API key or token is invalid, revoked or expired',
    detail: {
      not_bearer: '{param} must be "Bearer <key>"',
      unknown_key: 'the API key is unknown, revoked or expired',
      unknown_token: 'the token is not valid',
      tenant_not_named: 'several tenants have this issuer: name yours in the header Usance-Tenant',
      tenant_unknown:
        'the header {param} names no tenant that trusts this token: it takes the id or the name of a tenant',
      exp_missing: 'the token has no end: exp is required, in whole seconds',
      expired: 'the token has expired',
      not_valid_yet: 'the token is not valid yet',
      iat_missing: 'the token does not say when it was issued: iat is required, in whole seconds',
      issued_in_the_future: 'the token was issued in the future',
      lasts_too_long: 'the token lasts too long: exp can be at most {max} s after iat',
      sub_missing: 'the token names no account: sub must be the ref of one',
      account_not_open: 'the token names no account that is open',
      issued_before_account: 'the token was issued before its account was opened',
      revoked: 'the token was revoked',
    },
    example: ['unknown_key', { param: 'Authorization' }],
    cause:
      'The API key is unknown, revoked or expired, or the token is not signed by an issuer of the tenant, has expired, was revoked, or names no open account.',
    remedy: 'Check the key or token that you send. Create a new API key, or let the issuer sign a new token.',
  }),
  SESSION_ENDED: unauthorized({
    title: 'The session has ended',
    detail: 'the session has ended or does not exist: sign in again',
    example: { param: 'Cookie' },
    cause:
      'The session was signed out, was not used for too long, has reached its longest duration, or its API key was revoked or has expired.',
    remedy: 'Sign in again with an API key that works.',
  }),
  SESSION_LINK_INVALID: unauthorized({
    title: 'The sign-in link is not valid',
    detail:
      'the sign-in link was used, has expired or does not exist: sign in with an API key, or restart "npm start" for a new link',
    example: { param: 'link' },
    cause: 'A sign-in link opens one session, within one hour after it was printed.',
    remedy: 'Sign in with an API key, or restart `npm start`, which prints a new link.',
  }),
  SESSION_TENANT_UNKNOWN: forbidden({
    title: 'The session has no such tenant',
    detail: 'the session has no tenant "{tenant}": sign in with an API key of it',
    example: { param: 'Usance-Tenant', tenant: 'shop' },
    cause: 'The header `Usance-Tenant` names a tenant that no key of the session belongs to.',
    remedy: 'Sign in with an API key of that tenant as well, or choose a tenant that `GET /session` lists.',
  }),
  CSRF_INVALID: forbidden({
    title: 'The request could come from another site',
    detail: {
      token:
        'a change with the session cookie needs the header x-usance-csrf with the value that GET /session returns for the tenant of the request',
      origin: 'the header Origin is not the address of this server',
    },
    example: ['token', { param: 'x-usance-csrf' }],
    cause:
      'A request with the session cookie that is not `GET` has no valid `x-usance-csrf` header, or a sign-in comes from a page of another origin.',
    remedy:
      'Send `x-usance-csrf` with the value that `GET /session` returns. Programs send `Authorization` instead of the cookie.',
  }),
  AUTH_SCOPE_MISSING: forbidden({
    title: 'The API key lacks a required scope',
    detail: {
      operation: 'this operation requires the scope {scope}, which your key lacks',
      grant: 'your key lacks {scope}, so it cannot grant it to another key',
      revoke: 'your key lacks {scope}, so it cannot revoke a key, issuer or token that has it',
      issuer: 'your key lacks admin, so it cannot change the token issuers of end users',
      outlives: 'your key expires at {expiresAt:instant}, so it cannot create a key that lasts longer',
      external_money:
        'moving external money (from or to "world", or out of "fees") requires the scope {scope}, which the API key lacks',
    },
    example: ['operation', { scope: 'payments:write' }],
    cause:
      'The API key is valid, but its role and scopes do not include the one that the operation requires. A key cannot give another key more than it has.',
    remedy: 'Use a key with the scope that `fields.scope` names, or let an admin create one.',
  }),
  AUTH_FORBIDDEN: forbidden({
    title: 'The caller is not allowed to do this',
    detail: {
      needs_api_key: 'end users cannot do this: it requires an API key',
      option_needs_api_key: 'end users cannot use {param}: it requires an API key',
      not_your_payment: 'you can change only payments that you created',
      not_the_payer: 'only the payer of a payment can see this',
      not_your_account: 'you can pay from your own account only',
      eraser_role: 'the database login of this process must not erase: grant it the role usance_eraser',
      first_tenant_only: 'this covers all tenants and is available only to the first tenant',
    },
    example: ['needs_api_key'],
    cause:
      'The caller is known but may not do this: an end user reads or changes data of the tenant or of another account, or a tenant uses an operation of the first tenant, the first live tenant of the database.',
    remedy: 'Use an API key of the tenant, or act on the account that the token names.',
  }),
  TENANT_NOT_FOUND: missing({
    title: 'The tenant does not exist',
    detail: {
      unknown: 'there is no tenant "{tenant:tenant}"',
      creatable: 'there is no tenant "{tenant:tenant}"; add --create-tenant to create it',
    },
    example: ['unknown', { tenant: 'shop' }],
    cause: 'The library or a command names a tenant, by id or name, that the database does not have.',
    remedy: 'Check the spelling, or create the tenant first.',
  }),
  API_KEY_NOT_FOUND: missing({
    title: 'The tenant has no such API key',
    detail: 'there is no such API key',
    cause: 'The id names no API key of the tenant.',
    remedy: 'List the keys with `GET /v1/api-keys` and use an id of that list.',
  }),
  ISSUER_NOT_FOUND: missing({
    title: 'The tenant has no such token issuer',
    detail: 'there is no such token issuer',
    cause: 'The id names no token issuer of the tenant, or the issuer was removed.',
    remedy: 'List the issuers with `GET /v1/token-issuers` and use an id of that list.',
  }),
  TENANT_EXISTS: conflict({
    title: 'A tenant with this name already exists',
    detail: 'there is already a tenant with the name "{name}"',
    example: { param: 'name', name: 'shop' },
    cause: 'The name of a tenant is unique in the database, and another tenant has it.',
    remedy: 'Use the existing tenant, or choose another name.',
  }),
  API_KEY_STATE_CONFLICT: conflict({
    title: 'The API key is not in a state that allows this',
    detail: 'the key was revoked or rotated, or has expired; create a new one',
    cause: 'The key to rotate was revoked, was rotated before, or has expired.',
    remedy: 'Create a new API key.',
  }),
  ISSUER_EXISTS: conflict({
    title: 'The issuer and audience are already registered',
    detail: 'your tenant has this issuer and {param} already; change its keys instead',
    example: { param: 'audience' },
    cause: 'The tenant has a token issuer with the same issuer and audience.',
    remedy: 'Change the keys of the existing issuer, or use another audience.',
  }),
  ISSUERS_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of token issuers',
    detail: 'a tenant has at most {max} token issuers; delete one that is not needed',
    example: { max: 50 },
    cause: 'The tenant has as many token issuers as it may have.',
    remedy: 'Delete token issuers whose tokens are no longer used.',
  }),
  API_KEYS_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of API keys, or the key its limit of ancestors',
    detail: {
      active: 'a tenant has at most {max} active API keys; revoke some',
      ancestors: 'a key descends from at most {max} keys that are not admins; let an admin create or rotate it',
    },
    example: ['active', { max: 1_000 }],
    cause:
      'The tenant has as many active keys as it may have, or the new key would descend from too long a chain of keys that created each other.',
    remedy: 'Revoke keys that are no longer used, or create the key with an admin key.',
  }),
};
