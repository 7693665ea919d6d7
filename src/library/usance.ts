// The library: `createUsance`, its tenants, and the resources of each. Everything it does is an operation of the contract
// (call.ts) or a part of the engine that has no route: loops, verification, imports.
import type { Tenant as TenantShown } from '../client/index.ts';
import type {
  Anchor,
  CheckResult,
  Engine,
  ForeignTransaction,
  ImportOrder,
  ImportReport,
  SubscriptionImport,
  SubscriptionImportReport,
  Tenant as TenantRow,
  TenantHandle,
  UsanceOptions,
} from '../engine.ts';
import { createEngine, formatCursor } from '../engine.ts';
import type { CallerOrder } from '../kernel/index.ts';
import { Refusal, SetupError, toTypeId, tooOldNode } from '../kernel/index.ts';
import type { More, Target } from './call.ts';
import { addResources } from './call.ts';
import { ensureAccount, ensureAsset } from './ensure.ts';
import type { EnsureAccount, EnsureAsset } from './ensure.ts';
import type { FollowEvents } from './follow.ts';
import { createFollow } from './follow.ts';
import type { Resources } from './resources.ts';
import { sayIfLeftRunning } from './left-running.ts';
import type { WaitForClock } from './wait.ts';
import { createRequireLoop, createWaitForClock } from './wait.ts';

/** The resources of a tenant that also work inside your transaction. */
export interface TenantResources extends Omit<Resources, 'tenants' | 'assets' | 'accounts'> {
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
}

/** One tenant, with the resources of the HTTP API. */
export interface Tenant extends Omit<TenantResources, 'accounts' | 'events' | 'testClocks' | 'subscriptions'> {
  /** TypeID, `ten_…`. */
  readonly id: string;
  /** Its unique name. */
  readonly name: string;
  /** Holders of balances, with deposits, withdrawals, statements and forecasts. */
  readonly accounts: TenantResources['accounts'] & {
    /** Imports opening balances of another system. Run it again after a crash: imported lines are skipped. */
    importBalances(params: Omit<ImportOrder, 'tenantId' | 'caller'>): Promise<ImportReport>;
  };
  /** Every change, in order. */
  readonly events: TenantResources['events'] & {
    /** Events in order, then each new event, until the loop is left or the signal aborts. Requires a running `sequencer` loop. */
    readonly follow: FollowEvents;
  };
  /** The time of a test tenant, advanced by request. */
  readonly testClocks: TenantResources['testClocks'] & {
    /** Resolves once an advance has ended. Throws a SetupError if no process runs the loop `clocks`: call `usance.start()`. */
    readonly wait: WaitForClock;
  };
  /** Accounts that are charged by a plan. */
  readonly subscriptions: TenantResources['subscriptions'] & {
    /** Imports subscriptions of another system with their next due date. Checks every line before it writes anything; run it again after a crash. */
    import(params: Omit<SubscriptionImport, 'tenantId' | 'caller'>): Promise<SubscriptionImportReport>;
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
  readonly tenants: {
    /** Creates a tenant. Default kind: `live`. */
    create(params: TenantParams): Promise<Tenant>;
    /** Creates the tenant, or returns it if its name exists. Refused with `TENANT_EXISTS` if it is of another kind: live or test. */
    ensure(params: TenantParams): Promise<Tenant>;
    /** All tenants, oldest first. */
    list(): Promise<readonly TenantShown[]>;
  };
  /** A tenant by name or id. Changes are recorded in the audit log as made by `caller`; default `library`. */
  tenant(nameOrId: string, caller?: CallerOrder): Promise<Tenant>;
  /** Starts the background loops in this process: all of them, or the named ones. Without them due payments are not executed. */
  start(loops?: readonly string[]): void;
  /**
   * The address of the database in use, with its password. For the embedded server: valid until `close`, and its role may create tables
   * in the schema `public`.
   */
  readonly databaseUrl: string;
  /** Whether this process runs background loops. */
  readonly started: boolean;
  /** Checks every invariant of the books and the hash chain of the audit log, against anchors if given. */
  verify(options?: VerifyOptions): Promise<CheckResult[]>;
  /** The engine behind the HTTP API and the commands. Not a stable interface. */
  readonly engine: Engine;
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

/** A new tenant. */
export interface TenantParams {
  /** 1 to 100 of a–z, 0–9, dot, dash and underscore. */
  readonly name: string;
  /** `test`: its time is a test clock that you advance. Default `live`. */
  readonly kind?: 'live' | 'test';
}

/** Opens the store (your PostgreSQL, or an embedded server if no `databaseUrl` is given) and returns the library. */
export async function createUsance(options: UsanceOptions = {}): Promise<Usance> {
  const trouble = tooOldNode(process.versions.node);
  if (trouble !== null) throw new SetupError(trouble);
  const engine = await createEngine(options);
  const left = sayIfLeftRunning(engine.store);
  const state = { started: false };
  const requireLoop = createRequireLoop(engine, () => state.started);
  const tenantOf = (handle: TenantHandle): Tenant => {
    const tenant = resourcesOf(handle, {
      accounts: () => ({ importBalances: handle.importOpeningBalances }),
      events: (events: Resources['events']) => ({
        follow: createFollow(events, requireLoop, async () => formatCursor(await handle.lastEventCursor()), engine),
      }),
      testClocks: (clocks: Resources['testClocks']) => ({ wait: createWaitForClock(clocks, requireLoop) }),
      subscriptions: () => ({ import: handle.importSubscriptions }),
    }) as unknown as Tenant;
    return Object.assign(tenant, {
      id: toTypeId('tenant', handle.id),
      name: handle.name,
      within: (transaction: ForeignTransaction) => resourcesOf(handle.within(transaction) as Target, {}),
    });
  };
  const create = async (params: TenantParams): Promise<Tenant> => tenantOf(await engine.createTenant(params));
  return {
    engine,
    tenants: {
      create,
      async ensure(params) {
        try {
          return await create(params);
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'TENANT_EXISTS')) throw error;
          const existing = (await engine.tenants()).find(({ name }) => name === params.name);
          if (existing && existing.kind !== (params.kind ?? 'live')) throw error;
          return tenantOf(await engine.tenant(params.name));
        }
      },
      list: async () => (await engine.tenants()).map(shown),
    },
    tenant: async (nameOrId, caller) => tenantOf(await engine.tenant(nameOrId, caller)),
    start(loops) {
      engine.start(loops);
      state.started = true;
    },
    get databaseUrl() {
      return engine.databaseUrl;
    },
    get started() {
      return state.started;
    },
    verify: ({ anchors, onChecked } = {}) => engine.verify(onChecked, anchors ? { anchors } : {}),
    async close() {
      await engine.close();
      left();
    },
  };
}

function resourcesOf(target: Target, more: More): TenantResources {
  const resources = {};
  addResources(resources, target, {
    ...more,
    assets: (assets: Resources['assets']) => ({ ensure: ensureAsset(assets) }),
    accounts: (accounts: Resources['accounts']) => ({
      ...more['accounts']?.(accounts as never),
      ensure: ensureAccount(accounts),
    }),
  });
  return resources as TenantResources;
}

function shown({ id, name, kind, defaultAsset, createdAt }: TenantRow): TenantShown {
  return { id: toTypeId('tenant', id), name, kind, defaultAsset, createdAt: createdAt.toISOString() };
}
