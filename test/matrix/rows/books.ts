// Accounts, reservations and assets.
import type { Driver } from './driver.ts';
import { AMOUNT, ASSET, fresh } from './driver.ts';

const reason = 'the matrix';

interface AccountRow {
  readonly id: string;
  /** The name it was opened by. */
  readonly ref: string;
  readonly stranger: string;
}

export const ACCOUNTS: Driver<'account', AccountRow> = {
  async make({ tenant, bystander: stranger }, cell) {
    if (cell.state === 'of the system') return { id: (await tenant.account('suspense')).id, ref: 'suspense', stranger };
    const ref = fresh('account');
    const { id } = await tenant.openAccount({ ref, name: 'Alice' });
    if (cell.state === 'holding money')
      await tenant.deposit({ account: ref, asset: ASSET, amount: AMOUNT, idempotencyKey: ref });
    if (cell.state === 'suspended') await tenant.suspendAccount(id, reason);
    if (cell.state === 'closed' || cell.state === 'erased') await tenant.closeAccount(id, reason);
    if (cell.state === 'erased') await tenant.eraseAccount(id, reason, { ref: true });
    return { id, ref, stranger };
  },
  endUser: (_cell, row) => row.stranger,
  calls: {
    openAccount: {
      http: ({ ref }, { way }) => ['POST /accounts', { ref: way === 'with its ref' ? ref : fresh('another') }],
      by: (verbs, { ref }, { way }) => verbs.openAccount({ ref: way === 'with its ref' ? ref : fresh('another') }),
    },
    editAccount: {
      http: ({ id }) => [`PATCH /accounts/${id}`, { name: 'Bob' }],
      by: (verbs, { id }) => verbs.editAccount(id, { name: 'Bob' }),
    },
    suspendAccount: {
      http: ({ id }) => [`POST /accounts/${id}/suspend`, { reason }],
      by: (verbs, { id }) => verbs.suspendAccount(id, reason),
    },
    reactivateAccount: {
      http: ({ id }) => [`POST /accounts/${id}/reactivate`, { reason }],
      by: (verbs, { id }) => verbs.reactivateAccount(id, reason),
    },
    closeAccount: {
      http: ({ id }) => [`POST /accounts/${id}/close`, { reason }],
      by: (verbs, { id }) => verbs.closeAccount(id, reason),
    },
    eraseAccount: {
      http: ({ id }) => [`POST /accounts/${id}/erase`, { reason }],
      by: (verbs, { id }) => verbs.eraseAccount(id, reason),
    },
    revokeTokens: {
      http: ({ id }) => [`POST /accounts/${id}/revoke-tokens`, {}],
      by: (verbs, { id }) => verbs.revokeTokens(id),
    },
  },
};

interface ReservationRow {
  readonly reservation: string;
  readonly payer: string;
  readonly to: string;
}

export const RESERVATIONS: Driver<'reservation', ReservationRow> = {
  async make(world, cell) {
    const { tenant } = world;
    const [payer, payee] = [await world.account('funded'), await world.account('empty')];
    const order = { account: payer, asset: ASSET, amount: AMOUNT };
    const { reservation } = await tenant.reserve({ ...order, idempotencyKey: payee });
    if (cell.state === 'resolved') await tenant.release({ reservation, idempotencyKey: fresh('release') });
    return { reservation, payer, to: cell.money === 'to world' ? 'world' : payee };
  },
  endUser: (_cell, row) => row.payer,
  calls: {
    capture: {
      by: (verbs, { reservation, to }) =>
        verbs.capture({ reservation, to, amount: AMOUNT, idempotencyKey: fresh('call') }),
    },
    release: {
      by: (verbs, { reservation }) => verbs.release({ reservation, idempotencyKey: fresh('call') }),
    },
  },
};

let codes = 0;
/** A code that the tenant has not: `MAAB`. */
export const freshCode = (): string =>
  `M${(codes += 1)
    .toString(26)
    .padStart(3, '0')
    .replaceAll(/[0-9]/g, (digit) => 'QRSTUVWXYZ'[Number(digit)] ?? 'Q')
    .toUpperCase()}`;

export const ASSETS: Driver<'asset', { readonly asset: string; readonly user: string }> = {
  async make({ tenant, bystander: user }, cell) {
    const code = freshCode();
    if (cell.state !== 'new') await tenant.createAsset(`${code}/2`);
    return { asset: cell.state === 'of another scale' ? `${code}/3` : `${code}/2`, user };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    createAsset: {
      http: ({ asset }) => ['POST /assets', { asset }],
      by: (verbs, { asset }) => verbs.createAsset(asset),
    },
  },
};
