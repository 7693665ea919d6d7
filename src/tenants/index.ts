export * from './create-tenant.ts';
export * from './once.ts';
export { findTenant, listTenants, setDefaultAsset } from './store.ts';
export type { Tenant, TenantKind } from './tenant.ts';
