// Quotes as rows, for states that a test cannot wait for.
import type { Database } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { routeFor } from '../../src/rails/index.ts';

/** Returns its TypeID. */
export async function addQuote(
  owner: Database,
  { id: tenantId }: Pick<TenantHandle, 'id'>,
  { expired = false, used = false }: { readonly expired?: boolean; readonly used?: boolean } = {},
): Promise<string> {
  const id = newId();
  const candidate = {
    chain: 'sandbox',
    hasAddress: true,
    walletUnits: '100',
    neededUnits: '1',
    health: 'healthy',
  } as const;
  const numbers = { feeUsd: 0.02, confirmationSeconds: 8, rpcErrorRate: 0 };
  const { inputs, decision } = routeFor({
    version: 1,
    priority: 'low_fee',
    candidates: [{ ...candidate, ...numbers }],
  });
  await owner.query(
    `insert into usance.quotes (tenant_id, id, asset, amount, priority, destinations, chain, inputs, decision, created_by, created_at, expires_at, used_at)
     select $1::uuid, $2::uuid, 'USDC/6', 1, 'low_fee', '{"sandbox": "sbx1017e36c840e14cb75d0846ecf145e2f16909e3c"}', 'sandbox', $3::jsonb, $4::jsonb, 'test',
       t, t + interval '5 minutes', case when $6::boolean then t end
     from (select date_trunc('milliseconds', now()) - case when $5::boolean then interval '5 minutes' else interval '0' end as t) t`,
    [tenantId, id, JSON.stringify(inputs), JSON.stringify(decision), expired, used],
  );
  return toTypeId('quote', id);
}
