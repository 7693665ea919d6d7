// Deliveries to a receiver that answers in every way, by workers that are killed. What has to hold at the end, whatever happened:
//
//   an endpoint that answers 2xx in the end   has answered 2xx to every one of its events, and all its deliveries are completed
//   one that never does                       has only failed deliveries, and every dead letter is of such an endpoint
//   one that answers 410                      is disabled: what it had not refused by then waits for it
//
// Waits between attempts are cut short by the owner of the database: the schedule itself is tested elsewhere.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { asNumber, asText } from '../../../src/db/index.ts';
import type { Engine, TenantHandle } from '../../../src/engine.ts';
import { toTypeId } from '../../../src/kernel/index.ts';
import type { TestDatabase } from '../../support/database.ts';
import { TEST_KEY } from '../../support/database.ts';
import { troubles } from '../../support/books.ts';
import type { ChaosSink, End } from './sink.ts';
import { ENDPOINTS, openChaosSink } from './sink.ts';

export interface ChaosSizes {
  /** Events of the endpoints that answer soon, and of the others. */
  readonly events: number;
  readonly slowEvents: number;
  readonly workers: number;
  readonly concurrency: number;
  /** Time between two kills, at least; up to twice as long, or until every worker has started. */
  readonly killEveryMs: number;
  /** No more than this many. */
  readonly kills: number;
  readonly hangMs: number;
  readonly seed: number;
  readonly limitMs: number;
}

export interface ChaosReport {
  readonly deliveries: number;
  readonly requests: number;
  readonly kills: number;
  readonly seconds: number;
  readonly mostMemoryMb: number;
}

interface ChaosEndpoint {
  readonly way: string;
  readonly end: End;
  readonly id: string;
  readonly events: number;
}

const [QUICK, SLOW] = ['chaos.quick', 'chaos.slow'];

export async function deliverInChaos(
  { usance, tenant, owner, runtimeUrl }: TestDatabase & { readonly usance: Engine; readonly tenant: TenantHandle },
  sizes: ChaosSizes,
): Promise<ChaosReport> {
  const secrets = new Map<string, string>();
  const sink = await openChaosSink((way) => secrets.get(way) ?? '', sizes.hangMs);
  const crew = new Crew(runtimeUrl, sizes.concurrency);
  try {
    const endpoints = await createEndpoints(tenant, sink, secrets, sizes);
    const ids = {
      [QUICK]: await append(tenant, QUICK, sizes.events),
      [SLOW]: await append(tenant, SLOW, sizes.slowEvents),
    };
    usance.start(['sequencer', 'matcher', 'rescuer']);
    const startedMs = performance.now();
    for (let n = 0; n < sizes.workers; n += 1) crew.start();
    const kills = await killUntilDone(owner, crew, endpoints, sizes);
    const seconds = (performance.now() - startedMs) / 1_000;

    const ended = await endsOf(owner, endpoints);
    expect(ended).toEqual(Object.fromEntries(endpoints.map((endpoint) => [endpoint.way, expectedOf(endpoint, ended)])));
    for (const { way, end, events } of endpoints) {
      if (end !== 'delivered') continue;
      const all = events === sizes.events ? ids[QUICK] : ids[SLOW];
      expect(new Set(sink.accepted.get(way)), way).toEqual(new Set(all));
    }
    expect(sink.wrong).toEqual([]);
    const gone = endpoints.find(({ end }) => end === 'gone');
    expect(await tenant.webhookEndpoint(gone?.id ?? '')).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const letters = await owner.query('select distinct job_id from usance.execution_dead_letters');
    const dead = endpoints.filter(({ end }) => end !== 'delivered').map(({ id }) => id);
    expect(letters.map((row) => asText(row['job_id'])).toSorted()).toEqual(dead.toSorted());
    expect(await troubles(usance)).toEqual([]);
    return {
      deliveries: endpoints.reduce((sum, { events }) => sum + events, 0),
      requests: sink.requests(),
      kills,
      seconds,
      mostMemoryMb: crew.mostMemoryMb,
    };
  } finally {
    await crew.end();
    sink.close();
  }
}

async function createEndpoints(
  tenant: TenantHandle,
  sink: ChaosSink,
  secrets: Map<string, string>,
  { events, slowEvents }: ChaosSizes,
): Promise<ChaosEndpoint[]> {
  const endpoints: ChaosEndpoint[] = [];
  for (const [way, end, isSlow] of ENDPOINTS) {
    const { endpoint, secret } = await tenant.createWebhookEndpoint({
      url: sink.urlOf(way),
      eventPattern: isSlow ? SLOW : QUICK,
      // With ten attempts a delivery that is killed with its worker again and again still has one left.
      retry: end === 'dead' ? 'webhook-quick' : 'webhook',
    });
    secrets.set(way, secret);
    endpoints.push({ way, end, id: endpoint.id, events: isSlow ? slowEvents : events });
  }
  return endpoints;
}

/** The ids of the new events, as deliveries have them. */
async function append(tenant: TenantHandle, type: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const batch = Array.from({ length: Math.min(1_000, count - ids.length) }, (_, n) => ({
      type,
      resource: 'proof',
      resourceId: `r-${ids.length + n}`,
      data: { text: 'x'.repeat(200) },
    }));
    ids.push(...(await tenant.appendEvents(batch)).map(({ id }) => toTypeId('event', id)));
  }
  return ids;
}

/** Kills workers and cuts waits short until every delivery has ended that can end. Returns how many were killed. */
async function killUntilDone(
  owner: TestDatabase['owner'],
  crew: Crew,
  endpoints: readonly ChaosEndpoint[],
  { killEveryMs, kills: mostKills, seed, limitMs }: ChaosSizes,
): Promise<number> {
  let random = seed;
  const next = (below: number): number => (random = (random * 48_271) % 2_147_483_647) % below;
  const untilMs = performance.now() + limitMs;
  const ending = endpoints.filter(({ end }) => end !== 'gone');
  const goal = ending.reduce((sum, { events }) => sum + events, 0);
  let kills = 0;
  for (;;) {
    await pause(killEveryMs + next(killEveryMs));
    await owner.query(`update usance.execution_queue set due_at = now() where worker_id is null and due_at > now()`);
    const counts = await endsOf(owner, ending);
    const ended = Object.values(counts).reduce((sum, { completed, failed }) => sum + completed + failed, 0);
    if (ended >= goal) return kills;
    if (performance.now() > untilMs) throw new Error(`not done in time: ${JSON.stringify(counts)}`);
    // On a crowded machine a process may need longer to start than the time between two kills: none would ever work.
    if (ended === 0 || kills >= mostKills || !crew.isAtWork) continue;
    kills += 1;
    crew.killOne(next);
  }
}

interface Ends {
  readonly completed: number;
  readonly failed: number;
  readonly waiting: number;
}

/** By way. */
async function endsOf(
  owner: TestDatabase['owner'],
  endpoints: readonly ChaosEndpoint[],
): Promise<Readonly<Record<string, Ends>>> {
  const rows = await owner.query(
    `select k.id,
       (select count(*)::int from usance.executions e where e.job_id = k.id and e.status = 'completed') as completed,
       (select count(*)::int from usance.executions e where e.job_id = k.id and e.status = 'failed') as failed,
       (select count(*)::int from usance.execution_queue q where q.job_id = k.id) as waiting
     from unnest($1::uuid[]) k (id)`,
    [endpoints.map(({ id }) => id)],
  );
  const wayOf = new Map(endpoints.map(({ id, way }) => [id, way]));
  return Object.fromEntries(
    rows.map((row) => [
      wayOf.get(asText(row['id'])) ?? '',
      {
        completed: asNumber(row['completed']),
        failed: asNumber(row['failed']),
        waiting: asNumber(row['waiting']),
      },
    ]),
  );
}

function expectedOf({ way, end, events }: ChaosEndpoint, ended: Readonly<Record<string, Ends>>): Ends {
  if (end === 'delivered') return { completed: events, failed: 0, waiting: 0 };
  if (end === 'dead') return { completed: 0, failed: events, waiting: 0 };
  // Those that were under way when it answered 410 first are refused; the others wait.
  const failed = ended[way]?.failed ?? 0;
  expect(failed).toBeGreaterThan(0);
  return { completed: 0, failed, waiting: events - failed };
}

/** The worker processes. */
class Crew {
  readonly #args: readonly string[];
  readonly #workers = new Set<ChildProcess>();
  /** Those that have reported their memory: their loop runs. */
  readonly #started = new WeakSet<ChildProcess>();
  mostMemoryMb = 0;
  #isOver = false;

  constructor(url: string, concurrency: number) {
    this.#args = [join(import.meta.dirname, 'worker-program.ts'), url, TEST_KEY, String(concurrency)];
  }

  start(): void {
    const child = spawn(process.execPath, this.#args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (text: Buffer) => {
      this.#started.add(child);
      for (const line of text.toString().trim().split('\n'))
        this.mostMemoryMb = Math.max(this.mostMemoryMb, Math.round(Number(line) / 2 ** 20));
    });
    this.#workers.add(child);
    child.once('close', () => {
      // One that could not reach the database on a crowded machine is started again, as a supervisor would.
      if (this.#workers.delete(child) && !this.#isOver) this.start();
    });
  }

  get isAtWork(): boolean {
    return [...this.#workers].every((worker) => this.#started.has(worker));
  }

  /** kill -9, and another one starts. */
  killOne(next: (below: number) => number): void {
    const worker = [...this.#workers][next(this.#workers.size)];
    if (worker) this.#workers.delete(worker);
    worker?.kill('SIGKILL');
    this.start();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(
      [...this.#workers].map((worker) => {
        const closed = new Promise((resolve) => worker.once('close', resolve));
        worker.kill('SIGKILL');
        return closed;
      }),
    );
  }
}
