// The example of every route as a request that succeeds: what must exist before it, and the ids of it.
import type { Route } from '../../src/api/index.ts';
import type { ROUTES } from '../../src/api/index.ts';
import type { ExecutionStatus } from '../../src/engine.ts';
import { addExecution, addJob, announce } from '../support/jobs.ts';
import { addEndpoint } from '../support/webhooks.ts';
import { payoutInReview } from '../support/payouts.ts';
import { walletKey } from '../../src/rails/index.ts';
import { addQuote } from '../support/quotes.ts';
import { addOutage, dueSchedule } from '../support/schedules.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import type { Answer, SendOptions, TestApi } from './api.ts';
import { freshKey } from './api.ts';

type Name = keyof typeof ROUTES;

/** A request for `TestApi.send`, with a body and headers but without a key. */
export interface ExampleRequest {
  readonly request: string;
  readonly options: SendOptions;
}

/** Without it nothing about e-mail can be enabled. The examples send none. */
export const MAIL_SERVER = {
  url: 'smtp://127.0.0.1:1?tls=none',
  from: 'payments@example.com',
  publicUrl: 'https://pay.example.com',
};

/** Prepares the example of a route. Meant to be called for every route in the order of the table: later ones need the earlier. */
export function exampleRequests(store: TestApi): (name: Name, route: Route) => Promise<ExampleRequest> {
  const hold = (body: object = {}): Promise<Answer> =>
    store.send('POST /holds', { body: { from: 'alice', to: 'bob', amount: 100, asset: 'USD', delay: '1h', ...body } });
  const held = async (body: object = {}) => ({ id: (await hold(body)).word('id') });
  const settled = async () => {
    const made = await held({ amount: 10_000 });
    await store.send(`POST /payments/${made.id}/run-now`);
    await store.run('processor');
    return made;
  };
  const failed = async () => {
    const made = await held();
    await store.send(`POST /payments/${made.id}/fail`, { body: { reason: 'to be retried' } });
    return made;
  };

  const schedule = async (body: object = {}) => {
    const order = {
      from: 'alice',
      to: 'bob',
      amount: 100,
      asset: 'USD',
      rule: { frequency: 'DAILY' },
      start: '2026-09-01',
    };
    return { id: (await store.send('POST /schedules', { body: { ...order, ...body } })).word('id') };
  };
  const pausedSchedule = async () => {
    const made = await schedule();
    await store.send(`POST /schedules/${made.id}/pause`, { body: {} });
    return made;
  };

  /** A slot that could not become a payment: its payer had nothing to reserve. */
  const failedSlot = async () => {
    await store.tenant.openAccount({ ref: 'poor' });
    const id = await dueSchedule(store.owner, store.tenant, { from: 'poor', funding: 'reserve' });
    await store.usance.loops.find((loop) => loop.name === 'scheduler')?.runOnce();
    return { id: (await store.send('GET /dead-letters?kind=occurrence')).word('data.0.id'), schedule: id };
  };
  const outage = async () => ({ id: toTypeId('outage', await addOutage(store.owner, store.tenant.id)) });

  const job = async () => ({ id: toTypeId('job', (await addJob(store.owner, store.tenant)).id) });
  const executed = (status: ExecutionStatus) => async () => ({
    id: toTypeId('execution', await addExecution(store.owner, await addJob(store.owner, store.tenant), status)),
  });

  let channels = 0;
  const endpoint = async () => ({ id: toTypeId('webhookEndpoint', (await addEndpoint(store.tenant)).id) });
  const delivered = (status: ExecutionStatus) => async () => ({
    id: toTypeId('execution', await addExecution(store.owner, await addEndpoint(store.tenant), status)),
  });

  const channel = async () => {
    const params = {
      name: `channel ${(channels += 1)}`,
      kind: 'webhook',
      url: 'https://ops.example.com/hooks',
    } as const;
    return { id: toTypeId('notificationChannel', (await store.tenant.createNotificationChannel(params)).channel.id) };
  };

  const apiKey = async () => ({
    id: (await store.send('POST /api-keys', { body: { name: 'spare', role: 'viewer' } })).word('id'),
  });
  const tokenIssuer = async () => ({ id: (await store.send('GET /token-issuers')).word('data.0.id') });

  // A clock is a test tenant's: its routes are asked with a key of one.
  const lab = { secret: '' };
  const clock = async () => ({ id: (await store.send('GET /test-clocks', lab)).word('data.0.id') });
  /** Made by somebody else than the key that sends the examples. */
  const awaiting = async () => {
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 1_000 });
    const order = { from: 'alice', to: 'bob', amount: 2_000, asset: 'USD', delay: '1h', idempotencyKey: freshKey() };
    const { id } = await store.tenant.createPayment(order);
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });
    return { id: toTypeId('payment', id) };
  };

  const plan = async () => ({ id: (await store.send('GET /plans')).word('data.0.id') });
  const subscription = async () => ({
    id: (await store.send('POST /subscriptions', { body: { plan: (await plan()).id, payer: 'bob' } })).word('id'),
  });
  const pastDue = async () => {
    const { id } = await plan();
    await store.send(`PATCH /plans/${id}`, { body: { after_failure: 'pause' } });
    const made = await store.send('POST /subscriptions', { body: { plan: id, payer: 'bob' } });
    await store.send(`POST /payments/${made.word('last_payment')}/fail`, { body: { reason: 'to be past due' } });
    await store.owner.query(`update usance.schedule_due set due_at = now() - interval '1 ms'`);
    await store.usance.loops.find((loop) => loop.name === 'scheduler')?.runOnce();
    return { id: made.word('id') };
  };

  const measured = async () => {
    await store.usance.loops.find((loop) => loop.name === 'health')?.runOnce();
    await store.tenant.createAsset('USDC/6');
    await store.tenant.deposit({ account: 'alice', asset: 'USDC/6', amount: 100_000_000n, idempotencyKey: freshKey() });
  };
  /** Added by somebody else than the key that sends the examples. */
  const destination = async () => {
    const { address } = walletKey(`payee ${(channels += 1)}`);
    return {
      id: toTypeId('payoutDestination', (await store.tenant.addPayoutDestination({ chain: 'sandbox', address })).id),
    };
  };
  const quote = async () => ({ id: await addQuote(store.owner, store.tenant) });
  const intent = async () => {
    const { id: quote_id } = await quote();
    const body = { from: 'alice', quote_id, delay: '1h' };
    return { id: (await store.send('POST /payment-intents', { body })).word('id') };
  };

  // What an example needs to be there first. It may name other parameters: the reference cannot know our ids.
  const worlds: Partial<Record<Name, () => Promise<Record<string, string> | void>>> = {
    'accounts.create': async () => undefined,
    'accounts.suspend': async () => ({
      id: (await store.send('POST /accounts', { body: { ref: 'carol' } })).word('id'),
    }),
    'accounts.reactivate': async () => ({ id: 'carol' }),
    'accounts.close': async () => ({ id: 'carol' }),
    'accounts.erase': async () => {
      const id = (await store.send('POST /accounts', { body: { ref: 'dora', name: 'Dora' } })).word('id');
      await store.send(`POST /accounts/${id}/close`, { body: { reason: 'moved away' } });
      return { id };
    },
    // The event of no example: an erased one is not found by its request any more.
    'auditEvents.erase': async () => {
      await store.send('POST /accounts', { body: { ref: 'to-be-forgotten' } });
      return { id: (await store.send('GET /audit-events?limit=1')).word('data.0.id') };
    },
    'accounts.deposit': async () => {
      await store.send('POST /accounts', { body: { ref: 'bob' } });
      await store.send('POST /accounts/alice/deposit', { body: { amount: 1_000_000, asset: 'USD' } });
    },
    'allowances.create': async () => void (await store.send('PATCH /accounts/bob', { body: { guardian: 'alice' } })),
    'chains.listHistory': async () => {
      await store.owner.query(
        `insert into usance.chains (name, assets, interval_ms) values ('sandbox', '[]', 15000) on conflict do nothing`,
      );
    },
    'quotes.create': measured,
    'quotes.get': quote,
    'quotes.accept': quote,
    'payments.getRoute': async () => {
      const { id } = await quote();
      const body = { from: 'alice' };
      return { id: (await store.send(`POST /quotes/${id}/accept`, { body })).word('id') };
    },
    'payments.listAttempts': intent,
    'payments.resolve': async () => ({ id: await payoutInReview(store) }),
    'paymentIntents.get': intent,
    'paymentIntents.getRoute': intent,
    'paymentIntents.cancel': intent,
    'payoutDestinations.get': destination,
    'payoutDestinations.remove': destination,
    'payoutDestinations.approve': async () => {
      await store.tenant.setPayoutPolicy({ secondPerson: true });
      const made = await destination();
      await store.tenant.setPayoutPolicy({ secondPerson: false });
      return made;
    },
    'payoutCaps.set': async () => void (await store.tenant.createAsset('USDC/6')),
    'treasuryWallets.unfreeze': async () => {
      // That of the payout that was resolved.
      await store.owner.query(
        `update usance.payout_wallets set frozen_at = now(), frozen_reason = 'to be lifted' where tenant_id = $1::uuid`,
        [store.tenant.id],
      );
    },
    'holds.get': held,
    'holds.listEvents': held,
    'holds.cancel': held,
    'holds.capture': () => held({ amount: 10_000 }),
    'holds.extend': held,
    'payments.get': held,
    'payments.update': held,
    'payments.listTimeline': held,
    'payments.why': held,
    'payments.receipt': async () => {
      const made = await held();
      await store.run('sequencer');
      return made;
    },
    'payments.cancel': held,
    'payments.refund': settled,
    'payments.capture': () => held({ amount: 10_000 }),
    'payments.extend': held,
    'payments.retry': failed,
    'payments.runNow': held,
    'payments.fail': held,
    'payments.approve': awaiting,
    'payments.reject': awaiting,
    'deadLetters.get': failed,
    'deadLetters.retry': failed,
    'deadLetters.discard': failedSlot,
    'outages.release': outage,
    'outages.discard': outage,
    'schedules.get': schedule,
    'schedules.update': schedule,
    'schedules.pause': schedule,
    'schedules.resume': pausedSchedule,
    'schedules.cancel': schedule,
    'schedules.trigger': schedule,
    'schedules.backfill': schedule,
    'schedules.listUpcoming': schedule,
    'schedules.listOccurrences': async () => {
      const made = await schedule();
      await store.send(`POST /schedules/${made.id}/trigger`);
      return made;
    },
    'events.list': async () => void (await store.run('sequencer')),
    'jobs.create': () => announce(store.owner),
    'jobs.get': job,
    'jobs.update': job,
    'jobs.delete': job,
    'executions.get': executed('completed'),
    'executions.listInvocations': executed('failed'),
    'executions.retry': executed('failed'),
    'executions.cancel': executed('pending'),
    'webhookEndpoints.get': endpoint,
    'webhookEndpoints.update': endpoint,
    'webhookEndpoints.delete': endpoint,
    'webhookEndpoints.rotateSecret': endpoint,
    'webhookEndpoints.test': endpoint,
    'webhookEndpoints.recover': endpoint,
    'webhookEndpoints.listDeliveries': endpoint,
    'deliveries.get': delivered('completed'),
    'deliveries.redeliver': delivered('failed'),
    'notificationChannels.get': channel,
    'notificationChannels.update': channel,
    'notificationChannels.delete': channel,
    'notificationChannels.rotateSecret': channel,
    'notificationChannels.test': channel,
    'emailOptOuts.delete': async () => {
      await store.tenant.createEmailOptOut('alice');
      return { id: 'alice' };
    },
    'tokenIssuers.update': tokenIssuer,
    'tokenIssuers.delete': tokenIssuer,
    'apiKeys.revoke': apiKey,
    'apiKeys.rotate': apiKey,
    'testClocks.create': async () => {
      const tenant = await store.usance.createTenant({ name: 'lab', kind: 'test' });
      lab.secret = (await tenant.createApiKey({ name: 'lab', role: 'admin' })).secret;
    },
    'testClocks.get': clock,
    'testClocks.advance': clock,
    'testClocks.cancelAdvance': clock,
    'testClocks.delete': clock,
    'plans.get': plan,
    'plans.update': plan,
    'subscriptions.create': async () => ({ plan: (await plan()).id }),
    'subscriptions.get': subscription,
    'subscriptions.update': subscription,
    'subscriptions.cancel': subscription,
    'subscriptions.changePlan': async () => {
      const { id } = await subscription();
      return { id, plan: (await store.send(`GET /subscriptions/${id}`)).word('plan') };
    },
    'subscriptions.pause': subscription,
    'subscriptions.resume': pastDue,
    'pauses.lift': async () => ({ id: (await store.send('GET /pauses')).word('data.0.id') }),
  };

  return async (name, route) => {
    const { example } = route;
    const params: Record<string, string> = { ...example.params, ...(await worlds[name]?.()) };
    const { plan: named } = params;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, key: string) => encodeURIComponent(params[key] ?? ''));
    const options = {
      headers: { 'x-request-id': name, 'user-agent': 'examples/1', 'usance-reason': `example%20of%20${name}` },
      ...(example.body === undefined
        ? {}
        : { body: named === undefined ? example.body : { ...Object(example.body), plan: named } }),
      ...(route.path.startsWith('/test-clocks') ? lab : {}),
    };
    const query = new URLSearchParams(example.query).toString();
    return { request: `${route.method} ${path}${query === '' ? '' : `?${query}`}`, options };
  };
}
