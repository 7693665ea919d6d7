import type { Uuid } from '../kernel/index.ts';

export type TenantKind = 'live' | 'test';

export interface Tenant {
  readonly id: Uuid;
  readonly name: string;
  readonly kind: TenantKind;
  readonly defaultAsset: string | null;
  readonly createdAt: Date;
}
