// The library: `createUsance`, its tenants, and the resources of each. Everything it does is an operation of the contract
// (call.ts) or a part of the engine that has no route: loops, verification, imports.
import type { FollowEvents } from '../client/index.ts';
import type { Engine, ForeignTransaction, TenantHandle as EngineTenant } from '../engine.ts';
import { createEngine, formatCursor } from '../engine.ts';
import { toTypeId } from '../kernel/index.ts';
import type { More, Target } from './call.ts';
import { addResources } from './call.ts';
import { requireKnownOptions } from './check-options.ts';
import { ensureAccount, ensureAsset, ensureJob } from './ensure.ts';
import type { EnsureAccount, EnsureAsset, EnsureJob } from './ensure.ts';
import { createFollow } from './follow.ts';
import type { ImportBalances, ImportSubscriptions } from './imports.ts';
import { importBalances, importSubscriptions } from './imports.ts';
import { sayIfLeftRunning } from './left-running.ts';
import type { Anchor, CheckResult } from './reports.ts';
import { readAnchor, shownCheck } from './reports.ts';
import type { Resources } from './resources.ts';
import { createSubscribe } from './subscribe.ts';
import type { SubscribeEvents } from './subscribe.ts';
import type { Tenants } from './tenants.ts';
import { tenantsResource } from './tenants.ts';
import type { UsanceOptions } from './usance-options.ts';
import { engineOptions } from './usance-options.ts';
import type { WaitForClock } from './wait.ts';
import { createRequireLoop, createWaitForClock } from './wait.ts';

/** The resources of a tenant that also work inside your transaction. */
export interface TenantResources extends Omit<Resources, 'tenants' | 'assets' | 'accounts' | 'jobs'> {
  /** Units of money: a code and a scale. */
  readonly assets: Resources['assets'] & {
    /** Creates the asset, or returns it if it exists. */
    readonly ensure: EnsureAsset;
  };
  /** Holders of balances, with deposits, withdrawals, statements and forecasts. */
  readonly accounts: Resources['accounts'] & {
    /** Creates the account, or returns it unchanged if its `ref` exists. */
    readonly ensure: EnsureAccount;
  };
  /** Code that runs on events: a pattern, a processor and a retry policy. */
  readonly jobs: Resources['jobs'] & {
    /** Creates the job, or returns it unchanged if its name exists. */
    readonly ensure: EnsureJob;
  };
}

/** One tenant, with the resources of the HTTP API. */
export interface TenantHandle extends Omit<TenantResources, 'accounts' | 'events' | 'testClocks' | 'subscriptions'> {
  /** TypeID, `ten_…`. */
  readonly id: string;
  /** Its unique name. */
  readonly name: string;
  /** Holders of balances, with deposits, withdrawals, statements and forecasts. */
  readonly accounts: TenantResources['accounts'] & {
    /** Imports opening balances of another system. Run it again after a crash: imported lines are skipped. */
    readonly importBalances: ImportBalances;
  };
  /** Every change, and the events of your application, in order. */
  readonly events: TenantResources['events'] & {
    /** Events in order, then each new event, until the loop is left or the signal aborts. Throws a SetupError if no process runs the loop `sequencer`: call `usance.start()`. */
    readonly follow: FollowEvents;
    /** Runs a handler on the events of a pattern, tracked and retried, as a job with a stable name. Needs `usance.start()`. */
    readonly subscribe: SubscribeEvents;
  };
  /** The time of a test tenant, advanced by request. */
  readonly testClocks: TenantResources['testClocks'] & {
    /** Resolves once an advance has ended. Throws a SetupError if no process runs the loop `clocks`: call `usance.start()`. */
    readonly wait: WaitForClock;
  };
  /** Accounts that are charged by a plan. */
  readonly subscriptions: TenantResources['subscriptions'] & {
    /** Imports subscriptions of another system with their next due date. Checks every line before it writes anything; run it again after a crash. */
    readonly import: ImportSubscriptions;
  };
  /**
   * The same resources inside your own transaction (a client of pg, or the `sql` of postgres.js's `begin` or `reserve`): their
   * changes commit or roll back with it. A refusal undoes its own call and leaves the transaction usable. Your isolation level
   * applies: if it is stricter than `read committed`, a call may throw 40001, and you retry the transaction.
   */
  within(transaction: ForeignTransaction): TenantResources;
}

/** The engine in this process. */
export interface Usance {
  /** Isolated data sets in one database. */
  readonly tenants: Tenants;
  /** A tenant by name or id. Changes are recorded in the audit log as made by `caller`; default `library`. */
  tenant(nameOrId: string, caller?: CallerParams): Promise<TenantHandle>;
  /** Starts the background loops in this process: all of them, or the named ones. Without them due payments are not executed. */
  start(loops?: readonly string[]): void;
  /**
   * The address of the database in use, with its password. For the embedded server: valid until `close`, and its role may create tables
   * in the schema `public`.
   */
  readonly databaseUrl: string;
  /** Whether background loops run in this process: true after `start`, false after `close`. */
  readonly started: boolean;
  /** Checks every invariant of the books and the hash chain of the audit log, against anchors if given. */
  verify(options?: VerifyOptions): Promise<CheckResult[]>;
  /** Stops the loops, lets running work finish, closes the database connections, and stops the embedded server if no other program uses it. */
  close(): Promise<void>;
}

/** Options of `verify`. */
export interface VerifyOptions {
  /** Heads of the hash chains that were stored outside the database. Default: none, so the replacement of a whole chain is not detected. */
  readonly anchors?: readonly Anchor[];
  /** Called after each check. Default: none. */
  readonly onChecked?: (result: CheckResult) => void;
}

/** A caller, as the audit log records it. */
export interface CallerParams {
  /** Its name, 1 to 200 characters, such as `support:jo`. `key`, `user`, `schedule` and `system` are reserved as the first word. */
  readonly actor: string;
  /** The IP address of the caller. Default null. */
  readonly ip?: string | null;
  /** The user agent of the caller; truncated to 200 characters. Default null. */
  readonly userAgent?: string | null;
  /** The id of the request; truncated to 200 characters. Default null. */
  readonly requestId?: string | null;
  /** Why the caller makes the changes: recorded in the audit log with each of them. Up to 500 characters. Default null. */
  readonly reason?: string | null;
}

const ENGINES = new WeakMap<Usance, Engine>();

/** The engine of a library, for tests. */
export function engineOf(usance: Usance): Engine {
  const engine = ENGINES.get(usance);
  if (!engine) throw new TypeError('not made by createUsance');
  return engine;
}

/** Opens the store (your PostgreSQL, or an embedded server if no `databaseUrl` is given) and returns the library. */
export async function createUsance(options: UsanceOptions = {}): Promise<Usance> {
  requireKnownOptions(options);
  return libraryOf(await createEngine(engineOptions(options)));
}

/**
 * The library of an engine that was opened with more options: by a test, or by a command, which closes the engine itself
 * (`closes` false).
 */
export function libraryOf(engine: Engine, { closes = true }: { readonly closes?: boolean } = {}): Usance {
  const left = closes ? sayIfLeftRunning(engine.store) : () => undefined;
  const started = new Set<string>();
  let isClosed = false;
  const requireLoop = createRequireLoop(engine, started);
  const handleOf = (handle: EngineTenant): TenantHandle => {
    const tenant: TenantHandle = resourcesOf(handle, {
      accounts: () => ({ importBalances: importBalances(handle) }),
      events: (events: Resources['events']) => ({
        follow: createFollow(events, requireLoop, async () => formatCursor(await handle.lastEventCursor()), engine),
        subscribe: createSubscribe({ engine, started, isClosed: () => isClosed, tenant: handle, jobs: tenant.jobs }),
      }),
      testClocks: (clocks: Resources['testClocks']) => ({ wait: createWaitForClock(clocks, requireLoop) }),
      subscriptions: () => ({ import: importSubscriptions(handle) }),
    }) as unknown as TenantHandle;
    return Object.assign(tenant, {
      id: toTypeId('tenant', handle.id),
      name: handle.name,
      within: (transaction: ForeignTransaction) => resourcesOf(handle.within(transaction) as Target, {}),
    });
  };
  const usance: Usance = {
    tenants: tenantsResource(engine, handleOf),
    tenant: async (nameOrId, caller) => handleOf(await engine.tenant(nameOrId, caller)),
    start(loops) {
      engine.start(loops);
      for (const { name } of engine.loops) if (!loops || loops.includes(name)) started.add(name);
    },
    get databaseUrl() {
      return engine.databaseUrl;
    },
    get started() {
      return started.size > 0;
    },
    async verify({ anchors, onChecked } = {}) {
      const results = await engine.verify(
        (result) => onChecked?.(shownCheck(result)),
        anchors ? { anchors: anchors.map(readAnchor) } : {},
      );
      return results.map(shownCheck);
    },
    async close() {
      isClosed = true;
      await engine.close();
      started.clear();
      left();
    },
  };
  ENGINES.set(usance, engine);
  return usance;
}

function resourcesOf(target: Target, more: More): TenantResources {
  const resources = {};
  addResources(resources, target, {
    ...more,
    assets: (assets: Resources['assets']) => ({ ensure: ensureAsset(assets) }),
    jobs: (jobs: Resources['jobs']) => ({ ensure: ensureJob(jobs) }),
    accounts: (accounts: Resources['accounts']) => ({
      ...more['accounts']?.(accounts as never),
      ensure: ensureAccount(accounts),
    }),
  });
  return resources as TenantResources;
}
