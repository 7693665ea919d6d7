export * from './create-tenant.ts';
export * from './once.ts';
export * from './pause.ts';
export * from './pauses.ts';
export {
  findTenant,
  listExecutors,
  listTenants,
  readPauses,
  setDefaultAsset,
  setExecutionCap,
  takeExecutions,
} from './store.ts';
export type { Tenant, TenantKind } from './tenant.ts';
