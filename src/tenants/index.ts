export * from './create-tenant.ts';
export * from './once.ts';
export * from './pause.ts';
export * from './pauses.ts';
export type { KeyRecord, KeyScope } from './store.ts';
export {
  findKeyRecords,
  findTenant,
  insertKeyRecords,
  listExecutors,
  listPauses,
  listTenants,
  readPauses,
  setDefaultAsset,
  setExecutionCap,
  takeExecutions,
  tryLockKeys,
} from './store.ts';
export type { Tenant, TenantKind } from './tenant.ts';
