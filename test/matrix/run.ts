// Runs cells: makes the rows, lets the actors try the verbs, compares with the oracle and asks for the laws. A verb that is
// refused, or that leaves a row out, leaves it as it was: all such cells of one row share it. Each other cell has a row of its own.
import { inspect, isDeepStrictEqual } from 'node:util';
import type { TenantHandle } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import type { Digest } from '../support/digest.ts';
import { digestOf } from '../support/digest.ts';
import type { Cell, Resource } from './axes.ts';
import { nameOf } from './axes.ts';
import type { BackDated } from './laws.ts';
import { brokenLaws, externalMoney, externalMoneyMoved } from './laws.ts';
import { verdictOf } from './oracle/index.ts';
import type { Verdict } from './oracle/verdict.ts';
import { isEndUser, isLoop, overHttp } from './oracle/verdict.ts';
import { DRIVERS } from './rows/index.ts';
import type { Driver } from './rows/driver.ts';
import type { VerbOf } from './verbs.ts';
import { specOf } from './verbs.ts';
import type { Ground, World, WorldKind } from './world.ts';
import { createWorld, runLoop, send } from './world.ts';

export interface Report {
  readonly cells: number;
  readonly allowed: number;
  readonly refused: number;
  /** Of verbs on many rows, and of loops. */
  readonly leftOut: number;
  /** What the program and the oracle, or the laws, do not agree on. */
  readonly differences: readonly string[];
}

type AnyDriver = Driver<Resource, object>;

const BY_RESOURCE = DRIVERS as unknown as Readonly<Record<Resource, AnyDriver>>;

/** Rows of one world at most: what a digest reads stays small. */
const ROWS_PER_WORLD = 60;

/**
 * Runs on all grounds at once. Each is a database of its own: a loop visits every tenant of its database, and would settle the
 * rows that another cell is about to use.
 */
export async function runCells(grounds: readonly Ground[], cells: readonly Cell[]): Promise<Report> {
  const differences: string[] = [];
  const counts = { allowed: 0, refused: 0, leftOut: 0 };
  for (const cell of cells) counts[countedAs(verdictOf(cell))] += 1;
  const groups = [...Map.groupBy(cells, rowOf).values()].values();
  await Promise.all(
    grounds.map(async (ground) => {
      const worlds = new Worlds(ground, differences);
      for (const group of groups) await runGroup(worlds, group, differences);
      await worlds.close();
    }),
  );
  return { cells: cells.length, ...counts, differences };
}

const countedAs = ({ kind }: Verdict): 'allowed' | 'refused' | 'leftOut' =>
  kind === 'refused' ? 'refused' : kind === 'left out' ? 'leftOut' : 'allowed';

/** A verb that is refused leaves the row as it was, and so does one that leaves it out. */
const changes = (cell: Cell): boolean => isLoop(cell) || countedAs(verdictOf(cell)) === 'allowed';

async function runGroup(worlds: Worlds, group: readonly Cell[], differences: string[]): Promise<void> {
  const unchanging = group.filter((cell) => !changes(cell));
  try {
    if (unchanging.length > 0) await runUnchanging(worlds, unchanging, differences);
  } catch (error) {
    differences.push(`${nameOf(unchanging[0] as Cell)} and others: ${inspect(error)}`);
    await worlds.renew();
  }
  for (const cell of group.filter(changes)) {
    try {
      await runOne(worlds, cell, differences);
    } catch (error) {
      differences.push(`${nameOf(cell)}: ${inspect(error)}`);
      await worlds.renew();
    }
  }
}

const driverOf = ({ resource }: Cell): AnyDriver => BY_RESOURCE[resource];

/** Cells of the same row. */
function rowOf(cell: Cell): string {
  const { resource, state, owner, condition, money } = cell;
  const kind = driverOf(cell).kindOf?.(cell) ?? '';
  return [resource, state, owner, condition, money, kind].join(' | ');
}

/** All on one row, and afterwards everything of the tenant is as before. */
async function runUnchanging(worlds: Worlds, cells: readonly Cell[], differences: string[]): Promise<void> {
  const [first] = cells;
  if (!first) return;
  const world = await worlds.of(first);
  const driver = driverOf(first);
  const row = await driver.make(world, first);
  worlds.made(row, first);
  for (const cell of cells) await secretOf(world, driver, cell, row);
  await world.hold(first.condition);
  const before = await digestOf(world.owner, world.tenant.id);
  for (const cell of cells) {
    const outcome = await outcomeOf(world, driver, cell, row);
    compare(cell, outcome, differences);
  }
  const after = await digestOf(world.owner, world.tenant.id);
  const changed = changedTables(before, after).filter((table) => table !== KEYS || !cells.some(answersPerRow));
  if (changed.length > 0) {
    const names = cells.map((cell) => `    ${nameOf(cell)}`).join('\n');
    differences.push(`a verb that is refused or leaves the row out changed ${changed.join(', ')}; one of\n${names}`);
  }
  await world.lift(first.condition);
  await driver.clear?.(row, world);
}

/** A verb on many rows succeeds though it refuses each or finds none, and remembers its answer. */
const KEYS = 'idempotency_keys';
const ON_MANY: readonly Cell['verb'][] = ['createPayments', 'runPaymentsNow', 'retryDeadLetters', 'discardDeadLetters'];
const answersPerRow = ({ verb }: Cell): boolean => ON_MANY.includes(verb);

const changedTables = (before: Digest, after: Digest): string[] =>
  Object.keys(after).filter((table) => after[table] !== before[table]);

async function runOne(worlds: Worlds, cell: Cell, differences: string[]): Promise<void> {
  const world = await worlds.of(cell);
  const driver = driverOf(cell);
  const row = await driver.make(world, cell);
  worlds.made(row, cell);
  await world.hold(cell.condition);
  const poor = cell.actor === 'key without ledger:money' || isEndUser(cell);
  const before = poor ? await externalMoney(world) : null;
  compare(cell, await outcomeOf(world, driver, cell, row), differences);
  if (before) {
    const moved = externalMoneyMoved(before, await externalMoney(world));
    differences.push(...moved.map((what) => `${nameOf(cell)}: ${what}`));
  }
  await world.lift(cell.condition);
  await driver.clear?.(row, world);
}

function compare(cell: Cell, outcome: string, differences: string[]): void {
  const expected = textOf(verdictOf(cell));
  if (outcome !== expected) differences.push(`${nameOf(cell)}: expected ${expected}, was ${outcome}`);
}

export function textOf(verdict: Verdict): string {
  if (verdict.kind === 'refused') return verdict.code;
  return verdict.kind === 'becomes' ? `becomes ${verdict.status}` : verdict.kind;
}

async function outcomeOf(world: World, driver: AnyDriver, cell: Cell, row: object): Promise<string> {
  const own = cell;
  if (isLoop(cell)) return looped(world, driver, own, row);
  const answered = (answer: unknown): string => driver.answered?.(own, row, answer) ?? 'allowed';
  const call = driver.calls[cell.verb as VerbOf<Resource>];
  const request = overHttp(cell) ? call.http?.(row, own, world) : undefined;
  if (request) {
    const [line, body] = request;
    const answer = await send(world, await secretOf(world, driver, own, row), line, body);
    return answer.status < 400 ? answered(answer.body) : answer.word('code');
  }
  try {
    return answered(await call.by(await handleOf(world, driver, own, row), row, own, world));
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

async function looped(world: World, driver: AnyDriver, cell: Cell, row: object): Promise<string> {
  const status = (): Promise<string> => driver.status?.(cell, row, world) ?? Promise.resolve('');
  const before = await status();
  await runLoop(world.usance, cell.verb as 'processor');
  const after = await status();
  return isDeepStrictEqual(before, after) ? 'left out' : `becomes ${after}`;
}

async function secretOf(world: World, driver: AnyDriver, cell: Cell, row: object): Promise<string> {
  if (isEndUser(cell)) return world.tokenOf(driver.endUser(cell, row));
  const { scope } = specOf(cell.verb);
  return world.secretOf(cell.actor, scope === 'library' ? 'ledger:money' : scope);
}

async function handleOf(world: World, driver: AnyDriver, cell: Cell, row: object): Promise<TenantHandle> {
  if (cell.actor === 'library') return world.tenant;
  const found = await world.usance.authenticate(await secretOf(world, driver, cell, row));
  if (!found) throw new Error(`expected ${cell.actor} to be known`);
  return found.handle;
}

/** Worlds of one row. */
const ONCE: readonly WorldKind[] = ['own test', 'clockless'];

/** The worlds that cells run in: a live tenant and a test tenant, new ones after a while. */
class Worlds {
  readonly #ground: Ground;
  readonly #differences: string[];
  readonly #open = new Map<WorldKind, World>();
  readonly #backDated = new Map<string, number>();
  #rows = 0;

  constructor(ground: Ground, differences: string[]) {
    this.#ground = ground;
    this.#differences = differences;
  }

  async of(cell: Cell): Promise<World> {
    if (this.#rows >= ROWS_PER_WORLD) await this.close();
    const usual = cell.condition === 'test clock' || cell.condition === 'clock advancing' ? 'test' : 'live';
    const kind = driverOf(cell).worldOf?.(cell) ?? usual;
    const open = ONCE.includes(kind) ? undefined : this.#open.get(kind);
    if (open) return open;
    const world = await createWorld(this.#ground, kind);
    this.#open.set(kind, world);
    return world;
  }

  made(row: object, { condition }: Cell): void {
    this.#rows += 1;
    if (condition === 'past expiry' && 'id' in row) this.#backDated.set(String(row.id), Date.now());
  }

  /** After something unforeseen: what is half done stays behind. */
  async renew(): Promise<void> {
    this.#rows = 0;
    this.#open.clear();
    return Promise.resolve();
  }

  async close(): Promise<void> {
    const backDated: BackDated = this.#backDated;
    for (const world of this.#open.values()) this.#differences.push(...(await brokenLaws(world, backDated)));
    await this.renew();
  }
}
