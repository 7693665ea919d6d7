// Every route against everybody who should not get through. The walk is made from the table of routes and their schemas: a
// route that is added is walked at once, and one whose ids it cannot find, or cannot make, fails here until somebody says how.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../src/api/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import type { Scope } from '../../src/engine.ts';
import { SCOPES } from '../../src/engine.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { IdKind } from '../../src/kernel/index.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import type { Sql } from '../../src/db/index.ts';
import { walletKey } from '../../src/rails/index.ts';
import { inSeconds, pair, shared, token } from '../access/tokens.ts';
import { open } from '../support/books.ts';
import { addExecution, addJob } from '../support/jobs.ts';
import { addEndpoint } from '../support/webhooks.ts';
import { addOutage } from '../support/schedules.ts';
import { changedBy } from '../support/digest.ts';
import type { Answer } from './api.ts';
import { at, useApi } from './api.ts';
import type { Place, Sent } from './locks.ts';
import { placesOf, silentPlaces, withName } from './locks.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const routes = Object.entries(ROUTES) as [keyof typeof ROUTES, Route][];
const REFUSED = [401, 403, 404];

/** Paying somebody means naming them: the one thing an end user may say of another. */
const MAY_NAME = ['holds.create body.to', 'holds.create body.to_user'];

/** Texts that name nothing anybody has: a request, the slots of a calendar, a chain, an e-mail address, the template of a kind of e-mail. */
const NOBODYS = [
  'auditEvents.list query.request_id',
  'events.append body.resource_id',
  'events.appendMany body.events.0.resource_id',
  'treasuryWallets.unfreeze params.chain',
  'treasuryWallets.setFloor params.chain',
  'chains.listHistory params.name',
  'payments.resolve body.transaction_id',
  'email.update body.reply_to',
  'emailTemplates.delete params.id',
  'emailTemplates.get params.id',
];

/** `admin` may do what an end user cannot do for themselves, and `sql` what nobody can. */
type Make = (owner: TenantHandle, label: string, admin: TenantHandle, sql: Sql) => Promise<string>;

/** How whoever has this handle comes by one of its own. A new kind of id needs its line here. */
const OBJECTS: Partial<Record<IdKind | 'guardian' | 'junior', Make>> = {
  account: async (owner, label) => owner.subject ?? (await owner.openAccount({ ref: `account-${label}` })).id,
  guardian: async (owner) => owner.subject ?? (await owner.account('alice')).id,
  /** A child of that guardian, who gets an allowance. */
  junior: async (owner, label, admin) => {
    const guardian = owner.subject ?? 'alice';
    const { id } = await admin.openAccount({ ref: `junior-${label}`, guardian });
    const terms = { asset: 'USD', amount: 1, frequency: 'DAILY', status: 'ON' } as const;
    await admin.createAllowance({ guardian, junior: id, ...terms });
    return id;
  },
  payment: async (owner, label) => {
    const order = { from: owner.subject ?? 'alice', to: 'bob', asset: 'USD', amount: 1, delay: '1h' };
    const made = await owner.createPaymentGrouped({ key: label, fingerprint: '' }, order, (payment) => payment.id);
    return made.answer as string;
  },
  pause: async (owner, label) => {
    await owner.pause('rail', label, 'walked');
    return (await owner.pauses()).find((pause) => pause.value === label)?.id ?? '';
  },
  schedule: async (owner, label) => {
    const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 1, zone: 'UTC' };
    return (await owner.createSchedule({ ...order, rule: { frequency: 'MONTHLY' }, idempotencyKey: label })).id;
  },
  quote: async (owner) => {
    const destinations = { sandbox: walletKey('payee').address };
    return (await owner.createQuote({ asset: 'USDC/6', amount: 1_000_000n, destinations })).id;
  },
  payoutDestination: async (owner, label) =>
    (await owner.addPayoutDestination({ chain: 'sandbox', address: walletKey(label).address })).id,
  plan: async (_owner, label, admin) => {
    const terms = { name: label, price: 1, asset: 'USD', receiver: 'bob', charges: 12 };
    return (await admin.createPlan({ ...terms, period: { frequency: 'MONTHLY' } })).id;
  },
  subscription: async (owner, label, admin, sql) => {
    const plan = (await OBJECTS.plan?.(owner, label, admin, sql)) ?? '';
    return (await admin.subscribe({ plan, payer: owner.subject ?? 'alice', idempotencyKey: label })).id;
  },
  outage: async (owner, _label, _admin, sql) => {
    const [waiting] = await owner.outages({ status: 'waiting' });
    return waiting?.id ?? addOutage(sql, owner.id);
  },
  job: async (owner, _label, _admin, sql) => (await addJob(sql, owner)).id,
  execution: async (owner, _label, _admin, sql) => addExecution(sql, await addJob(sql, owner), 'pending'),
  webhookEndpoint: async (owner) => (await addEndpoint(owner)).id,
  notificationChannel: async (owner, label) => {
    const url = 'https://ops.example.com/usance';
    return (await owner.createNotificationChannel({ name: label, kind: 'webhook', url })).channel.id;
  },
  // Of a test tenant alone, and one each: see below.
  testClock: async (owner) => (await owner.testClocks())[0]?.id ?? newId(),
  event: async (owner) => (await owner.auditEvents({}, { limit: 1 }))[0]?.id ?? '',
  apiKey: async (owner, label) => (await owner.createApiKey({ name: label, role: 'viewer' })).key.id,
  tokenIssuer: async (owner, label) => {
    const { pem: publicKey } = pair('EdDSA');
    return (await owner.createTokenIssuer({ issuer: label, audience: label, algorithm: 'EdDSA', publicKey })).id;
  },
};

/** What a quote is for, and what its payout takes. */
async function fundPayouts(tenant: TenantHandle): Promise<void> {
  await tenant.createAsset('USDC/6');
  await tenant.deposit({ account: 'alice', asset: 'USDC/6', amount: 1_000_000_000n, idempotencyKey: 'payouts' });
}

/** Routes whose id has to be of something in a state of its own. */
const failedPayment: Make = async (owner, label, admin, sql) => {
  const id = (await OBJECTS.payment?.(owner, label, admin, sql)) ?? '';
  await owner.failPayment(id, 'walked');
  return id;
};
const quotedPayout: Make = async (owner, label, admin, sql) => {
  const id = (await OBJECTS.quote?.(owner, label, admin, sql)) ?? '';
  const { asset, amount, destinations, priority } = await owner.takeQuote(id);
  const order = {
    from: 'alice',
    asset,
    amount,
    rail: 'any',
    destinations,
    routePriority: priority,
    quoteId: id,
  } as const;
  return (await owner.createPayment({ ...order, idempotencyKey: label })).id;
};
const failedExecution: Make = async (owner, _label, _admin, sql) =>
  addExecution(sql, await addJob(sql, owner), 'failed');
const failedDelivery: Make = async (owner, _label, _admin, sql) =>
  addExecution(sql, await addEndpoint(owner), 'failed');
const optedOut: Make = async (owner, label, admin, sql) => {
  const id = (await OBJECTS.account?.(owner, label, admin, sql)) ?? '';
  return (await admin.createEmailOptOut(id)).accountId;
};
const IN_STATE: Partial<Record<keyof typeof ROUTES, Make>> = {
  'payments.getRoute': quotedPayout,
  'paymentIntents.get': quotedPayout,
  'paymentIntents.getRoute': quotedPayout,
  'paymentIntents.cancel': quotedPayout,
  'emailOptOuts.delete': optedOut,
  'executions.retry': failedExecution,
  'deliveries.get': failedDelivery,
  'deliveries.redeliver': failedDelivery,
  'deadLetters.get': failedPayment,
  'deadLetters.retry': failedPayment,
  'deadLetters.discard': failedPayment,
};

test('every id that a route takes is one the walk can find and make', () => {
  for (const [name, route] of routes) {
    const silent = silentPlaces(route).filter((where) => !NOBODYS.includes(`${name} ${where}`));
    expect(silent, `${name}: give the schema an x-id, so that it is walked`).toEqual([]);
    const unknown = placesOf(route).filter(({ kind }) => !(kind in OBJECTS));
    expect(unknown, `${name}: say in OBJECTS how to make one`).toEqual([]);
  }
});

test('an id whose schema does not say what it names is noticed', () => {
  const careless = { ...ROUTES['holds.get'], params: { type: 'object', properties: { id: { type: 'string' } } } };
  expect(silentPlaces(careless as unknown as Route)).toEqual(['params.id']);
  const inBody = {
    type: 'object',
    properties: { deep: { type: 'array', items: { properties: { account: { type: 'string' } } } } },
  };
  expect(silentPlaces({ ...ROUTES['holds.create'], body: inBody })).toEqual(['body.deep.0.account']);
});

describe('no route lets through', () => {
  const store = useApi({ usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } } });
  const tokenOf = (sub: string, exp = inSeconds(3_600)): string => token(shared(SECRET), { aud: 'usance', sub, exp });
  const keyOf = async (scopes: readonly Scope[]): Promise<string> =>
    (await store.tenant.createApiKey({ name: 'walk', scopes })).secret;
  const handleOf = async (secret: string): Promise<TenantHandle> => {
    const shown = await store.usance.authenticate(secret);
    if (!shown) throw new Error('expected somebody');
    return shown.handle;
  };
  let labels = 0;
  const make = async (kind: string, owner: TenantHandle, maker = OBJECTS[kind as IdKind]): Promise<string> => {
    const admin = owner.subject === null ? owner : store.tenant;
    const id = await maker?.(owner, `walk-${(labels += 1)}`, admin, store.owner);
    return toTypeId(['guardian', 'junior'].includes(kind) ? 'account' : (kind as IdKind), id ?? '');
  };

  /** Sends what the reference shows, or what is made of it. */
  const send = (route: Route, secret: string | null, sent: Sent): Promise<Answer> => {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(String(sent.params[name])),
    );
    const query = new URLSearchParams(sent.query as Record<string, string>).toString();
    const body = route.example.body === undefined ? {} : { body: sent.body };
    return store.send(`${route.method} ${path}${query && `?${query}`}`, { secret, ...body });
  };
  const shown = ({ example }: Route): Sent => ({
    params: { ...example.params },
    query: { ...example.query },
    // One by one a bulk would answer for each payment; all or none is refused as a whole.
    body:
      typeof example.body === 'object' && example.body !== null && 'atomic' in example.body
        ? { ...example.body, atomic: true }
        : example.body,
  });
  const isShownId = (sent: Sent, { part, path }: Place): boolean =>
    part === 'params' || /^[a-z]+_[0-7][0-9a-z]{25}$/.test(String(at(sent[part], path.join('.'))));
  /** The request with ids of the sender's own wherever the reference shows one. */
  const own = async (name: keyof typeof ROUTES, route: Route, owner: TenantHandle): Promise<Sent> => {
    let sent = shown(route);
    for (const place of placesOf(route).filter((one) => isShownId(sent, one))) {
      sent = withName(sent, place, await make(place.kind, owner, IN_STATE[name]));
    }
    // An end user's own name, where the reference has alice's.
    return owner.subject === null
      ? sent
      : (JSON.parse(
          JSON.stringify(sent).replaceAll('"alice"', JSON.stringify(toTypeId('account', owner.subject))),
        ) as Sent);
  };

  // alice and bob are in both tenants, as the examples want them; anna and cleo only in ours.
  const intruder: { tenant?: TenantHandle; secret?: string } = {};
  const laboratory: { tenant?: TenantHandle } = {};
  const START = '2027-01-01T00:00:00.000Z';
  const victims = new Map<string, string>();
  const usersVictims = new Map<string, string>();
  beforeAll(async () => {
    await open(store.tenant, { alice: 1_000_000, bob: 0, anna: 10_000, cleo: 10_000 });
    await fundPayouts(store.tenant);
    await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
    intruder.tenant = await store.usance.createTenant({ name: 'other' });
    await intruder.tenant.createAsset('USD/2');
    await open(intruder.tenant, { alice: 1_000_000, bob: 0 });
    await fundPayouts(intruder.tenant);
    intruder.secret = (await intruder.tenant.createApiKey({ name: 'theirs', role: 'admin' })).secret;
    for (const kind of Object.keys(OBJECTS)) victims.set(kind, await make(kind, store.tenant));
    for (const [name, maker] of Object.entries(IN_STATE)) {
      const [noun = ''] = name.split('.');
      const kind = { executions: 'execution', deliveries: 'execution', emailOptOuts: 'account' }[noun] ?? 'payment';
      victims.set(name, await make(kind, store.tenant, maker));
    }
    laboratory.tenant = await store.usance.createTenant({ name: 'laboratory', kind: 'test' });
    const { id } = await laboratory.tenant.createTestClock({ name: 'theirs', now: START });
    victims.set('testClock', toTypeId('testClock', id));
    const anna = await handleOf(tokenOf('anna'));
    for (const kind of ['account', 'payment', 'guardian', 'junior', 'subscription', 'plan']) {
      usersVictims.set(kind, await make(kind, anna));
    }
  });
  const theIntruder = () => ({ tenant: intruder.tenant as TenantHandle, secret: intruder.secret ?? '' });

  test.each<[string, number, () => Promise<string | null>]>([
    ['nobody', 401, async () => null],
    ['a key that is none', 401, async () => `usk_${'x'.repeat(40)}`],
    [
      'a key that is revoked',
      401,
      async () => {
        const { key, secret } = await store.tenant.createApiKey({ name: 'revoked', role: 'admin' });
        await store.tenant.revokeApiKey(key.id);
        return secret;
      },
    ],
    [
      'a key that has expired',
      401,
      async () => {
        const { key, secret } = await store.tenant.createApiKey({ name: 'expired', role: 'admin' });
        await store.owner.query(
          `update usance.api_keys set expires_at = now() - interval '1 second' where id = $1::uuid`,
          [key.id],
        );
        return secret;
      },
    ],
    ['a token that has expired', 401, async () => tokenOf('anna', inSeconds(-3_600))],
    [
      'a token that another secret signed',
      401,
      async () => token(shared('x'.repeat(40)), { aud: 'usance', sub: 'anna', exp: inSeconds(60) }),
    ],
  ])('%s', async (_title, status, credential) => {
    const secret = await credential();
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      for (const [name, route] of routes) {
        expect((await send(route, secret, shown(route))).status, name).toBe(status);
      }
    });
    expect(changed).toEqual([]);
  });

  test('a key that may do everything but this', async () => {
    const all = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== 'admin');
    const secrets = new Map<Scope, string>();
    for (const scope of new Set(routes.map(([, route]) => route.scope))) {
      secrets.set(scope, await keyOf(all.filter((one) => one !== scope)));
    }
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      for (const [name, route] of routes) {
        const answer = await send(route, secrets.get(route.scope) ?? null, shown(route));
        expect([answer.status, answer.get('code')], name).toEqual([403, 'AUTH_SCOPE_MISSING']);
      }
    });
    expect(changed.filter((table) => table !== 'api_keys')).toEqual([]);
  });

  test('an end user, to resources of others', async () => {
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      for (const [name, route] of routes.filter(([, { own: isOwn }]) => !isOwn)) {
        const answer = await send(route, tokenOf('cleo'), shown(route));
        expect([answer.status, answer.get('code')], name).toEqual([403, 'AUTH_FORBIDDEN']);
      }
    });
    expect(changed).toEqual([]);
  });

  const places = routes.flatMap(([name, route]) =>
    placesOf(route).map((place) => ({ name, route, place, where: `${place.part}.${place.path.join('.')}` })),
  );
  /** A filter by somebody else's id may also find nothing. */
  const isRefusal = (answer: Answer, place: Place): boolean =>
    REFUSED.includes(answer.status) ||
    (place.part === 'query' && answer.status === 200 && answer.list('data').length === 0) ||
    (place.path[0] === 'filter' && answer.status === 200 && answer.get('retried.0') === undefined);

  test('another tenant, by any id of ours', async () => {
    const { tenant, secret } = theIntruder();
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      for (const { name, route, place, where } of places) {
        const victim = victims.get(name) ?? victims.get(place.kind) ?? '';
        const names = ['account', 'guardian'].includes(place.kind) ? [victim, 'anna'] : [victim];
        for (const one of names) {
          const answer = await send(route, secret, withName(await own(name, route, tenant), place, one));
          expect(isRefusal(answer, place), `${name} ${where}: ${answer.status} ${answer.text}`).toBe(true);
        }
      }
    });
    expect(changed).toEqual([]);
  });

  test('another end user, by any id of theirs', async () => {
    const cleo = await handleOf(tokenOf('cleo'));
    const tried = places.filter(({ name, route, where }) => route.own && !MAY_NAME.includes(`${name} ${where}`));
    const ready: (() => Promise<void>)[] = [];
    for (const { name, route, place, where } of tried) {
      const victim = usersVictims.get(place.kind) ?? '';
      const mine = await own(name, route, cleo);
      for (const one of ['account', 'guardian'].includes(place.kind) ? [victim, 'anna'] : [victim]) {
        ready.push(async () => {
          const answer = await send(route, tokenOf('cleo'), withName(mine, place, one));
          expect(isRefusal(answer, place), `${name} ${where}: ${answer.status} ${answer.text}`).toBe(true);
        });
      }
    }
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      for (const attempt of ready) await attempt();
    });
    expect(changed).toEqual([]);
    expect(tried.length).toBeGreaterThan(15);
  });

  test('resources of others into a list', async () => {
    const { secret } = theIntruder();
    await store.run('sequencer');
    for (const [name, route] of routes.filter(([, { method, path }]) => method === 'GET' && !path.includes('{'))) {
      const bare = { ...shown(route), query: {} };
      const theirs = await send(route, secret, bare);
      for (const id of victims.values()) expect(theirs.text, name).not.toContain(id);
      if (!route.own) continue;
      const users = await send(route, tokenOf('cleo'), bare);
      for (const id of usersVictims.values()) expect(users.text, name).not.toContain(id);
    }
  });

  // Without this the walk could be refused for another reason, and prove nothing.
  test.each([
    ['a tenant', async () => theIntruder()],
    ['an end user', async () => ({ tenant: await handleOf(tokenOf('cleo')), secret: tokenOf('cleo') })],
  ])('and yet lets %s through to its own', async (_title, who) => {
    const { tenant, secret } = await who();
    const open = places.filter((one) => (tenant.subject === null || one.route.own) && one.place.kind !== 'testClock');
    for (const { name, route, place, where } of open) {
      if (tenant.subject !== null && MAY_NAME.includes(`${name} ${where}`)) continue;
      const mine = await make(place.kind, tenant, IN_STATE[name]);
      const answer = await send(route, secret, withName(await own(name, route, tenant), place, mine));
      expect(REFUSED, `${name} ${where}: ${answer.text}`).not.toContain(answer.status);
    }
  });

  test('and a test clock stands where its own tenant left it', async () => {
    const made = await laboratory.tenant?.createApiKey({ name: 'own', role: 'admin' });
    const id = victims.get('testClock') ?? '';
    const answer = await store.send(`GET /test-clocks/${id}`, { secret: made?.secret ?? '' });
    expect([answer.status, answer.get('now'), answer.get('status')]).toEqual([200, START, 'ready']);
  });
});
