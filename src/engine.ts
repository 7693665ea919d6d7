// The composition root: the one file that knows every module. Everything the library, the commands and the HTTP API do
// goes through what is put together here.
import type { Maker, Viewer } from './access/index.ts';
import {
  IDENTITIES,
  accessVerbs,
  allows,
  createKeySets,
  ownOrder,
  ownVerbs,
  recordSignIns,
  refuseEndUser,
  touchApiKeys,
} from './access/index.ts';
import { anchorLoop, readAnchors, sealCheckLoop, verifyChains } from './audit/index.ts';
import { openChains } from './engine-chains.ts';
import { CHECKS, VERIFIED } from './engine-checks.ts';
import type { Transaction } from './db/index.ts';
import { partitionLoop, readLiveClock as readClock } from './db/index.ts';
import type { AddCloser } from './engine-open.ts';
import { closingOnFailure, openParts, requireOptions } from './engine-open.ts';
import { payoutParts } from './engine-payouts.ts';
import { openWorkers } from './engine-workers.ts';
import { authentication } from './engine-sessions.ts';
import { sequencerLoop } from './events/index.ts';
import { jobVerbs, jobsByClock, matcherLoop, rescuerLoop } from './jobs/index.ts';
import type { Caller, Clock } from './kernel/index.ts';
import {
  allOf,
  callerOf,
  createLoop,
  describeError,
  extended,
  lazyVerbs,
  LIBRARY,
  namedCaller,
  refuse,
} from './kernel/index.ts';
import type { DryContext, ReadClock, VerbContext } from './ledger/index.ts';
import {
  accountRefs,
  batchesOf,
  dryRun,
  importOpeningBalances,
  insideDryRun,
  integrityLoop,
  ledgerVerbs,
  listFreezes,
  openTenant,
  ownTransactions,
  reporterOf,
  underKey,
  verify,
  withJournal,
  withinForeign,
  withoutKey,
} from './ledger/index.ts';
import {
  TickRecorder,
  alertVerbs,
  alertsLoop,
  archiveAll,
  clockVerbs,
  clocksLoop,
  createMeters,
  createMonitoring,
  cronRunVerbs,
  encryptStored,
  loopIdleMs,
  noticesTo,
  operatingVerbs,
  retentionLoop,
  sightOf,
} from './ops/index.ts';
import { notificationVerbs, unsubscribeVerbs } from './notifications/index.ts';
import { createOutbound } from './outbound/index.ts';
import type { PaymentOrder } from './payments/index.ts';
import {
  CreateGroup,
  DEFAULT_BOUNDS,
  backlog,
  guardOutgoing,
  paymentVerbs,
  paymentsByClock,
  processorLoop,
  readTexts,
} from './payments/index.ts';
import { createWakeUps } from './queue/index.ts';
import { chainVerbs } from './rails/index.ts';
import {
  allowanceRetry,
  OWNER_RULES,
  forgetTexts,
  importSubscriptions,
  lookAheadLoop,
  lookAheadOfClock,
  pacedCharges,
  pacesOf,
  recurringVerbs,
  schedulerLoop,
  stopAllowances,
  schedulesByClock,
} from './schedules/index.ts';
import type { Tenant } from './tenants/index.ts';
import { findTenant, listTenants, once, passingClock, standingClock } from './tenants/index.ts';
import { webhookVerbs } from './webhooks/index.ts';
import type {
  CreatingVerbs,
  DryRuns,
  Engine,
  EventReads,
  KeyedVerbs,
  TenantHandle,
  TenantVerbs,
  EngineOptions,
} from './engine-types.ts';

export * from './engine-exports.ts';

const ACCOUNT_HOOKS = { guardiansRemoved: stopAllowances, forgetTexts };
const DAY_MS = 24 * 3_600_000;

export const createEngine = (given: EngineOptions = {}): Promise<Engine> =>
  closingOnFailure((addCloser) => openEngine(given, addCloser));

async function openEngine(given: EngineOptions, addCloser: AddCloser): Promise<Engine> {
  const meters = createMeters();
  const ticks = new TickRecorder((error) => {
    meters.runNotRecorded();
    given.onNotice?.(`cron_runs could not be written, and is tried again: ${describeError(error)}`);
  });
  const wakeUps = createWakeUps({ ...given, meter: meters.wakeUps });
  const loopObserver = allOf(meters.loops, ticks.observer, wakeUps.loops, given.loops ?? {});
  const options = { ...given, onNotes: meters.noted, loops: loopObserver };
  requireOptions(given);
  const outbound = createOutbound(given.outbound);
  const retries = { allowance: allowanceRetry(given.allowances ?? {}) };
  const paces = pacesOf(options.subscriptionCrons ?? {});
  const { host, store, secrets } = await openParts({ ...options, onNotes: wakeUps.onCommit(meters.noted) });
  const { db } = store;
  addCloser(() => Promise.all([store.close(), host?.close()]));
  const chains = openChains(options, store.url);
  addCloser(chains.close);
  wakeUps.connect(store);
  addCloser(() => wakeUps.close());
  if (options.recordRuns) ticks.writeTo(db);
  const { approvalWithinMs = DEFAULT_BOUNDS.approvalWithinMs } = options;
  const { poisoned, setAside } = noticesTo(options.onNotice);
  const lookingAhead = { horizonMs: options.shortfallHorizonMs ?? 3 * DAY_MS, paces, onSetAside: setAside('account') };
  const settling = {
    ownerRules: OWNER_RULES,
    executionsPerSecond: options.executionsPerSecond ?? null,
    simulateFailures: options.simulateFailures ?? 0,
    onPoisoned: poisoned('payment'),
    ...(paces.processor ? { paced: pacedCharges(paces.processor) } : {}),
  };
  const payouts = payoutParts(db, chains, options, { ...settling, readClock, setAside });
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds, approvalWithinMs, retries, ...payouts.bounds };
  const realClock = (): Promise<Clock> => readClock(db);
  const onKeysNotice = (error: unknown) =>
    given.onNotice?.(`a key set could not be refreshed: ${describeError(error)}`);
  const keySets = createKeySets(db, outbound, { readClock: realClock, onNotice: onKeysNotice });
  const retentionMs = options.metricsRetentionMs ?? 2 * DAY_MS;
  const isListening = (): boolean => wakeUps.isListening;
  const monitoring = createMonitoring(db, meters, { readClock: realClock, isListening, retentionMs });
  const metrics = createLoop(monitoring.loop, options.loops);
  const reads: EventReads = {
    accountRefs: (accounts) => accountRefs(db, accounts),
    paymentTexts: (payments) => readTexts(db, payments),
  };
  const { worker, builtIn } = openWorkers(db, options, {
    host,
    url: () => store.url,
    onEnded: meters.executed,
    secrets,
    outbound,
    reads,
    setAside,
  });
  // A job can be created for them as soon as the engine is there.
  if (worker.processors.length > 0) await worker.announce();
  const definitions = [
    processorLoop(db, { ...options.processor, ...settling, readClock, onBatch: meters.settled }),
    ...payouts.loops,
    schedulerLoop(db, {
      ...options.scheduler,
      paces,
      readClock,
      bounds,
      onPoisoned: poisoned('schedule'),
      onTenantSetAside: setAside('tenant'),
    }),
    // In the order of one instant: what makes payments comes before payments, and jobs run on what happened.
    clocksLoop(db, {
      ...options.clocks,
      works: [
        schedulesByClock(bounds, { paces, onPoisoned: poisoned('schedule') }),
        paymentsByClock(settling),
        payouts.byClock,
        jobsByClock(),
      ],
      onTrouble: setAside('testClock', 'test clock'),
      onArrived: (tx, clock) => lookAheadOfClock(tx, clock, lookingAhead),
    }),
    lookAheadLoop(db, { ...lookingAhead, readClock }),
    sequencerLoop(db),
    matcherLoop(db, options.matcher),
    worker,
    ...builtIn,
    rescuerLoop(db, {
      missingProcessorMs: options.missingProcessorMs,
      onSetAside: (kind, id, error) => setAside(kind)(id, error),
    }),
    integrityLoop(db, CHECKS, realClock, (account, check, error) =>
      setAside('account', `the check ${check} of account`)(account, error),
    ),
    alertsLoop(db, { onTrouble: setAside('tenant', 'the alerts of tenant') }),
    partitionLoop(db),
    encryptStored(db, secrets, options.onNotice),
    sealCheckLoop(db, reporterOf(db, realClock, 'events-are-as-sealed')),
    retentionLoop(
      db,
      {
        ...options.retention,
        onSetAside: setAside('payment'),
        onEventSetAside: setAside('event', 'the erasure of event'),
      },
      realClock,
    ),
    anchorLoop(db, options.anchors ?? {}, async () => (await readClock(db)).now),
  ];
  const polled = definitions.map((one) => ({ ...one, pollMs: options.pollMs ?? one.pollMs }));
  const loops = [...polled.map((definition) => createLoop(definition, options.loops)), metrics];
  let keepsMetrics = false;
  const group = new CreateGroup(db, { readClock, bounds, maxGroup: options.maxGroup ?? 256 });

  interface VerbScope {
    readonly context: VerbContext;
    readonly maker: Maker;
    readonly sight: ReturnType<typeof sightOf>;
  }
  const verbsOf = lazyVerbs<VerbScope, TenantVerbs>([
    ({ context }) => ledgerVerbs(context, guardOutgoing(context.caller), ACCOUNT_HOOKS),
    ({ context }) => paymentVerbs(context, bounds, OWNER_RULES),
    ({ context }) => recurringVerbs(context, bounds, { paces }),
    ({ context }) => jobVerbs(context),
    ({ context }) => webhookVerbs(context, { checkUrl: outbound.checkUrl }),
    ({ context }) => notificationVerbs(context, outbound, options.notifications),
    ({ context, sight }) => operatingVerbs(context, bounds, { ...options, charges: paces.processor, sight }),
    ({ context }) => ({ ...cronRunVerbs(context), ...clockVerbs(context), ...alertVerbs(context) }),
    ({ context, maker }) => accessVerbs(context, maker, { reserved: options.jwt ?? null, checkUrl: outbound.checkUrl }),
    ({ context }) => payouts.verbs(context),
  ]);

  const handle = (
    tenant: Tenant,
    caller: Caller,
    { maker = null, viewer = null, inside }: { maker?: Maker; viewer?: Viewer | null; inside?: Transaction } = {},
  ): TenantHandle => {
    const isTest = tenant.kind === 'test';
    const clockOf: ReadClock = isTest ? (sql) => standingClock(sql, tenant.id) : readClock;
    const own: DryContext = {
      tenantId: tenant.id,
      caller,
      identities: IDENTITIES,
      secrets,
      hasTestClock: isTest,
      moment: async (sql) => (isTest ? await passingClock(sql, tenant.id) : null) ?? readClock(sql),
      ...(inside ? insideDryRun(inside, clockOf) : ownTransactions(db, clockOf)),
    };
    const sight = sightOf((of) => maker === null || allows(maker.allowed, `${of}:read`));
    const names = { id: tenant.id, name: tenant.name, subject: viewer?.accountId ?? null };
    const verbs = (context: VerbContext): TenantVerbs => {
      const every = verbsOf({ context, maker, sight }, names);
      return viewer ? ownVerbs(every, viewer) : every;
    };
    const ordered = (order: PaymentOrder): PaymentOrder => (viewer ? ownOrder(order, viewer) : order);
    const keyedIn =
      (context: VerbContext): KeyedVerbs['idempotently'] =>
      (request, work) =>
        context.runUntimed((tx) =>
          once(
            tx,
            { tenantId: tenant.id, actor: caller.scope, ...request },
            (inner) => underKey(context, inner, clockOf, verbs, work),
            secrets,
          ),
        );
    const imported = <T>(order: T) => (viewer ? refuseEndUser() : { ...order, tenantId: tenant.id, caller });
    const idempotently = keyedIn(own);
    const inTransactionOf = (context: VerbContext): Pick<KeyedVerbs, 'inTransaction'> => ({
      inTransaction: (work) => context.runUntimed((tx) => underKey(context, tx, clockOf, verbs, work)),
    });
    // Grouping commits a transaction of its own, so it is not for a test tenant's time nor for the caller's transaction.
    const createPaymentAlone =
      (keyed: KeyedVerbs['idempotently']): KeyedVerbs['createPaymentGrouped'] =>
      (request, given, answer) => {
        const order = ordered(given);
        return keyed(request, async (inner) => {
          const payment = await inner.createPayment({ ...order, idempotencyKey: request.key });
          const parties = [payment.payerId, ...payment.legs.map((leg) => leg.accountId)];
          return answer(payment, await inner.accountRefs(parties));
        });
      };
    const ungrouped = (context: VerbContext): CreatingVerbs => {
      const inner = verbs(context);
      return extended(inner, { createPaymentGrouped: createPaymentAlone(withoutKey(inner)) });
    };
    const dryIn = (context: DryContext): DryRuns => ({
      dryRun: (work) => dryRun(context, clockOf, ungrouped, work, viewer),
    });
    const within = (context: DryContext): TenantVerbs & KeyedVerbs & DryRuns => {
      const keyed = { idempotently: keyedIn(context), ...inTransactionOf(context) };
      const createPaymentGrouped = createPaymentAlone(keyed.idempotently);
      return extended(verbs(context), { ...keyed, createPaymentGrouped, ...dryIn(context) });
    };
    const beyondVerbs: Omit<TenantHandle, keyof TenantVerbs> = {
      from: (origin) => handle(tenant, callerOf({ ...origin, actor: caller.actor }, caller), { maker, viewer }),
      within: (foreign) => withinForeign(own, foreign, clockOf, options, within),
      idempotently,
      ...dryIn(own),
      ...inTransactionOf(own),
      createPaymentGrouped: isTest
        ? createPaymentAlone(idempotently)
        : async (request, given, answer) => {
            const scope = { tenantId: tenant.id, actor: caller.scope, ...request };
            const order = ordered(given);
            const ownRef = viewer && new Map([[viewer.accountId, viewer.ref]]);
            return group.submit({ scope, caller, order, answer: (payment, refs) => answer(payment, ownRef ?? refs) });
          },
      importOpeningBalances: async (order) =>
        importOpeningBalances(own.sql, clockOf, await imported(order), batchesOf(own, db, order)),
      importSubscriptions: async (order) =>
        importSubscriptions(db, clockOf, await imported(order), batchesOf(own, db, order)),
    };
    return extended(verbs(own), beyondVerbs);
  };

  return {
    db,
    store: store.facts,
    get databaseUrl() {
      return store.url;
    },
    migrated: store.migrated,
    monitoring,
    unsubscribe: unsubscribeVerbs(db, secrets),
    wakeUps,
    jobWorker: worker,
    loops,
    async createTenant(order, caller = LIBRARY) {
      const by = namedCaller(caller);
      return handle(await db.transaction(async (tx) => openTenant(tx, await readClock(tx), by, order)), by);
    },
    async dryRunTenant(order, work, caller = LIBRARY) {
      const by = namedCaller(caller);
      return ownTransactions(db, readClock).rolledBack(async (tx) => {
        const made = await openTenant(tx, await readClock(tx), by, order);
        return withJournal(tx, made.id, await work(handle(made, by, { inside: tx }), made));
      });
    },
    tenants: () => listTenants(db),
    async tenant(idOrName, caller = LIBRARY) {
      const tenant = await findTenant(db, idOrName);
      return tenant ? handle(tenant, namedCaller(caller)) : refuse('TENANT_NOT_FOUND/unknown', { tenant: idOrName });
    },
    ...authentication(db, options, { keySets, handle, readClock: realClock }),
    recordSignIns: async (accepted, refused) => recordSignIns(db, await readClock(db), accepted, refused),
    touchApiKeys: (uses) => touchApiKeys(db, uses),
    createLoop: (definition) => createLoop(definition, options.loops),
    accountRefs: (accounts) => accountRefs(db, accounts),
    loopIdleMs: (name) => loopIdleMs(db, name),
    backlog: async () => backlog(db, (await readClock(db)).now),
    async verify(onChecked, { anchors = null } = {}) {
      const books = await verify(db, VERIFIED, onChecked);
      const more = [await payouts.verify(), ...(await verifyChains(db, { anchors }))];
      for (const one of more) onChecked?.(one);
      return [...books, ...more];
    },
    anchors: async () => readAnchors(db, (await readClock(db)).now),
    chains: { ...chainVerbs({ sql: db }), sandbox: chains.sandbox },
    freezes: ({ activeOnly = true } = {}) => listFreezes(db, { activeOnly }),
    archive: async (order) => archiveAll(db, await readClock(db), { ...order, caller: namedCaller(order.caller) }),
    start(names) {
      for (const loop of loops) if (!names || names.includes(loop.name)) wakeUps.start(loop);
      keepsMetrics ||= !names || names.includes(metrics.name);
    },
    async close() {
      await Promise.all(loops.map((loop) => loop.stop()));
      // What was counted since the last time; a database that is away is no reason not to end.
      if (keepsMetrics && (await monitoring.answers())) await metrics.runOnce().catch(() => undefined);
      outbound.close();
      await Promise.all([chains.close(), keySets.settle()]);
      await ticks.finish();
      await wakeUps.close();
      await store.close();
    },
  };
}
