// Callers, API keys, token issuers and tenants.
import { conflict, forbidden, missing, unauthorized, unprocessable } from './entry.ts';

export const ACCESS_ERRORS = {
  AUTH_REQUIRED: unauthorized({ title: 'Authentication is required' }),
  AUTH_INVALID: unauthorized({ title: 'The API key or token is invalid, revoked or expired' }),
  AUTH_SCOPE_MISSING: forbidden({ title: 'The API key lacks a required scope' }),
  AUTH_FORBIDDEN: forbidden({ title: 'The caller is not allowed to do this' }),
  TENANT_NOT_FOUND: missing({ title: 'The tenant does not exist' }),
  API_KEY_NOT_FOUND: missing({ title: 'The tenant has no such API key' }),
  ISSUER_NOT_FOUND: missing({ title: 'The tenant has no such token issuer' }),
  TENANT_EXISTS: conflict({ title: 'A tenant with this name already exists' }),
  API_KEY_STATE_CONFLICT: conflict({ title: 'The API key is not in a state that allows this' }),
  ISSUER_EXISTS: conflict({ title: 'The issuer and audience are already registered' }),
  API_KEYS_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of API keys, or the key its limit of ancestors',
  }),
};
