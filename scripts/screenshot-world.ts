// What the demo world lacks for a picture of every page, created through the API as an operator would, and the address of each page there.
import type { PageName } from '../web/src/app/page-list.ts';
import type { Send } from './screenshots.ts';

const PAYEE = 'sbxd446253e434f1efc4a2f549a989cd715ebfb7660';
const NEW_PAYEE = 'sbx4e6f7e17128fd1df8b46156e38b879f5e4e4b5d5';

/** Quotes, guards of payouts, a channel and a template. */
export async function addWhatIsMissing(send: Send): Promise<void> {
  const create = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await send(`POST ${path}`, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  await create('/payout-destinations', { chain: 'sandbox', address: PAYEE, label: 'Paper Mill' });
  await create('/payout-policy', { wait: 'PT24H', second_person: true });
  await create('/payout-destinations', { chain: 'sandbox', address: NEW_PAYEE, label: 'Vinyl Press, new wallet' });
  await create('/payout-caps', { asset: 'USDC/6', max_amount: '25000000000', daily_amount: '60000000000' });
  await create('/payout-caps', { asset: 'USDC/6', chain: 'sandbox', max_amount: '10000000000' });
  for (const [amount, priority] of [
    ['4150000000', 'reliable'],
    ['980000000', 'low_fee'],
  ])
    await create('/quotes', { asset: 'USDC/6', amount, priority, destinations: { sandbox: PAYEE } });
  await create('/notification-channels', {
    name: 'on call',
    kind: 'slack',
    url: 'https://hooks.slack.com/services/T000/B000/XXXX',
    topics: ['dead_letters', 'reviews', 'freezes'],
  });
  await create('/email-templates', {
    kind: 'payment_received',
    language: 'it',
    subject: '{{amount}} da {{payer}}',
    text: 'Ciao {{recipient}}, {{payer}} ti ha pagato {{amount}} il {{date}}.',
    html: '<p>Ciao {{recipient}}, {{payer}} ti ha pagato <b>{{amount}}</b> il {{date}}.</p>',
  });
}

/** The address of each page: the newest resource of its kind, and for payments one in review. */
export async function addressesOf(send: Send): Promise<Readonly<Record<PageName, string>>> {
  const first = async (path: string): Promise<string> => {
    const { body } = await send(`GET ${path}`);
    const [row] = (body as { readonly data?: readonly { readonly id: string }[] }).data ?? [];
    if (!row) throw new Error(`GET ${path} has nothing to show`);
    return row.id;
  };
  return {
    overview: '/',
    approvals: '/approvals',
    deadLetters: '/dead-letters',
    deadLetter: `/dead-letters/${await first('/dead-letters')}`,
    payments: '/payments',
    payment: `/payments/${await first('/payments?status=review')}`,
    schedules: '/schedules',
    scheduleCalendar: '/schedules/calendar',
    outages: '/schedules/outages',
    newSchedule: '/schedules/new',
    schedule: `/schedules/${await first('/schedules')}`,
    editSchedule: `/schedules/${await first('/schedules')}/edit`,
    accounts: '/accounts',
    account: '/accounts/payouts',
    subscriptions: '/subscriptions',
    subscription: `/subscriptions/${await first('/subscriptions')}`,
    payouts: '/payouts',
    quotes: '/quotes',
    quote: `/quotes/${await first('/quotes')}`,
    treasury: '/treasury',
    payoutGuards: '/payout-guards',
    chains: '/chains',
    chain: '/chains/sandbox',
    jobs: '/jobs',
    job: `/jobs/${await first('/jobs')}`,
    executions: '/executions',
    execution: `/executions/${await first('/executions')}`,
    processors: '/processors',
    webhooks: '/webhooks',
    webhook: `/webhooks/${await first('/webhook-endpoints')}`,
    deliveries: '/deliveries',
    delivery: `/deliveries/${await first('/deliveries')}`,
    notifications: '/notifications',
    email: '/notifications/email',
    notificationChannel: `/notifications/${await first('/notification-channels')}`,
    events: '/events',
    audit: '/audit',
    settings: '/settings',
    keys: '/settings/keys',
    limits: '/settings/limits',
    pauses: '/settings/pauses',
    tenants: '/settings/tenants',
    clocks: '/settings/clocks',
    loops: '/settings/loops',
  };
}
