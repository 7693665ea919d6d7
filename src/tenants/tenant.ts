import type { Uuid } from '../kernel/index.ts';

export type TenantKind = 'live' | 'test';

export interface Tenant {
  readonly id: Uuid;
  readonly name: string;
  readonly kind: TenantKind;
  readonly defaultAsset: string | null;
  readonly createdAt: Date;
  /** The first live tenant of the store: it sees and makes tenants, and JWT_SECRET and the bootstrap key are its own. */
  readonly isFirst: boolean;
}
