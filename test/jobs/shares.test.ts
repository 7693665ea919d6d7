// How the free slots of a worker are divided among tenants and their jobs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Waiting } from '../../src/jobs/claim.ts';
import type { Quota } from '../../src/jobs/shares.ts';
import { Shares } from '../../src/jobs/shares.ts';

const job = (tenantId: string, jobId: string, limits: Partial<Waiting> = {}): Waiting => ({
  tenantId,
  jobId,
  processorName: 'work',
  timeoutMs: 1_000,
  clockId: null,
  maxConcurrency: null,
  maxPerSecond: null,
  testNow: null,
  mark: null,
  nextDueAt: null,
  ...limits,
});

const unlimited = (): number => Infinity;
const slotsOf = (quotas: readonly Quota[], of: Partial<Waiting>): number =>
  quotas
    .filter(({ job: { tenantId, jobId } }) => tenantId === (of.tenantId ?? tenantId) && jobId === (of.jobId ?? jobId))
    .reduce((sum, { limit }) => sum + limit, 0);

describe('the slots of a worker', () => {
  test('are kept in part for tenants that run little, whatever the others would take', () => {
    const due = [job('busy', 'a1'), job('busy-too', 'b1'), job('quiet', 'c1'), job('quiet-too', 'd1')];
    const kept = { general: 3, ofKept: (tenantId: string) => (tenantId.startsWith('quiet') ? 2 : 0) };
    const quotas = new Shares().share(due, 10, unlimited, undefined, kept);
    const ofBusy = slotsOf(quotas, { tenantId: 'busy' }) + slotsOf(quotas, { tenantId: 'busy-too' });
    expect(ofBusy).toBeLessThanOrEqual(3);
    expect(slotsOf(quotas, { tenantId: 'quiet' })).toBe(2);
    expect(slotsOf(quotas, { tenantId: 'quiet-too' })).toBe(2);
    const full = new Shares().share(due, 2, unlimited, undefined, { ...kept, general: -1 });
    expect(full.map(({ job: { tenantId }, limit }) => [tenantId, limit])).toEqual([['quiet', 2]]);
  });

  test('are divided evenly among tenants, then among the jobs of a tenant', () => {
    const due = [job('a', 'a1'), job('a', 'a2'), job('a', 'a3'), job('b', 'b1')];
    const quotas = new Shares().share(due, 12, unlimited);
    expect(quotas.map(({ job: { jobId }, limit }) => [jobId, limit])).toEqual([
      ['a1', 2],
      ['a2', 2],
      ['a3', 2],
      ['b1', 6],
    ]);
  });

  test('go to others if a tenant has no room for its share', () => {
    const due = [job('a', 'a1'), job('b', 'b1')];
    const quotas = new Shares().share(due, 10, (tenantId) => (tenantId === 'a' ? 1 : Infinity));
    expect([slotsOf(quotas, { tenantId: 'a' }), slotsOf(quotas, { tenantId: 'b' })]).toEqual([1, 9]);
  });

  test('of a job are no more than its limits', () => {
    const due = [job('a', 'a1', { maxConcurrency: 2 }), job('a', 'a2', { maxPerSecond: 3 }), job('a', 'a3')];
    const quotas = new Shares().share(due, 30, unlimited);
    expect(['a1', 'a2', 'a3'].map((jobId) => slotsOf(quotas, { jobId }))).toEqual([2, 3, 25]);
  });

  test('are given in turns if there are fewer than tenants', () => {
    const due = ['a', 'b', 'c'].map((tenantId) => job(tenantId, `${tenantId}1`));
    const shares = new Shares();
    const served = [1, 2, 3, 4].map(() => shares.share(due, 1, unlimited).map(({ job: { tenantId } }) => tenantId));
    expect(served).toEqual([['a'], ['b'], ['c'], ['a']]);
  });

  test('are never more than there are, nor more than a tenant has room for, and none is left while one has room', () => {
    const tenants = fc.array(fc.record({ jobs: fc.integer({ min: 1, max: 5 }), room: fc.nat(20) }), { maxLength: 8 });
    fc.assert(
      fc.property(tenants, fc.integer({ min: 1, max: 60 }), (list, slots) => {
        const due = list.flatMap(({ jobs }, n) => Array.from({ length: jobs }, (_, j) => job(`t${n}`, `t${n}j${j}`)));
        const roomOf = (tenantId: string): number => list[Number(tenantId.slice(1))]?.room ?? 0;
        const quotas = new Shares().share(due, slots, roomOf);
        const rooms = list.reduce((sum, { room }) => sum + room, 0);
        expect(slotsOf(quotas, {})).toBe(Math.min(slots, rooms));
        for (const [n, { room }] of list.entries())
          expect(slotsOf(quotas, { tenantId: `t${n}` })).toBeLessThanOrEqual(room);
      }),
    );
  });
});
