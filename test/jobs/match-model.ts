// Random histories: appending, ordering, matching, backfilling, creating, disabling, enabling, deleting and completing, several at the same
// time. Whatever the interleaving, an enabled job has one execution for each event behind its beginning that its pattern names, no job has
// two for one event, and none has one for an event before its first beginning.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job, TenantHandle } from '../../src/engine.ts';
import { subscribes } from '../../src/events/index.ts';
import { createMatcher } from '../../src/jobs/match.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import type { Store, Type } from './matcher.ts';
import { appended, completeAll, createJob, freshTenant, matchAll, order, seqsOf } from './matcher.ts';

const TYPES: readonly Type[] = ['tenant.updated', 'execution_cap.set'];
const PATTERNS = ['*', 'tenant.*', '*.set', 'execution_cap.set', 'job.updated'];
const SIZES = { events: 3, executions: 4, tenants: 1, page: 2 };

type Step =
  | { readonly kind: 'append'; readonly types: readonly number[] }
  | { readonly kind: 'create'; readonly pattern: number; readonly share: number }
  | { readonly kind: 'order' | 'match' | 'backfill' | 'complete' }
  | { readonly kind: 'enable' | 'disable' | 'delete'; readonly job: number };

const few = (most: number): fc.Arbitrary<number> => fc.nat({ max: most });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('append'), types: fc.array(few(1), { minLength: 1, maxLength: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create'), pattern: few(4), share: few(4) }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constantFrom('order', 'match', 'match', 'backfill', 'complete') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('enable', 'disable', 'delete'), job: few(5) }) },
) as fc.Arbitrary<Step>;

interface Made {
  readonly job: Job;
  /** Where it began first: no event up to here is its own. */
  readonly begins: number;
}

async function run({ usance, owner }: Store, tenant: TenantHandle, jobs: Made[], one: Step): Promise<unknown> {
  const matcher = createMatcher(usance.db, SIZES);
  switch (one.kind) {
    case 'append':
      return appended(usance, tenant.id, ...one.types.map((type) => TYPES[type] as Type));
    case 'order':
      return order(usance);
    case 'match':
      return matcher.match();
    case 'backfill':
      return matcher.backfill();
    case 'complete':
      return completeAll(owner);
    case 'create': {
      // From the end, or from a fifth, two fifths … of it.
      const end = await tenant.lastEventSeq();
      const begin = one.share === 4 ? {} : { after: (end * BigInt(one.share)) / 5n };
      const job = await createJob(owner, tenant, PATTERNS[one.pattern], begin);
      return jobs.push({ job, begins: Number(job.afterSeq) });
    }
    default: {
      const id = jobs[one.job]?.job.id ?? '';
      if (one.kind === 'delete') return refusalOf(tenant.deleteJob(id));
      return refusalOf(tenant.updateJob(id, { enabled: one.kind === 'enable' }));
    }
  }
}

export function matchModel(size: { readonly numRuns: number; readonly seed?: number }): void {
  const store = useUsance({ poolSize: 12 });

  test('each job has each of its events once, whatever happens at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 14 }),
        async (rounds) => {
          const tenant = await freshTenant(store.usance);
          const jobs: Made[] = [];
          for (const round of rounds) await Promise.all(round.map((one) => run(store, tenant, jobs, one)));
          await order(store.usance);
          await matchAll(store.usance, SIZES);
          const events = await tenant.events({}, { limit: 10_000 });
          const live = new Map((await tenant.jobs()).map((job) => [job.id, job]));
          for (const { job, begins } of jobs) {
            const now = live.get(job.id);
            const seqs = await seqsOf(store.owner, job);
            expect(new Set(seqs).size, 'one execution for an event').toBe(seqs.length);
            expect(
              seqs.filter((seq) => seq <= begins),
              'nothing of before',
            ).toEqual([]);
            if (!now?.enabled) continue;
            const wanted = events.filter(({ seq, type }) => seq > now.afterSeq && subscribes(now.eventPattern, type));
            expect(seqs.filter((seq) => seq > Number(now.afterSeq))).toEqual(wanted.map(({ seq }) => Number(seq)));
          }
          await store.owner.query('update usance.jobs set enabled = false where tenant_id = $1::uuid', [tenant.id]);
        },
      ),
      size,
    );
    await store.owner.query('update usance.jobs set enabled = true where deleted_at is null');
    const wrong = (await troubles(store.usance)).filter((line) => !line.startsWith('jobs-are-told'));
    expect(wrong).toEqual([]);
  });
}
