export { allowedTo } from './api-key.ts';
export type { ApiKey, ApiKeyOrder, MadeKey } from './api-key.ts';
export { touchApiKeys } from './api-key-store.ts';
export type { KeyUse } from './api-key-store.ts';
export * from './authenticate.ts';
export type { Maker } from './grant.ts';
export * from './scope.ts';
export * from './verbs.ts';
