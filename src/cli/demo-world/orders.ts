// The market: orders that are paid later, in every state that a payment can have.
import type { PaymentCreateManyItem } from '../../client/index.ts';
import { createDraw } from './draw.ts';
import { BUYERS, SELLERS } from './people.ts';
import type { Stage } from './stage.ts';
import { DAYS, GEMS, USD } from './stage.ts';

const ITEMS = [
  'Atlas of Small Islands',
  'Stoneware bowl',
  'Seed box, spring',
  'Reissue, 180 g',
  'Field notes, set of 3',
  'Espresso cup',
  'Tomato cage',
  'Live at the Old Mill',
] as const;
/** The market keeps five percent of every second order. */
const FEE_SHARE = 20;

interface Wave {
  readonly name: string;
  readonly orders: number;
  /** Number of the first order. */
  readonly first: number;
  /** When the orders are due. Several have one instant. */
  readonly due: readonly Date[];
}

/** Orders of several people, created together: paid when they ship. */
export async function placeOrders({ shop, key }: Stage, { name, orders, first, due }: Wave): Promise<void> {
  const draw = createDraw(first);
  const payments = Array.from({ length: orders }, (_, index): PaymentCreateManyItem => {
    const amount = draw.between(9, 88) * 100 + draw.of([0, 50, 90, 99]);
    const fee = Math.floor(amount / FEE_SHARE);
    const seller = draw.of(SELLERS);
    return {
      from: draw.of(BUYERS),
      asset: USD,
      executeAt: due[index % due.length] ?? '',
      funding: index % 3 === 0 ? 'at_execution' : 'reserve',
      priority: index % 9 === 0 ? 'high' : 'normal',
      reference: `ORDER-${first + index}`,
      metadata: { item: draw.of(ITEMS), channel: draw.of(['web', 'app']) },
      amount,
      ...(index % 2 === 0
        ? { to: seller }
        : {
            legs: [
              { to: seller, amount: amount - fee },
              { to: 'fees', amount: fee },
            ],
          }),
    };
  });
  await shop.payments.createMany({ atomic: true, payments }, key(`orders ${name}`));
}

/** Orders that do not go as planned. */
export async function ordersInTrouble({ shop, key, at }: Stage): Promise<void> {
  const late = { funding: 'at_execution', executeAt: at(23.4) } as const;
  const payments = [
    { reference: 'ORDER-2001', from: 'otto', to: 'kiln-ceramics', amount: 4_900, retry: { maxAttempts: 3 }, ...late },
    { reference: 'ORDER-2002', from: 'otto', to: 'kiln-ceramics', amount: 12_000, retry: { maxAttempts: 3 }, ...late },
    {
      reference: 'ORDER-2003',
      from: 'amara',
      to: 'kiln-ceramics',
      amount: 400_000,
      retry: { maxAttempts: 3 },
      ...late,
    },
    { reference: RETURNED, from: 'dana', to: 'loop-records', amount: 6_400, executeAt: at(23.4) },
    { reference: SHIPPED_IN_PART, from: 'felix', to: 'harbor-books', amount: 9_750, executeAt: at(27) },
    { reference: CANCELLED, from: 'ines', to: 'sprout-garden', amount: 3_300, executeAt: at(26) },
    {
      reference: POSTPONED,
      from: 'marco',
      to: 'kiln-ceramics',
      amount: 7_200,
      executeAt: at(25),
      expiresAt: at(25.5),
    },
    {
      reference: 'ORDER-2008',
      from: 'otto',
      to: 'harbor-books',
      amount: 2_600,
      retry: { maxAttempts: 5, initialDelay: '10m' },
      ...late,
      expiresAt: at(23.4005),
    },
  ];
  await shop.payments.createMany(
    {
      atomic: true,
      payments: payments.map((payment) => ({ asset: USD, metadata: { item: 'Stoneware bowl' }, ...payment })),
    },
    key('orders in trouble'),
  );
}

const RETURNED = 'ORDER-2004';
const SHIPPED_IN_PART = 'ORDER-2005';
const CANCELLED = 'ORDER-2006';
const POSTPONED = 'ORDER-2007';
const DISCARDED = 'ORDER-2001';

/** The actions of the support on them. */
export async function settleTrouble({ shop, as, key, at }: Stage): Promise<void> {
  const support = await as('support:jo');
  const idOf = async (reference: string): Promise<string> => {
    const [payment] = (await shop.payments.list({ reference, limit: 1 }).page()).data;
    if (!payment) throw new Error(`the payment ${reference} is gone`);
    return payment.id;
  };
  const shipped = await idOf(SHIPPED_IN_PART);
  await support.payments.refund(
    await idOf(RETURNED),
    { amount: 2_400, reason: 'One record arrived scratched' },
    key('refund ORDER-2004'),
  );
  await shop.payments.capture(shipped, { amount: 4_250 }, key('capture ORDER-2005'));
  await support.payments.cancel(
    shipped,
    { reason: 'The second volume is out of print' },
    key('cancel rest of ORDER-2005'),
  );
  await support.payments.cancel(
    await idOf(CANCELLED),
    { reason: 'The buyer changed their mind' },
    key('cancel ORDER-2006'),
  );
  await shop.payments.update(
    await idOf(POSTPONED),
    { executeAt: at(25.2), metadata: { item: 'Stoneware bowl', note: 'Delivery postponed' } },
    key('postpone ORDER-2007'),
  );
  await support.deadLetters.discard(await idOf(DISCARDED), { reason: 'Paid in the shop' }, key('discard ORDER-2001'));
}

/** In minutes before the end, with the first orders of the last hour. */
export const FAILS_BEFORE = 47;

/** Orders that are open at the end: they wait, are tried again, or need a person. */
export async function openOrders({ shop, as, key, at, before }: Stage): Promise<void> {
  const end = at(DAYS);
  const ahead = (hours: number): Date => new Date(end.getTime() + hours * 3_600_000);
  const waiting = [0.4, 2, 5, 9, 14, 20, 26, 49, 75, 98, 120, 144].map((hours, index) => ({
    from: BUYERS[index % BUYERS.length] ?? 'dana',
    to: SELLERS[index % SELLERS.length] ?? 'harbor-books',
    asset: USD,
    amount: 1_850 + 1_275 * index,
    reference: `ORDER-${3001 + index}`,
    executeAt: ahead(hours),
    metadata: { item: ITEMS[index % ITEMS.length] ?? '' },
  }));
  const unfunded = { from: 'otto', asset: USD, funding: 'at_execution' } as const;
  const payments: readonly PaymentCreateManyItem[] = [
    ...waiting,
    // Fails first, and is tried again within the hour.
    {
      ...unfunded,
      to: 'loop-records',
      amount: 3_999,
      reference: 'ORDER-3020',
      executeAt: before(2),
      retry: { maxAttempts: 4, initialDelay: '45m' },
    },
    {
      ...unfunded,
      to: 'kiln-ceramics',
      amount: 8_800,
      reference: 'ORDER-3021',
      executeAt: before(FAILS_BEFORE),
      retry: { maxAttempts: 1 },
    },
    // Waits behind the pause of its asset.
    {
      from: 'yuki',
      to: 'noor',
      asset: GEMS,
      amount: 250,
      reference: 'GIFT-17',
      executeAt: before(1),
      funding: 'at_execution',
    },
  ];
  await shop.payments.createMany({ atomic: true, payments }, key('open orders'));
  // Two above the approval threshold: a second person decides.
  const purchasing = await as('purchasing:lena');
  const invoice = { from: 'operations', asset: USD, executeAt: ahead(30) } as const;
  await purchasing.payments.createMany(
    {
      atomic: true,
      payments: [
        { ...invoice, to: 'kiln-ceramics', amount: 640_000, reference: 'INVOICE-88' },
        { ...invoice, to: 'harbor-books', amount: 515_050, reference: 'INVOICE-91' },
      ],
    },
    key('invoices'),
  );
}
