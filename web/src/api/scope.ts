// The scopes of the API. The server enforces them; the pages hide what a session may not do.
import type { ApiKey } from '../../../src/client/index.ts';

export type Scope = ApiKey['scopes'][number];

export const allows = (scopes: readonly Scope[], scope: Scope): boolean =>
  scopes.includes(scope) || scopes.includes('admin');
