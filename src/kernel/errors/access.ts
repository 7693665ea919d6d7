// Callers, API keys, token issuers and tenants.
import { conflict, forbidden, missing, unauthorized, unprocessable } from './entry.ts';

export const ACCESS_ERRORS = {
  AUTH_REQUIRED: unauthorized({ title: 'Authentication is required' }),
  AUTH_INVALID: unauthorized({ title: 'The API key or token is invalid, revoked or expired' }),
  AUTH_SCOPE_MISSING: forbidden({
    title: 'The API key lacks a required scope',
    detail: {
      external_money:
        'moving external money (from or to "world", or out of "fees") requires the scope {scope}, which the API key lacks',
    },
  }),
  AUTH_FORBIDDEN: forbidden({
    title: 'The caller is not allowed to do this',
    detail: {
      first_tenant_only: 'this covers all tenants and is available only to the first live tenant',
    },
  }),
  TENANT_NOT_FOUND: missing({
    title: 'The tenant does not exist',
    detail: 'there is no tenant "{tenant:tenant}"',
    cause: 'A command or a call of the library names a tenant that the database does not have, by id or by name.',
    remedy:
      'Check the name, and that the program is connected to the intended database. Create the tenant first if it is new.',
  }),
  API_KEY_NOT_FOUND: missing({ title: 'The tenant has no such API key' }),
  ISSUER_NOT_FOUND: missing({ title: 'The tenant has no such token issuer' }),
  TENANT_EXISTS: conflict({
    title: 'A tenant with this name already exists',
    detail: 'there is already a tenant with the name "{name}"',
    cause: 'The name of a tenant is unique in the database, and another tenant has it.',
    remedy: 'Use the existing tenant, or choose another name.',
  }),
  API_KEY_STATE_CONFLICT: conflict({ title: 'The API key is not in a state that allows this' }),
  ISSUER_EXISTS: conflict({ title: 'The issuer and audience are already registered' }),
  API_KEYS_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of API keys, or the key its limit of ancestors',
  }),
};
