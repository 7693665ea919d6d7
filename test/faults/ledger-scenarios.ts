// Every verb of the ledger, ready to be interrupted. Those that move money carry a key and are simply done again; for
// the others the caller looks first.
import type { TenantHandle } from '../../src/engine.ts';
import { freeze } from '../support/books.ts';
import type { Act, Ground, Scenario } from './ground.ts';
import { fund, runLoop } from './ground.ts';
import type { Program } from './victim.ts';

const tenantDoes =
  (work: (tenant: TenantHandle) => Promise<unknown>) =>
  async ({ tenant }: Program): Promise<unknown> =>
    work(tenant);

const keyed = (verb: keyof TenantHandle, work: (tenant: TenantHandle) => Promise<unknown>): Scenario => ({
  verbs: [verb],
  prepare: async (): Promise<Act> => ({ act: tenantDoes(work) }),
});

const order = { asset: 'USD', amount: 100, idempotencyKey: 'once' };

/** Done again only where the account is not yet what it should become. */
const status = (
  verb: 'suspendAccount' | 'reactivateAccount' | 'closeAccount',
  becomes: string,
  ref: string,
): Scenario => ({
  verbs: [verb],
  async prepare({ tenant }: Ground) {
    if (becomes === 'active') await tenant.suspendAccount(ref, 'to be lifted');
    const act = tenantDoes((own) => own[verb](ref, 'asked for'));
    return { act, again: async (engine) => (await engine.tenant.account(ref)).status === becomes || act(engine) };
  },
});

const importing = (lines: number): Omit<Scenario, 'slow'> => ({
  verbs: ['importOpeningBalances'],
  prepare: async () => ({
    act: tenantDoes((tenant) =>
      tenant.importOpeningBalances({ name: 'old books', format: 'csv', open: () => openingBalances(lines) }),
    ),
  }),
});

async function* openingBalances(lines: number): AsyncGenerator<string> {
  yield 'account,asset,amount';
  for (let line = 1; line <= lines; line += 1) yield `old-${line},USD,${line}`;
}

export const LEDGER_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'erase an account': {
    verbs: ['eraseAccount'],
    async prepare({ tenant }) {
      await tenant.openAccount({ ref: 'leaving', name: 'Somebody' });
      await tenant.closeAccount('leaving', 'moved away');
      return { act: tenantDoes((own) => own.eraseAccount('leaving', 'asked for')) };
    },
  },
  deposit: keyed('deposit', (tenant) => tenant.deposit({ ...order, account: 'cem' })),
  withdraw: keyed('withdraw', (tenant) => tenant.withdraw({ ...order, account: 'ann' })),
  transfer: keyed('transfer', (tenant) => tenant.transfer({ ...order, from: 'ann', to: 'ben' })),
  'transfer to a first-time holder': keyed('transfer', (tenant) =>
    tenant.transfer({ ...order, from: 'ann', to: 'dia' }),
  ),
  'transfer of fees': {
    verbs: ['transfer'],
    async prepare({ tenant }) {
      await tenant.transfer({ ...order, from: 'ann', to: 'fees', idempotencyKey: 'a fee' });
      return { act: tenantDoes((own) => own.transfer({ ...order, from: 'fees', to: 'ben' })) };
    },
  },
  reserve: keyed('reserve', (tenant) => tenant.reserve({ ...order, account: 'ann' })),
  capture: {
    verbs: ['capture'],
    async prepare({ tenant }) {
      const { reservation } = await tenant.reserve({ ...order, account: 'ann', idempotencyKey: 'reserved' });
      return { act: tenantDoes((own) => own.capture({ reservation, to: 'ben', amount: 60, idempotencyKey: 'once' })) };
    },
  },
  release: {
    verbs: ['release'],
    async prepare({ tenant }) {
      const { reservation } = await tenant.reserve({ ...order, account: 'ann', idempotencyKey: 'reserved' });
      return { act: tenantDoes((own) => own.release({ reservation, idempotencyKey: 'once' })) };
    },
  },
  'deposit that wakes': {
    verbs: ['deposit'],
    async prepare(ground) {
      const { tenant } = ground;
      const payment = { from: 'poor', to: 'ben', asset: 'USD', amount: 100, funding: 'at_execution' as const };
      await tenant.createPayment({ ...payment, reference: 'waits', idempotencyKey: 'waits' });
      await runLoop(ground, 'processor');
      return { act: tenantDoes((own) => own.deposit({ ...order, account: 'poor' })) };
    },
  },
  import: importing(3),
  'import in two transactions': { ...importing(1_001), slow: true },
  'create an asset': {
    verbs: ['createAsset'],
    prepare: async () => ({
      act: tenantDoes((tenant) => tenant.createAsset('GBP/2')),
      again: async ({ tenant }) =>
        (await tenant.assets()).some((asset) => asset.name === 'GBP/2') || tenant.createAsset('GBP/2'),
    }),
  },
  'open an account': {
    verbs: ['openAccount'],
    prepare: async () => ({
      act: tenantDoes((tenant) => tenant.openAccount({ ref: 'eve', guardian: 'ann' })),
      again: async ({ tenant }) =>
        (await tenant.accounts()).some((account) => account.ref === 'eve') ||
        tenant.openAccount({ ref: 'eve', guardian: 'ann' }),
    }),
  },
  'edit an account': {
    verbs: ['editAccount'],
    prepare: async () => ({
      act: tenantDoes((tenant) => tenant.editAccount('ann', { name: 'Ann' })),
      again: async ({ tenant }) =>
        (await tenant.account('ann')).name === 'Ann' || tenant.editAccount('ann', { name: 'Ann' }),
    }),
  },
  suspend: status('suspendAccount', 'suspended', 'ann'),
  reactivate: status('reactivateAccount', 'active', 'ann'),
  close: status('closeAccount', 'closed', 'dia'),
  freeze: {
    loop: 'integrity',
    async prepare({ owner }) {
      const add = (amount: number) => (): Promise<unknown> =>
        owner.query(
          `update usance.balances set available = available + $1::int
           where asset = 'USD/2' and account_id = (select id from usance.accounts where ref = 'ben')`,
          [amount],
        );
      await add(7)();
      return { act: (engine) => runLoop(engine, 'integrity'), mend: add(-7) };
    },
  },
  unfreeze: {
    verbs: ['unfreeze'],
    async prepare({ owner, tenant }) {
      await freeze(owner, tenant.id, 'USD/2');
      await fund(tenant, 'ben', 1);
      const act = tenantDoes((own) => own.unfreeze('USD', 'counted by hand'));
      return { act, again: async (engine) => (await engine.usance.freezes()).length === 0 || act(engine) };
    },
  },
};
