// The same tests for a small run and for the proof; how many points are tried is the difference.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { TestDatabase } from '../support/database.ts';
import { TEST_KEY, useDatabase } from '../support/database.ts';
import { BOUNDARIES } from './boundaries.ts';
import type { Reference, Stage, Way, World } from './crash.ts';
import { buildStage, crashAt, cutAt, expectLoopGoesOn, observe } from './crash.ts';
import type { Cut } from '../support/proxy.ts';
import type { Scenario } from './ground.ts';
import { IDLE_CHAIN } from './idle-chain.ts';

export interface CrashSize {
  /** Every statement, both ways and both sides of a COMMIT, instead of a third of them in turns, and all books verified after each. */
  readonly bothWays: boolean;
  /** Every point of a slow scenario, instead of one in the middle. */
  readonly slowToo: boolean;
}

const WAYS: readonly Way[] = ['process', 'session'];

export const SMALL: CrashSize = { bothWays: false, slowToo: false };
export const FULL: CrashSize = { bothWays: true, slowToo: true };

export function crashSuite(scenarios: Readonly<Record<string, Scenario>>, size: CrashSize): void {
  const store = useDatabase();
  const state: { sound?: Engine } = {};
  beforeAll(async () => {
    state.sound = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      encryption: { key: TEST_KEY },
      chains: IDLE_CHAIN,
    });
  });
  afterAll(() => state.sound?.close());

  describe.each(Object.entries(scenarios))('%s', (name, scenario) => {
    const world = (): World => worldOf(store, state.sound);
    const known: { reference?: Reference } = {};
    // Made ready anew by every test: what was made a minute ago would come to be due.
    const ready = async (): Promise<[World, Stage, Reference]> => {
      const stage = buildStage(world(), scenario);
      return [world(), stage, (known.reference ??= await observe(world(), stage))];
    };
    const points = (count: number): number[] =>
      scenario.slow && !size.slowToo ? [Math.ceil(count / 2)] : Array.from({ length: count }, (_, index) => index + 1);
    // Which third is tried in the small run differs from scenario to scenario.
    const statementsOf = ({ statements }: Reference): number[] => {
      const all = points(statements);
      return size.bothWays || all.length < 4 ? all : all.filter((point) => point % 3 === name.length % 3);
    };
    const sidesOf = (commit: number): readonly Cut[] =>
      size.bothWays ? ['before', 'after'] : [(commit + name.length) % 2 === 0 ? 'before' : 'after'];

    test('sends as many statements as are written down', async () => {
      const [, , { statements }] = await ready();
      const expected = BOUNDARIES[name];
      expect(
        statements,
        `"${name}" sends ${statements} statements, and test/faults/boundaries.ts says ${expected ?? 'nothing'}. The proof tries a ` +
          'crash at each of them as they are now. If the change is meant, write the new number there.',
      ).toBe(expected);
    });

    test('interrupted at any statement leaves what was committed, and is then done once', async () => {
      const [world, stage, reference] = await ready();
      for (const statement of statementsOf(reference)) {
        for (const way of size.bothWays ? WAYS : takingTurns(statement, scenario))
          await crashAt(world, stage, reference, { statement, way, verify: size.bothWays || statement % 5 < 2 });
      }
    });

    test('cut off at COMMIT is all there or not at all, and is then done once', async () => {
      const [world, stage, reference] = await ready();
      for (const commit of points(reference.commits)) {
        for (const when of sidesOf(commit)) await cutAt(world, stage, reference, { commit: commit - 1, when });
      }
    });

    if (!scenario.loop) return;
    test('is done by its loop in the end, whichever statement it lost its session at', async () => {
      const [world, stage, reference] = await ready();
      // The other half was interrupted by the first test.
      const lost = statementsOf(reference).filter((point) => size.bothWays || scenario.slow || isSessions(point));
      for (const statement of lost) await expectLoopGoesOn(world, stage, reference, statement);
    });
  });
}

const isSessions = (statement: number): boolean => Math.floor(statement / 3) % 2 === 1;

/** A loop's lost sessions are left to the test of the loop itself. */
function takingTurns(statement: number, scenario: Scenario): readonly Way[] {
  if (!isSessions(statement)) return ['process'];
  return scenario.loop && !scenario.slow ? [] : ['session'];
}

function worldOf(store: TestDatabase, sound: Engine | undefined): World {
  if (!sound) throw new Error('the engine exists inside tests only');
  return { store, sound };
}
