import { describe, expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { troubles } from '../support/books.ts';
import { appended, createJob, freshTenant, matchAll, order, seqsOf, seqsOfType } from './matcher.ts';

const store = useUsance();

describe('a job', () => {
  test('gets one execution for each event behind its creation that its pattern names', async () => {
    const tenant = await freshTenant(store.usance);
    await appended(store.usance, tenant.id, 'tenant.updated', 'execution_cap.set');
    await order(store.usance);
    const job = await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, 'tenant.updated', 'execution_cap.set', 'tenant.updated');
    await order(store.usance);
    expect(await matchAll(store.usance)).toBe(2);
    expect(await seqsOf(store.owner, job)).toEqual((await seqsOfType(tenant, 'tenant.updated')).slice(1));
    expect(await matchAll(store.usance)).toBe(0);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
