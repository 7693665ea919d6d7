import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Account as LedgerAccount } from '../../engine.ts';
import { accountId, idOrNull } from '../wire-format.ts';
import { Amount, Instant, closed, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { ALICE, CREATED_AT } from './examples.ts';

export const Balance = closed(
  {
    asset: Type.String({ examples: ['USD/2'] }),
    available: nullable(Amount, {
      description: 'Available for payments, in minor units; null for an earlier instant.',
    }),
    reserved: nullable(Amount, { description: 'Reserved for holds, in minor units; null for an earlier instant.' }),
    total: Amount,
  },
  { title: 'Balance' },
);

export const Contact = closed(
  {
    email: Type.Optional(Type.String({ maxLength: 255, examples: ['alice@example.com'] })),
    phone: Type.Optional(Type.String({ maxLength: 20, examples: ['+491701234567'] })),
    zone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'IANA name of the time zone. Default: none.',
        examples: ['Europe/Berlin'],
      }),
    ),
    locale: Type.Optional(
      Type.String({
        maxLength: 35,
        description:
          'BCP 47 language tag: how amounts and dates are written in e-mail. Default: that of the e-mail settings.',
        examples: ['de-DE'],
      }),
    ),
  },
  { title: 'Contact' },
);

const ACCOUNT = {
  id: idOf('account'),
  ref: Type.String({ description: 'Your own name for the account.', examples: ['alice'] }),
  kind: oneOf(['user', 'merchant', 'treasury', 'system']),
  status: oneOf(['active', 'suspended', 'closed']),
  status_reason: textOrNull(),
  name: textOrNull(),
  contact: nullable(Contact),
  guardian: nullable(idOf('account'), { description: 'The first of `guardians`.' }),
  guardians: Type.Array(idOf('account'), { description: 'The guardians of this account, by id.' }),
  created_at: Instant,
  updated_at: Instant,
};

export const Account = closed(ACCOUNT, { title: 'Account' });
export const AccountWithBalances = closed(
  { ...ACCOUNT, balances: Type.Array(Balance) },
  { title: 'AccountWithBalances' },
);

export function showAccount(account: LedgerAccount): Static<typeof Account> {
  return {
    id: accountId(account.id),
    ref: account.ref,
    kind: account.kind,
    status: account.status,
    status_reason: account.statusReason,
    name: account.name,
    contact: account.contact,
    guardian: idOrNull('account', account.guardianId),
    guardians: account.guardianIds.map(accountId),
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

export function showBalance(balance: {
  readonly asset: string;
  readonly available: bigint;
  readonly reserved: bigint;
}): Static<typeof Balance> {
  const { asset, available, reserved } = balance;
  return {
    asset,
    available: available.toString(),
    reserved: reserved.toString(),
    total: (available + reserved).toString(),
  };
}

export const EXAMPLE_BALANCE = { asset: 'USD/2', available: '15000', reserved: '10000', total: '25000' };
export const EXAMPLE_ACCOUNT = {
  id: ALICE,
  ref: 'alice',
  kind: 'user',
  status: 'active',
  status_reason: null,
  name: 'Alice',
  contact: { email: 'alice@example.com', zone: 'Europe/Berlin' },
  guardian: null,
  guardians: [],
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};
