// Demo data for the first start: a tenant `demo` with two funded accounts. Created if there is no tenant yet, each part at most once,
// so that the next start completes one that was killed.
import type { TenantHandle, Engine } from '../engine.ts';
import { Refusal, formatAmount } from '../kernel/index.ts';
import type { Code } from '../kernel/index.ts';

const TENANT = 'demo';
const ASSET = 'USD/2';
const OPENING = [
  { ref: 'alice', amount: 100_000n },
  { ref: 'bob', amount: 25_000n },
];

/** The actor of the deposits, and so part of their idempotency keys. Not the user's name, which can change. */
const CALLER = { actor: 'cli:dev' };

/** Null if your database has live tenants, but no demo. */
export async function ensureDemo(engine: Engine): Promise<TenantHandle | null> {
  const tenants = (await engine.tenants()).filter(({ kind }) => kind === 'live');
  const isYours = !engine.store.embedded && tenants.length > 0;
  if (isYours && !tenants.some((tenant) => tenant.name === TENANT)) return null;
  await unless('TENANT_EXISTS', () => engine.createTenant({ name: TENANT }, CALLER));
  const demo = await engine.tenant(TENANT, CALLER);
  await demo.createAsset(ASSET);
  if ((await demo.defaultAsset()) === null) await demo.setDefaultAsset(ASSET);
  for (const { ref, amount } of OPENING) {
    await unless('ACCOUNT_EXISTS', () => demo.openAccount({ ref }));
    await demo.deposit({ account: ref, asset: ASSET, amount, idempotencyKey: `opening-${ref}` });
  }
  return demo;
}

/** "alice 1000.00 USD, bob 250.00 USD": as they are now. */
export async function describeDemo(demo: TenantHandle): Promise<string> {
  const parts = await Promise.all(
    OPENING.map(async ({ ref }) => {
      const balance = (await demo.balances(ref)).find((found) => found.asset === ASSET);
      return `${ref} ${formatAmount((balance?.available ?? 0n) + (balance?.reserved ?? 0n), ASSET)}`;
    }),
  );
  return parts.join(', ');
}

async function unless(code: Code, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === code)) throw error;
  }
}
