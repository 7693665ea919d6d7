// A tenant with a test clock that pays out over its own simulated chain: payouts, their attempts, and what the chain itself says.
import { afterAll, beforeAll } from 'vitest';
import type { EngineOptions, Payment, PaymentOrder, TenantHandle } from '../../src/engine.ts';
import type { Clock } from '../../src/kernel/index.ts';
import type { Attempt } from '../../src/payouts/index.ts';
import { listAttempts } from '../../src/payouts/index.ts';
import type { Faults, Sandbox, SandboxTransaction } from '../../src/rails/index.ts';
import { openSandbox, walletKey } from '../../src/rails/index.ts';
import { key, open } from '../support/books.ts';
import type { TestDatabase } from '../support/database.ts';
import { useUsance } from '../support/database.ts';
import { advance, testTenant } from '../support/test-clock.ts';

export const PAYEE = walletKey('payee').address;
export const OTHER_PAYEE = walletKey('other payee').address;
export const USDC = 'USDC/6';
export const BEGAN = new Date('2027-01-01T00:00:00Z');

export interface PayoutWorld {
  readonly tenant: TenantHandle;
  /** Creates a payout of 10.00 USDC of alice, due at once. */
  pay(order?: Partial<PaymentOrder>): Promise<Payment>;
  read(payment: Pick<Payment, 'id'>): Promise<Payment>;
  /** Moves the test clock on, with everything that is due on the way. */
  pass(seconds: number): Promise<void>;
  clock(): Clock;
  faults(faults: Partial<Faults>): Promise<void>;
  attempts(payment: Pick<Payment, 'id'>): Promise<Attempt[]>;
  /** Transactions in blocks of the chain. */
  landed(): Promise<SandboxTransaction[]>;
  /** Types of the events of a payment, in order. */
  told(payment: Pick<Payment, 'id'>): Promise<string[]>;
}

export const SANDBOX = { seed: 'payouts', blockMs: 1000, finalityBlocks: 5, validityBlocks: 60 } as const;

export type PayoutStore = ReturnType<typeof useUsance> & {
  readonly sandbox: Sandbox;
  world(funds?: bigint): Promise<PayoutWorld>;
};

/** An engine with the simulated chain on. */
export function usePayouts(options: EngineOptions = {}): PayoutStore {
  const own = options.chains?.sandbox;
  const rules = { ...SANDBOX, ...(typeof own === 'object' ? own : {}) };
  const chains = { measureEveryMs: 3_600_000, ...options.chains, sandbox: rules };
  const store = useUsance({ ...options, chains });
  const state: { sandbox?: Sandbox } = {};
  beforeAll(async () => {
    // Without a fresh snapshot no chain qualifies.
    await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
    state.sandbox = openSandbox({ url: store.runtimeUrl, production: false, ...rules });
  });
  afterAll(() => state.sandbox?.close());
  const sandbox = (): Sandbox => {
    if (!state.sandbox) throw new Error('the sandbox is there inside tests only');
    return state.sandbox;
  };
  return Object.defineProperties(store, {
    sandbox: { get: sandbox },
    world: { value: (funds?: bigint) => openWorld(store, sandbox(), funds) },
  }) as TestDatabase as PayoutStore;
}

/** A test tenant with a clock, whose alice has USDC. */
export async function openWorld(
  { usance, db }: Pick<PayoutStore, 'usance' | 'db'>,
  sandbox: Sandbox,
  funds = 1_000_000_000n,
): Promise<PayoutWorld> {
  const own = await testTenant(usance, BEGAN);
  const { tenant } = own;
  await tenant.createAsset(USDC);
  await open(tenant, { alice: funds }, USDC);
  const { timelineId } = await tenant.testClock(own.clock);
  let now = BEGAN;
  const clock = (): Clock => ({ clockId: timelineId, now });
  return {
    tenant,
    pay: (order = {}) =>
      tenant.createPayment({
        from: 'alice',
        amount: 10_000_000n,
        asset: USDC,
        rail: 'sandbox',
        ...(order.destinations || order.destination ? {} : { destination: PAYEE }),
        idempotencyKey: key(),
        ...order,
      }),
    read: ({ id }) => tenant.payment(id),
    async pass(seconds) {
      now = new Date(now.getTime() + seconds * 1_000);
      await advance(usance, own, now);
    },
    clock,
    faults: (faults) => sandbox.setFaults(clock(), faults),
    attempts: ({ id }) => listAttempts(db, tenant.id, id),
    landed: () => sandbox.landed(clock()),
    told: async ({ id }) => (await tenant.timeline(id)).map(({ type }) => type),
  };
}
