// Interrupting a scenario at one point and looking at what is left. Three ways to be interrupted:
//
//   process   the process dies before the statement is sent; nothing of it runs on
//   session   the server ends the session before the statement is sent; the process lives on and sees an error
//   commit    the wire is cut at a COMMIT: before the server hears it, or after it committed and before it could say so
//
// What must hold afterwards is the same: exactly what was committed by then is there, the books are right, and whoever
// does it again (a caller with the same key, the next run of a loop) ends with everything done once.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { LoopObserver } from '../../src/kernel/index.ts';
import type { Engine } from '../../src/engine.ts';
import { troubles } from '../support/books.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Cut } from '../support/proxy.ts';
import { startProxy } from '../support/proxy.ts';
import type { Act, Scenario } from './ground.ts';
import { prepareGround } from './ground.ts';
import { digestOf, remember, summaryOf, wipe } from './state.ts';
import type { Victim } from './victim.ts';
import { Died, endSessions, startVictim } from './victim.ts';

export type Way = 'process' | 'session';

export interface World {
  readonly store: TestDatabase;
  /** An engine that nothing happens to. */
  readonly sound: Engine;
}

/** An undisturbed run. */
export interface Reference {
  readonly statements: number;
  readonly commits: number;
  /** Every state that was committed on the way, the first and the last included. */
  readonly states: readonly Record<string, unknown>[];
  readonly final: Record<string, unknown>;
}

/** A scenario made ready, to be played as often as wanted from the same beginning. */
export interface Stage {
  readonly scenario: Scenario;
  /** A new victim, everything else as it was. */
  set(url: string, loops?: LoopObserver): Promise<Play>;
}

interface Play {
  readonly act: Act;
  readonly victim: Victim;
  /** The digest of the beginning. */
  readonly start: Digest;
}

type Digest = Record<string, unknown>;

export function buildStage(world: World, scenario: Scenario): Stage {
  const { owner } = world.store;
  let built: { act: Act; tenantId: string; start: Digest; restore: () => Promise<void> } | null = null;
  const build = async (): Promise<NonNullable<typeof built>> => {
    await wipe(owner);
    const ground = await prepareGround(world.sound, owner);
    const act = await scenario.prepare(ground);
    return { act, tenantId: ground.tenant.id, start: await digestOf(owner), restore: await remember(owner) };
  };
  return {
    scenario,
    async set(url, loops) {
      // What holds a lock is not brought back by rows.
      if (built === null || scenario.slow) built = await build();
      else await built.restore();
      const { act, start, tenantId } = built;
      return { act, start, victim: await startVictim(url, tenantId, loops) };
    },
  };
}

export async function observe(world: World, stage: Stage): Promise<Reference> {
  const { owner, runtimeUrl } = world.store;
  const { act, victim } = await stage.set(runtimeUrl);
  const states = [await summaryOf(owner)];
  let statements = 0;
  let commits = 0;
  const look = async (): Promise<Record<string, unknown>> => {
    const state = await summaryOf(owner);
    if (JSON.stringify(state) !== JSON.stringify(states.at(-1))) states.push(state);
    return state;
  };
  let last = '';
  victim.watch(async (text) => {
    statements += 1;
    if (text === 'commit') commits += 1;
    if (last === 'commit') await look();
    last = text;
  });
  await act.act(victim);
  const final = await look();
  await victim.close();
  await act.mend?.();
  expect(await troubles(world.sound)).toEqual([]);
  expectTold(states);
  if (stage.scenario.tells) expect(toldBetween(states[0], final)).toEqual(stage.scenario.tells);
  // In a caller's own transaction the one commit is the caller's.
  return { statements, commits: Math.max(1, commits), states, final };
}

/** What is a state of something, and no trace of how it came about. */
const STATES = [
  'tenants',
  'assets',
  'accounts',
  'reservations',
  'transfers',
  'payments',
  'refunds',
  'payment_limits',
].concat(['pauses', 'freezes', 'api_keys', 'opening_balances', 'payment_dead_letters', 'execution_dead_letters']);

/** Every change of state has its event, in the same commit. */
function expectTold(states: readonly Record<string, unknown>[]): void {
  states.slice(1).forEach((after, index) => {
    const before = states[index] ?? {};
    const differs = (table: string): boolean => JSON.stringify(after[table]) !== JSON.stringify(before[table]);
    const changed = STATES.filter(differs);
    if (changed.length > 0)
      expect(differs('events'), `${changed.join(', ')} changed, and no event tells of it`).toBe(true);
  });
}

function toldBetween(before: Record<string, unknown> | undefined, after: Record<string, unknown>): object {
  const counts = (state: Record<string, unknown> | undefined) => (state?.['events'] ?? {}) as Record<string, number>;
  const more = Object.entries(counts(after)).map(
    ([type, count]) => [type, count - (counts(before)[type] ?? 0)] as const,
  );
  return Object.fromEntries(more.filter(([, count]) => count > 0));
}

export async function crashAt(
  world: World,
  stage: Stage,
  reference: Reference,
  point: { readonly statement: number; readonly way: Way; readonly verify: boolean },
): Promise<void> {
  const { owner, runtimeUrl } = world.store;
  const { act, victim, start } = await stage.set(runtimeUrl);
  let sent = 0;
  let commits = 0;
  let dead = false;
  let committed = start;
  victim.watch(async (text) => {
    if (dead) throw new Died();
    if ((sent += 1) !== point.statement) {
      if (text === 'commit') commits += 1;
      return;
    }
    if (commits > 0) committed = await digestOf(owner);
    if (point.way === 'session') return endSessions(owner);
    dead = true;
    throw new Died();
  });
  const done = await isDone(act, victim);
  await victim.close();
  await endSessions(owner);
  const where = `${point.way} lost at statement ${point.statement}`;
  const left = await digestOf(owner);
  // Who lives on after the session was lost may have gone on with another.
  const goesOn = point.way === 'session' && (done || stage.scenario.loop !== undefined);
  if (!goesOn) expect(left, `${where}: exactly what was committed by then`).toEqual(committed);
  if (!isSame(left, start)) await expectLeft(world, reference, where, done ? reference.final : null);
  else expect(done, `${where}: nothing was done, and nothing was said`).toBe(false);
  await expectDoneOnce(world, act, reference, where, point.verify);
}

const isSame = (one: Digest, other: Digest): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The wire is cut at commit number `commit` (the first is 0). */
export async function cutAt(
  world: World,
  stage: Stage,
  reference: Reference,
  point: { readonly commit: number; readonly when: Cut },
): Promise<void> {
  const { owner, runtimeUrl } = world.store;
  const proxy = await startProxy(runtimeUrl);
  const { act, victim } = await stage.set(proxy.url);
  const cut = proxy.cutAtCommit(point.when, point.commit);
  const said = await act.act(victim).then(
    () => 'it was done',
    (error: unknown) => String(error),
  );
  const reached = await Promise.race([cut.then(() => true), setTimeout(10_000, false, { ref: false })]);
  expect(reached, `commit ${point.commit + 1} to be sent, but: ${said}`).toBe(true);
  await victim.close();
  await proxy.close();
  await endSessions(owner);
  const alone = reference.commits === 1;
  const lost = point.when === 'before' && !stage.scenario.resumes;
  const must = alone ? (lost ? reference.states[0] : reference.final) : null;
  const where = `cut ${point.when} commit ${point.commit + 1}`;
  await expectLeft(world, reference, where, must ?? null);
  await expectDoneOnce(world, act, reference, where, true);
}

/** A loop that loses its session at a statement does everything in its next runs, without being told. */
export async function expectLoopGoesOn(
  world: World,
  stage: Stage,
  reference: Reference,
  statement: number,
): Promise<void> {
  const { owner, runtimeUrl } = world.store;
  let runs = Promise.withResolvers<void>();
  const ranAgain = (): void => {
    const { resolve } = runs;
    runs = Promise.withResolvers();
    resolve();
  };
  const { act, victim } = await stage.set(runtimeUrl, { ran: ranAgain, failed: ranAgain });
  let sent = 0;
  victim.watch(async () => {
    if ((sent += 1) === statement) await endSessions(owner);
  });
  const loop = victim.usance.loops.find(({ name }) => name === stage.scenario.loop);
  let next = runs.promise;
  loop?.start();
  let state: Record<string, unknown> = {};
  for (let run = 1; run <= 5; run += 1) {
    await next;
    next = runs.promise;
    state = await summaryOf(owner);
    if (JSON.stringify(state) === JSON.stringify(reference.final)) break;
    // It would run again by itself after a pause.
    await loop?.stop();
    loop?.start();
  }
  await victim.close();
  expect(state, `the loop, after its session was lost at statement ${statement}`).toEqual(reference.final);
  await act.mend?.();
  expect(await troubles(world.sound)).toEqual([]);
}

async function isDone(act: Act, victim: Victim): Promise<boolean> {
  return act.act(victim).then(
    () => true,
    () => false,
  );
}

/** One of the states that are committed on the way, or the one that it must be. */
async function expectLeft(
  { store }: World,
  reference: Reference,
  where: string,
  must: Record<string, unknown> | null,
): Promise<void> {
  const left = await summaryOf(store.owner);
  if (must) expect(left, where).toEqual(must);
  else expect(reference.states, where).toContainEqual(left);
}

async function expectDoneOnce(
  { store, sound }: World,
  act: Act,
  reference: Reference,
  where: string,
  verify: boolean,
): Promise<void> {
  const tenant = await sound.tenant('shop');
  await (act.again ?? act.act)({ usance: sound, tenant, url: store.runtimeUrl });
  expect(await summaryOf(store.owner), `${where}, then done again`).toEqual(reference.final);
  await act.mend?.();
  if (verify) expect(await troubles(sound), where).toEqual([]);
}
