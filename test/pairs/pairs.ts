// Every pair of verbs on one row. One side is stopped before one of its statements, the other runs to its end, or until it
// waits for a lock that the first holds, and then the first goes on. What comes of it must be what comes of one after the
// other, in one of the two orders: the answers, and everything that the store holds afterwards.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Sql } from '../../src/db/index.ts';
import { createEngine } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { remember, summaryOf, wipe } from '../faults/state.ts';
import type { TestDatabase } from '../support/database.ts';
import { useDatabase } from '../support/database.ts';
import type { Stopper } from '../support/race.ts';
import { doneOrWaiting, stopper } from '../support/race.ts';
import type { Noun, Rows, Side, Verb } from './nouns.ts';
import { prepare, runLoop } from './nouns.ts';

export interface Case {
  readonly name: string;
  readonly start: string;
  readonly stopped: Verb;
  readonly other: Verb;
}

/** Both ways, in every start that both verbs are accepted in; if there is none, in one of each. */
export function casesOf({ verbs }: Noun): Case[] {
  const all = Object.entries(verbs);
  return all.flatMap(([name, stopped]) =>
    all.flatMap(([otherName, other]) => {
      const both = stopped.in.filter((start) => other.in.includes(start));
      const starts = both.length > 0 ? both : [...new Set([stopped.in[0], other.in[0]])];
      return starts.flatMap((start) =>
        start === undefined ? [] : [{ name: `${start}: ${name}, stopped for ${otherName}`, start, stopped, other }],
      );
    }),
  );
}

/** The same for the same name, so that a sample is the same everywhere. */
export function numberOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0);
}

export interface Outcome {
  readonly answers: readonly string[];
  readonly state: unknown;
}

export interface Arena {
  /** Makes a start state once; what it returns brings it back, as often as wanted. */
  arrange(noun: Noun, start: string): Promise<Start>;
}

export interface Start {
  /** One after the other: the outcome, and how many statements the side that is to be stopped sent. */
  inTurn(stopped: Verb, other: Verb, first: 'stopped' | 'other'): Promise<{ outcome: Outcome; statements: number }>;
  /** Null where the stopped side ends before it would send its n-th statement. */
  atOnce(stopped: Verb, other: Verb, before: number): Promise<Outcome | null>;
}

export function useArena(): Arena {
  const store = useDatabase();
  const open: Side[] = [];
  const stop = stopper();
  let base = (): Promise<void> => Promise.resolve();
  const arena: { sides?: { stopped: Side; other: Side } } = {};
  beforeAll(async () => {
    await wipe(store.owner);
    const founder = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false });
    const { id } = await founder.createTenant({ name: 'shop' });
    await founder.close();
    const sideOf = async (name: string, hook?: Stopper): Promise<Side> => {
      const usance = await createEngine({
        databaseUrl: store.runtimeUrl,
        migrate: false,
        ...(hook ? { onStatement: (text) => hook.onStatement(text) } : {}),
      });
      const [jo, kim] = [await usance.tenant(id, { actor: 'cli:jo' }), await usance.tenant(id, { actor: 'cli:kim' })];
      const side = { usance, jo, kim, key: (verb: string) => ({ idempotencyKey: `${verb}, ${name}` }) };
      open.push(side);
      return side;
    };
    arena.sides = { stopped: await sideOf('stopped', stop), other: await sideOf('other') };
    await prepare({ ...arena.sides.other, owner: store.owner });
    base = await remember(store.owner);
  });
  afterAll(async () => {
    for (const { usance } of open) await usance.close();
  });
  return {
    async arrange(noun, start) {
      const sides = arena.sides ?? outside();
      await base();
      const rows = await (noun.starts[start] ?? outside())({ ...sides.other, owner: store.owner });
      // Beside the base, which stays.
      const restore = await remember(store.owner, 'start');
      return startOf(store, stop, sides, rows, restore);
    },
  };
}

function startOf(
  { owner }: TestDatabase,
  stop: Stopper,
  sides: { stopped: Side; other: Side },
  rows: Rows,
  restore: () => Promise<void>,
): Start {
  const finish = async (answers: readonly string[], verbs: readonly Verb[]): Promise<Outcome> => {
    const loops = new Set(verbs.flatMap(({ loop }) => loop ?? []));
    // A loop passes by what another transaction holds, and comes again within a second or two.
    if (loops.size > 0) await owner.query(SOON_IS_NOW);
    for (const loop of ['scheduler', 'processor'] as const) if (loops.has(loop)) await runLoop(sides.other, loop);
    return { answers, state: await stateOf(owner) };
  };
  return {
    async inTurn(stopped, other, first) {
      await restore();
      const statements = stop.count();
      const act = {
        stopped: () => answerOf(stopped.act(sides.stopped, rows)),
        other: () => answerOf(other.act(sides.other, rows)),
      };
      const one = await act[first]();
      const two = await act[first === 'stopped' ? 'other' : 'stopped']();
      const answers = first === 'stopped' ? [one, two] : [two, one];
      return { outcome: await finish(answers, [stopped, other]), statements: statements() };
    },
    async atOnce(stopped, other, before) {
      await restore();
      const { arrived, go } = stop.stopBefore(before);
      const first = answerOf(stopped.act(sides.stopped, rows));
      const isStopped = await Promise.race([arrived.then(() => true), first.then(() => false)]);
      if (!isStopped) {
        stop.stopBefore(Infinity);
        return null;
      }
      const second = answerOf(other.act(sides.other, rows));
      await doneOrWaiting(owner, second);
      go();
      return finish([await first, await second], [stopped, other]);
    },
  };
}

const SOON_IS_NOW = `
  update usance.due set due_at = clock_timestamp() where due_at between clock_timestamp() and clock_timestamp() + interval '5 seconds';
  update usance.schedule_due set due_at = clock_timestamp()
    where due_at between clock_timestamp() and clock_timestamp() + interval '5 seconds'`;

function answerOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : `failed: ${String(error)}`),
  );
}

/** An instant of the run itself is `now`; one that a verb was given is the same in every run. */
const instant = (column: string): string =>
  `case when ${column} between clock_timestamp() - interval '10 minutes' and clock_timestamp() + interval '10 minutes' then 'now' else ${column}::text end`;

const columnsOf = `to_jsonb(t) - array(select attname::text from pg_attribute where attrelid = t.tableoid
  and atttypid = any ('{uuid,timestamptz,timestamp}'::regtype[]))`;

/** What the summary leaves out: every column of the row that the verbs are about, but ids, and instants as above. */
async function stateOf(owner: Sql): Promise<unknown> {
  const [rows] = await owner.query(`
    select (select jsonb_agg(${columnsOf} || jsonb_build_object('executes', ${instant('execute_at')}, 'expires', ${instant('expires_at')},
                             'due', (select ${instant('due_at')} from usance.due d where d.payment_id = t.id))
                     order by reference, t.id) from usance.payments t) as payments,
           (select jsonb_agg(${columnsOf} || jsonb_build_object('due', (select ${instant('due_at')} from usance.schedule_due d where d.schedule_id = t.id))
                     order by t.id) from usance.schedules t) as schedules`);
  return { ...rows, ...(await summaryOf(owner)) };
}

export function isOneOf(outcome: Outcome, serial: readonly Outcome[]): boolean {
  return serial.some((each) => canonical(each) === canonical(outcome));
}

function canonical(outcome: Outcome): string {
  return JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

/** The lines that differ, for a message. */
export function differences(outcome: Outcome, serial: readonly Outcome[]): string {
  const flat = (each: Outcome): Record<string, string> => ({
    answers: each.answers.join(', '),
    ...Object.fromEntries(Object.entries(each.state as object).map(([name, value]) => [name, JSON.stringify(value)])),
  });
  const [got, ...expected] = [outcome, ...serial].map(flat);
  return Object.keys(got ?? {})
    .filter((name) => expected.some((each) => each[name] !== got?.[name]))
    .map((name) => `${name}\n  got ${got?.[name]}\n${expected.map((each) => `  or  ${each[name]}`).join('\n')}`)
    .join('\n');
}

function outside(): never {
  throw new Error('the arena exists inside tests only');
}
