import type { Uuid } from '../kernel/index.ts';

export type AccountKind = 'user' | 'merchant' | 'treasury' | 'system';
export type AccountStatus = 'active' | 'suspended' | 'closed';

export interface Contact {
  readonly email?: string;
  readonly phone?: string;
  /** IANA name: the family's or the merchant's local time. */
  readonly zone?: string;
  /** BCP 47 tag, `de-DE`: how amounts and dates are written to them. */
  readonly locale?: string;
}

export interface Account {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** The tenant's own name for it, unique within the tenant. */
  readonly ref: string;
  readonly kind: AccountKind;
  readonly status: AccountStatus;
  readonly statusReason: string | null;
  readonly name: string | null;
  readonly contact: Contact | null;
  /** The first of its guardians. */
  readonly guardianId: Uuid | null;
  /** The accounts that answer for this one, at most ten; each can give it an allowance. */
  readonly guardianIds: readonly Uuid[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A contact as it is stored: encrypted, or from before encryption, until the loop `encrypt` has been there. */
export type StoredContact = { readonly encrypted: Buffer } | { readonly plain: Contact };

/** An account as it is stored. Only code that needs the contact decrypts it: `withContact`. */
export interface StoredAccount extends Omit<Account, 'contact'> {
  readonly contact: StoredContact | null;
}

/** The table of moves. */
export const ACCOUNT_MOVES: Readonly<Record<AccountStatus, readonly AccountStatus[]>> = {
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
};
