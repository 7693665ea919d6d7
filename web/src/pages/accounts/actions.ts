// What an operator can do with an account.
import type { Account, AccountWithBalances } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { Action } from '../../parts/action.tsx';
import type { Field } from '../../parts/fields.tsx';
import { requireMinor } from '../../parts/fields.tsx';

const nameOf = ({ name, ref }: Pick<Account, 'name' | 'ref'>): string => name ?? ref;
const isNoSystem = ({ kind }: Account): boolean => kind !== 'system';

export const create: Action<null> = {
  name: 'accounts.create',
  label: 'Open an account',
  tone: 'primary',
  scope: 'ledger:write',
  reason: 'optional',
  lead: () => 'A holder of balances. Its ref is your own name for it, and it cannot change later.',
  fields: () => [
    { name: 'ref', label: 'Ref', kind: 'text', placeholder: 'user-1042', isRequired: true },
    { name: 'name', label: 'Name', kind: 'text' },
    {
      name: 'kind',
      label: 'Kind',
      kind: 'select',
      initial: 'user',
      isRequired: true,
      options: [
        ['user', 'user'],
        ['merchant', 'merchant'],
        ['treasury', 'treasury'],
      ],
    },
  ],
  run: (_, { ref = '', name = '', kind }, options) =>
    api.accounts.create(
      {
        ref: ref.trim(),
        kind: kind as 'user' | 'merchant' | 'treasury',
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      },
      options,
    ),
  done: () => 'Opened the account.',
};

const moneyFields = (account: AccountWithBalances): readonly Field[] => {
  const assets = account.balances.map(({ asset }) => asset);
  return [
    { name: 'amount', label: 'Amount', kind: 'text', isRequired: true, placeholder: '100.00' },
    { name: 'asset', label: 'Asset', kind: 'text', isRequired: true, initial: assets[0] ?? 'USD/2' },
    { name: 'description', label: 'Description', kind: 'text' },
  ];
};

const moneyOf = (values: Readonly<Record<string, string>>) => {
  const { amount = '', asset = '', description = '' } = values;
  const minor = requireMinor(amount, asset);
  return { amount: minor, asset, ...(description.trim() === '' ? {} : { description: description.trim() }) };
};

export const deposit: Action<AccountWithBalances> = {
  name: 'accounts.deposit',
  label: 'Deposit',
  scope: 'ledger:money',
  reason: 'required',
  applies: isNoSystem,
  lead: (account) => `Books money that came in from outside to ${nameOf(account)}.`,
  fields: moneyFields,
  run: async ({ id }, values, options) => api.accounts.deposit(id, moneyOf(values), options),
  done: (account) => `Deposited to ${nameOf(account)}.`,
};

export const withdraw: Action<AccountWithBalances> = {
  name: 'accounts.withdraw',
  label: 'Withdraw',
  scope: 'ledger:money',
  reason: 'required',
  applies: isNoSystem,
  lead: (account) => `Books money that went out from ${nameOf(account)}.`,
  fields: moneyFields,
  run: async ({ id }, values, options) => api.accounts.withdraw(id, moneyOf(values), options),
  done: (account) => `Withdrew from ${nameOf(account)}.`,
};

export const suspend: Action<AccountWithBalances> = {
  name: 'accounts.suspend',
  label: 'Suspend',
  tone: 'danger',
  scope: 'ledger:write',
  reason: 'body',
  isVersioned: true,
  applies: (account) => isNoSystem(account) && account.status === 'active',
  lead: (account) => `No money leaves or enters ${nameOf(account)} until it is reactivated. Its payments wait.`,
  run: ({ id }, { reason = '' }, options) => api.accounts.suspend(id, { reason }, options),
  done: (account) => `Suspended ${nameOf(account)}.`,
};

export const reactivate: Action<AccountWithBalances> = {
  name: 'accounts.reactivate',
  label: 'Reactivate',
  tone: 'primary',
  scope: 'ledger:write',
  reason: 'body',
  isVersioned: true,
  applies: ({ status }) => status === 'suspended',
  lead: (account) => `Payments of ${nameOf(account)} run again.`,
  run: ({ id }, { reason = '' }, options) => api.accounts.reactivate(id, { reason }, options),
  done: (account) => `Reactivated ${nameOf(account)}.`,
};

export const close: Action<AccountWithBalances> = {
  name: 'accounts.close',
  label: 'Close',
  tone: 'danger',
  scope: 'ledger:write',
  reason: 'body',
  isVersioned: true,
  applies: (account) => isNoSystem(account) && account.status !== 'closed',
  lead: (account) => `Closes ${nameOf(account)} for good. It must be empty.`,
  run: ({ id }, { reason = '' }, options) => api.accounts.close(id, { reason }, options),
  done: (account) => `Closed ${nameOf(account)}.`,
};

export const ACCOUNT_ACTIONS: readonly Action<AccountWithBalances>[] = [reactivate, deposit, withdraw, suspend, close];
