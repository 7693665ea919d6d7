// The market: orders that are paid later, in every state that a payment can have.
import type { PaymentCreateManyItem } from '../../client/index.ts';
import { createDraw } from './draw.ts';
import { BUYERS, SELLERS } from './people.ts';
import type { Stage } from './stage.ts';
import { DAYS, GEMS, USD, together } from './stage.ts';

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

/** Orders that did not go as planned, days before the end. */
export async function pastTrouble(stage: Stage): Promise<void> {
  const { shop, as, key, at, pass } = stage;
  const support = await as('support:jo');
  const order = { asset: USD, metadata: { item: 'Stoneware bowl' } };
  for (const [reference, from, amount] of [
    ['ORDER-2001', 'otto', 4_900],
    ['ORDER-2002', 'otto', 12_000],
    ['ORDER-2003', 'amara', 400_000],
  ] as const)
    await shop.payments.create(
      {
        ...order,
        from,
        to: 'kiln-ceramics',
        amount,
        reference,
        executeAt: at(23.4),
        funding: 'at_execution',
        retry: { maxAttempts: 3 },
      },
      key(reference),
    );
  const returned = await shop.payments.create(
    {
      ...order,
      from: 'dana',
      to: 'loop-records',
      amount: 6_400,
      reference: 'ORDER-2004',
      executeAt: at(23.4),
    },
    key('ORDER-2004'),
  );
  const shipped = await shop.holds.create(
    { ...order, from: 'felix', to: 'harbor-books', amount: 9_750, reference: 'ORDER-2005', executeAt: at(27) },
    key('ORDER-2005'),
  );
  const changed = await shop.holds.create(
    { ...order, from: 'ines', to: 'sprout-garden', amount: 3_300, reference: 'ORDER-2006', executeAt: at(26) },
    key('ORDER-2006'),
  );
  const late = await shop.payments.create(
    {
      ...order,
      from: 'marco',
      to: 'kiln-ceramics',
      amount: 7_200,
      reference: 'ORDER-2007',
      executeAt: at(25),
      expiresAt: at(25.5),
    },
    key('ORDER-2007'),
  );
  await shop.payments.create(
    {
      ...order,
      from: 'otto',
      to: 'harbor-books',
      amount: 2_600,
      reference: 'ORDER-2008',
      executeAt: at(23.6),
      expiresAt: at(23.6005),
      funding: 'at_execution',
      retry: { maxAttempts: 5, initialDelay: '10m' },
    },
    key('ORDER-2008'),
  );
  await pass(at(24));
  await support.payments.refund(
    returned.id,
    { amount: 2_400, reason: 'One record arrived scratched' },
    key('refund ORDER-2004'),
  );
  await shop.payments.capture(shipped.id, { amount: 4_250 }, key('capture ORDER-2005'));
  await support.payments.cancel(
    shipped.id,
    { reason: 'The second volume is out of print' },
    key('cancel rest of ORDER-2005'),
  );
  await support.payments.cancel(changed.id, { reason: 'The buyer changed their mind' }, key('cancel ORDER-2006'));
  await shop.payments.update(
    late.id,
    { executeAt: at(25.2), metadata: { item: 'Stoneware bowl', note: 'Delivery postponed' } },
    key('postpone ORDER-2007'),
  );
  const given = await firstLetter(shop, 'ORDER-2001');
  if (given !== null)
    await support.deadLetters.discard(given, { reason: 'Paid in the shop' }, key('discard ORDER-2001'));
}

async function firstLetter(shop: Stage['shop'], reference: string): Promise<string | null> {
  const [payment] = (await shop.payments.list({ reference, limit: 1 }).page()).data;
  return payment?.status === 'failed' ? payment.id : null;
}

/** Orders that are open at the end: they wait, are tried again, or need a person. */
export async function openOrders({ shop, as, key, at, before }: Stage): Promise<void> {
  const end = at(DAYS);
  const ahead = (hours: number): Date => new Date(end.getTime() + hours * 3_600_000);
  await together(
    [0.4, 2, 5, 9, 14, 20, 26, 49, 75, 98, 120, 144].map(
      (hours, index) => () =>
        shop.holds.create(
          {
            from: BUYERS[index % BUYERS.length] ?? 'dana',
            to: SELLERS[index % SELLERS.length] ?? 'harbor-books',
            asset: USD,
            amount: 1_850 + 1_275 * index,
            reference: `ORDER-${3001 + index}`,
            executeAt: ahead(hours),
            metadata: { item: ITEMS[index % ITEMS.length] ?? '' },
          },
          key(`ORDER-${3001 + index}`),
        ),
    ),
  );
  // Two above the approval threshold: a second person decides.
  for (const [reference, from, to, amount] of [
    ['INVOICE-88', 'operations', 'kiln-ceramics', 640_000],
    ['INVOICE-91', 'operations', 'harbor-books', 515_050],
  ] as const)
    await (
      await as('purchasing:lena')
    ).payments.create({ from, to, asset: USD, amount, reference, executeAt: ahead(30) }, key(reference));
  // Fails first, and is tried again within the hour.
  await shop.payments.create(
    {
      from: 'otto',
      to: 'loop-records',
      asset: USD,
      amount: 3_999,
      reference: 'ORDER-3020',
      executeAt: before(2),
      funding: 'at_execution',
      retry: { maxAttempts: 4, initialDelay: '45m' },
    },
    key('ORDER-3020'),
  );
  await shop.payments.create(
    {
      from: 'otto',
      to: 'kiln-ceramics',
      asset: USD,
      amount: 8_800,
      reference: 'ORDER-3021',
      executeAt: before(32),
      funding: 'at_execution',
      retry: { maxAttempts: 1 },
    },
    key('ORDER-3021'),
  );
  // Waits behind the pause of its asset.
  await shop.payments.create(
    {
      from: 'yuki',
      to: 'noor',
      asset: GEMS,
      amount: 250,
      reference: 'GIFT-17',
      executeAt: before(1),
      funding: 'at_execution',
    },
    key('GIFT-17'),
  );
}
