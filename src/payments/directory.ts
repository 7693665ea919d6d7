// The accounts and assets that a batch of orders names, looked up once for all of them. Orders name an account by its id or the
// tenant's ref, and an asset by its name or code; those of schedules name accounts by id alone.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Account, AccountStatus } from '../ledger/index.ts';
import { findAccountNames, findAssets, findInactive, systemAccountId } from '../ledger/index.ts';
import type { PaymentOrder } from './order.ts';

export interface Naming {
  readonly tenantId: Uuid;
  readonly order: PaymentOrder;
  readonly agreed?: boolean;
}

export class Directory {
  /** By tenant and name. */
  readonly #accounts = new Map<string, Pick<Account, 'id' | 'status'>>();
  /** By tenant and id, at least those that agreed orders name. */
  readonly #inactive = new Map<string, AccountStatus>();
  readonly #assets = new Map<string, string>();
  /** By id, of the accounts that were named, and of `world` where a payout is paid to it. */
  readonly refs = new Map<Uuid, string>();

  static async read(tx: Transaction, orders: readonly Naming[]): Promise<Directory> {
    const directory = new Directory();
    for (const [tenantId, own] of Map.groupBy(orders, (wanted) => wanted.tenantId)) {
      const agreed = own.filter((wanted) => wanted.agreed);
      const names = namesIn(own.filter((wanted) => !wanted.agreed));
      const assets = new Set(own.map(({ order }) => order.asset));
      const [found, inactive, known] = await tx.together([
        () => (names.length === 0 ? Promise.resolve([]) : findAccountNames(tx, tenantId, names)),
        () => (agreed.length === 0 ? Promise.resolve([]) : findInactive(tx, tenantId, () => namesIn(agreed))),
        () => findAssets(tx, tenantId, [...assets]),
      ]);
      for (const account of found) {
        directory.#accounts.set(`${tenantId} ${account.ref}`, account);
        directory.refs.set(account.id, account.ref);
      }
      // Afterwards: the ref of one account may look like the id of another, and the id wins.
      for (const account of found) directory.#accounts.set(`${tenantId} ${account.id}`, account);
      for (const { id, status } of inactive) directory.#inactive.set(`${tenantId} ${id}`, status);
      for (const { name, code } of known) {
        directory.#assets.set(`${tenantId} ${name}`, name);
        directory.#assets.set(`${tenantId} ${code}`, name);
      }
    }
    return directory;
  }

  account({ tenantId, agreed }: Naming, name: string, param: string): Uuid {
    const account = agreed
      ? { id: name, status: this.#statusOf(tenantId, name) }
      : this.#accounts.get(`${tenantId} ${name}`);
    if (!account) refuse('ACCOUNT_NOT_FOUND', { param, account: name });
    if (account.status !== 'active' && !(agreed && account.status === 'suspended'))
      refuse(`ACCOUNT_NOT_ACTIVE/${account.status}`, { param, account: name });
    return account.id;
  }

  /** The payee of a payout, which its order does not name. */
  world(tenantId: Uuid): Uuid {
    const id = systemAccountId(tenantId, 'world');
    this.refs.set(id, 'world');
    return id;
  }

  /** The ref by which an order names an account; undefined where it has the id, or does not name it. */
  nameIn(wanted: Naming | undefined, id: Uuid): string | undefined {
    const ref = this.refs.get(id);
    return wanted && ref !== undefined && namesIn([wanted]).includes(ref) ? ref : undefined;
  }

  #statusOf(tenantId: Uuid, id: Uuid): AccountStatus {
    return (this.#inactive.size === 0 ? null : this.#inactive.get(`${tenantId} ${id}`)) ?? 'active';
  }

  asset(tenantId: Uuid, nameOrCode: string): string {
    const asset = this.#assets.get(`${tenantId} ${nameOrCode}`);
    if (!asset) refuse('ASSET_NOT_FOUND', { param: 'asset', asset: nameOrCode });
    return asset;
  }
}

/** Each once. */
function namesIn(orders: readonly Naming[]): string[] {
  const names = orders.flatMap(({ order }) =>
    [order.from, order.to ?? [], (order.legs ?? []).map((leg) => leg.to)].flat(),
  );
  return [...new Set(names)];
}
