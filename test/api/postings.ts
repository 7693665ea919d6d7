// The postings of a dry run, as the rows and balances that the real call leaves behind.
import { derivedAccount } from '../../src/ledger/index.ts';
import { fromTypeId } from '../../src/kernel/index.ts';
import type { Answer } from './api.ts';

interface Shown {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly account: string;
  readonly asset: string;
  readonly amount: string;
  readonly kind: string;
  readonly from_reserved: boolean;
}

export const postingsIn = (answer: Answer): Shown[] => answer.list('postings') as Shown[];

/** As `ledgerNow` writes transfers. */
export function transfersIn(answer: Answer): string[] {
  return postingsIn(answer)
    .filter(({ type }) => type === 'transfer')
    .map(({ from, to, asset, amount, kind }) =>
      [fromTypeId('account', from), fromTypeId('account', to), asset, amount, kind].join(' '),
    );
}

/** By how much each balance would change. `world` and `fees` have no balance. */
export function balancesIn(answer: Answer, tenantId: string): Map<string, { available: bigint; reserved: bigint }> {
  const changes = new Map<string, { available: bigint; reserved: bigint }>();
  const add = (shown: string, asset: string, field: 'available' | 'reserved', amount: bigint): void => {
    const account = fromTypeId('account', shown);
    if (derivedAccount(tenantId, account) !== null) return;
    const key = `${account} ${asset}`;
    const change = changes.get(key) ?? { available: 0n, reserved: 0n };
    changes.set(key, { ...change, [field]: change[field] + amount });
  };
  for (const { type, account, from, to, asset, amount: text, from_reserved } of postingsIn(answer)) {
    const amount = BigInt(text);
    if (type === 'transfer') {
      add(from, asset, from_reserved ? 'reserved' : 'available', -amount);
      add(to, asset, 'available', amount);
    } else {
      add(account, asset, 'reserved', type === 'reserve' ? amount : -amount);
      add(account, asset, 'available', type === 'reserve' ? -amount : amount);
    }
  }
  return new Map([...changes].filter(([, { available, reserved }]) => available !== 0n || reserved !== 0n));
}
