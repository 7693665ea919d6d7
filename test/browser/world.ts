// A tenant with something on every page.
import type { PageName } from '../../web/src/app/page-list.ts';
import type { TestApi } from '../api/api.ts';
import { walletKey } from '../../src/rails/index.ts';
import { payoutInReview } from '../support/payouts.ts';
import { deliver } from '../support/webhooks.ts';

export interface World {
  readonly payment: string;
  readonly awaiting: string;
  readonly letter: string;
  readonly schedule: string;
  readonly subscription: string;
  readonly account: string;
  readonly job: string;
  readonly execution: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly payout: string;
  readonly quote: string;
  readonly channel: string;
}

/** Nothing listens there: its deliveries fail. */
const RECEIVER = 'http://127.0.0.1:59999/hooks';

const USDC = 'USDC/6';
const DESTINATIONS = { sandbox: walletKey('payee').address };

/** Creates through the API, as an integration would; `run` does what the loops would. */
export async function fillWorld(store: TestApi): Promise<World> {
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await store.send(`POST ${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return (answer.body as { id?: string }).id ?? '';
  };
  const change = async (request: string, body: object): Promise<void> => {
    const answer = await store.send(request, { body });
    if (answer.status >= 300) throw new Error(`${request}: ${answer.text}`);
  };
  const account = await create('/accounts', { ref: 'alice', name: 'Alice Adams' });
  for (const ref of ['bob', 'poor']) await create('/accounts', { ref });
  await create('/accounts', { ref: 'bookshop', kind: 'merchant' });
  await change('POST /accounts/alice/deposit', { amount: '1000000', asset: 'USD/2' });
  await change('POST /limits', { asset: 'USD/2', approval_above: '50000' });
  const base = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '2500' };
  // Two that fail for good, and one that settles.
  for (const reference of ['late-1', 'late-2'])
    await create('/payments', {
      ...base,
      from: 'poor',
      reference,
      execute_at: new Date().toISOString(),
      funding: 'at_execution',
      retry: { max_attempts: 1 },
    });
  await create('/payments', { ...base, reference: 'done-1', execute_at: new Date().toISOString() });
  await store.run('processor');
  const payment = await create('/payments', { ...base, reference: 'order-1', delay: '2h', metadata: { order: '1' } });
  const awaiting = await create('/payments', { ...base, amount: '90000', reference: 'large-1', delay: '2d' });
  const schedule = await create('/schedules', {
    ...base,
    rule: { frequency: 'WEEKLY', weekdays: ['MO'], time: '09:00' },
    zone: 'America/New_York',
    reference: 'weekly-1',
  });
  const plan = await create('/plans', {
    name: 'Monthly',
    price: '1299',
    asset: 'USD/2',
    receiver: 'bookshop',
    period: { frequency: 'MONTHLY' },
  });
  const subscription = await create('/subscriptions', { plan, payer: 'alice' });
  const webhook = await create('/webhook-endpoints', {
    url: RECEIVER,
    event_pattern: 'payment.*',
    retry: 'webhook-quick',
  });
  await create('/holds', { ...base, delay: '3h', reference: 'delivered-1' });
  const channel = await create('/notification-channels', { name: 'on call', kind: 'webhook', url: RECEIVER });
  await create('/email-templates', {
    kind: 'payment_received',
    language: 'de',
    subject: '{{amount}} von {{payer}}',
    text: 'Hallo {{recipient}}, {{payer}} hat dir am {{date}} {{amount}} bezahlt.',
    html: '<p>Hallo {{recipient}}, {{payer}} hat dir am {{date}} <b>{{amount}}</b> bezahlt.</p>',
  });
  await create('/email-opt-outs', { account: 'bob' });
  await deliver(store.usance);
  await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
  const { payout, quote } = await fillPayouts(store, create);
  const first = async (path: string): Promise<string> => (await store.send(`GET ${path}`)).word('data.0.id');
  return {
    payment,
    awaiting,
    letter: await first('/dead-letters'),
    schedule,
    subscription,
    account,
    job: await first('/jobs'),
    execution: await first('/executions'),
    webhook,
    delivery: await first('/deliveries'),
    payout,
    quote,
    channel,
  };
}

type Create = (path: string, body: object) => Promise<string>;

/** A payout in review, a quote, a listed address that awaits approval, a cap, and a wallet that is frozen. */
async function fillPayouts(
  store: TestApi,
  create: Create,
): Promise<{ readonly payout: string; readonly quote: string }> {
  await create('/assets', { asset: USDC });
  await create('/accounts/alice/deposit', { amount: '100000000', asset: USDC });
  await create('/payout-caps', { asset: USDC, chain: 'sandbox', max_amount: '50000000', daily_amount: '90000000' });
  await create('/payout-policy', { wait: 'P1D', second_person: true });
  await create('/payout-destinations', { chain: 'sandbox', address: DESTINATIONS.sandbox, label: 'Ana' });
  const payout = await payoutInReview(store);
  const quote = await create('/quotes', { asset: USDC, amount: '2500000', destinations: DESTINATIONS });
  await store.usance.loops.find(({ name }) => name === 'treasury')?.runOnce();
  await store.owner.query(`update usance.payout_wallets set frozen_at = now(), frozen_reason = 'planted by the test'`);
  return { payout, quote };
}

export const EMPTY_WORLD: World = {
  payment: '',
  awaiting: '',
  letter: '',
  schedule: '',
  subscription: '',
  account: '',
  job: '',
  execution: '',
  webhook: '',
  delivery: '',
  payout: '',
  quote: '',
  channel: '',
};

/** The address of each page: a new page cannot be left out. */
const ADDRESSES: Readonly<Record<PageName, (world: World) => string>> = {
  overview: () => '/',
  approvals: () => '/approvals',
  deadLetters: () => '/dead-letters?kind=payment&code=FUNDS_INSUFFICIENT',
  deadLetter: (world) => `/dead-letters/${world.letter}`,
  payments: () => '/payments',
  payment: (world) => `/payments/${world.payment}`,
  schedules: () => '/schedules',
  scheduleCalendar: () => '/schedules/calendar',
  outages: () => '/schedules/outages',
  newSchedule: () => '/schedules/new',
  schedule: (world) => `/schedules/${world.schedule}`,
  editSchedule: (world) => `/schedules/${world.schedule}/edit`,
  accounts: () => '/accounts',
  account: (world) => `/accounts/${world.account}`,
  subscriptions: () => '/subscriptions',
  subscription: (world) => `/subscriptions/${world.subscription}`,
  jobs: () => '/jobs',
  job: (world) => `/jobs/${world.job}`,
  executions: () => '/executions',
  execution: (world) => `/executions/${world.execution}`,
  processors: () => '/processors',
  webhooks: () => '/webhooks',
  webhook: (world) => `/webhooks/${world.webhook}`,
  deliveries: () => '/deliveries',
  delivery: (world) => `/deliveries/${world.delivery}`,
  payouts: () => '/payouts',
  quotes: () => '/quotes',
  quote: (world) => `/quotes/${world.quote}`,
  treasury: () => '/treasury',
  payoutGuards: () => '/payout-guards',
  chains: () => '/chains',
  chain: () => '/chains/sandbox',
  notifications: () => '/notifications',
  email: () => '/notifications/email?account=alice',
  notificationChannel: (world) => `/notifications/${world.channel}`,
  events: () => '/events',
  audit: () => '/audit',
  settings: () => '/settings',
  keys: () => '/settings/keys',
  limits: () => '/settings/limits',
  pauses: () => '/settings/pauses',
  tenants: () => '/settings/tenants',
  clocks: () => '/settings/clocks',
  loops: () => '/settings/loops',
};

export const addressOf = (name: PageName, world: World): string => ADDRESSES[name](world);
