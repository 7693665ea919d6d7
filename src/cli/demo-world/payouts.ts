// Payouts to suppliers over the simulated chain: paid ones, one that the chain dropped, one that waits for its day, and two in review, because the
// chain has not shown their transactions.
import { loopOf } from '../tick.ts';
import type { Stage } from './stage.ts';
import { DAYS, USDC } from './stage.ts';

/** Addresses of suppliers on the sandbox. */
const SUPPLIERS = {
  'pine-and-sons': 'sbxc881712e78396798402281b822db3616dca6ff6b',
  'clay-depot': 'sbxee0932980f429a0231c4aba57bb0da07b647ab2e',
  'paper-mill': 'sbxd446253e434f1efc4a2f549a989cd715ebfb7660',
  'vinyl-press': 'sbx4e6f7e17128fd1df8b46156e38b879f5e4e4b5d5',
} as const;
const UNIT = 1_000_000;

/** In days. The chain loses what it is given then. */
const DROPPED_AT = 20.5;

interface Payout {
  readonly reference: string;
  readonly to: keyof typeof SUPPLIERS;
  readonly units: number;
  readonly executeAt: Date;
  readonly maxAttempts?: number;
}

async function pay({ shop, key }: Stage, name: string, payouts: readonly Payout[]): Promise<void> {
  const payments = payouts.map(({ reference, to, units, executeAt, maxAttempts }) => ({
    from: 'payouts',
    rail: 'sandbox',
    destination: SUPPLIERS[to],
    asset: USDC,
    amount: units * UNIT,
    executeAt,
    reference,
    metadata: { supplier: to },
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }),
  }));
  await shop.payments.createMany({ atomic: true, payments }, key(`payouts ${name}`));
}

/** Without a fresh measurement of the chain no payout has a route. */
const measureChain = ({ engine }: Stage): Promise<unknown> => loopOf(engine, 'health').runOnce();

/** Paid weeks ago. */
export async function earlierPayouts(stage: Stage): Promise<void> {
  const { at } = stage;
  await measureChain(stage);
  await pay(stage, 'earlier', [
    { reference: 'SUPPLY-501', to: 'pine-and-sons', units: 1_840, executeAt: at(8.4) },
    { reference: 'SUPPLY-502', to: 'clay-depot', units: 960, executeAt: at(8.4) },
    { reference: 'SUPPLY-503', to: 'paper-mill', units: 2_275, executeAt: at(13.5) },
    { reference: 'SUPPLY-505', to: 'clay-depot', units: 1_115, executeAt: at(13.5) },
  ]);
}

/** The chain loses its transaction: its only attempt is proven dead. */
export const droppedPayout = (stage: Stage): Promise<void> =>
  pay(stage, 'dropped', [
    { reference: 'SUPPLY-504', to: 'vinyl-press', units: 430, executeAt: stage.at(DROPPED_AT), maxAttempts: 1 },
  ]);

/** The last instant before that. */
export const beforeDrop = ({ at }: Stage): Date => new Date(at(DROPPED_AT).getTime() - 1);

/** After ten minutes without news of a transaction a person is asked. */
const REVIEW_MINUTES = 11;

/** The last minutes: two transactions are sent, and the chain does not answer. They settle when the clock goes on. */
export async function payoutsInReview(stage: Stage): Promise<void> {
  const { at, before, leap, pass, faults } = stage;
  const sent = before(REVIEW_MINUTES);
  const tomorrow = new Date(at(DAYS).getTime() + 20 * 3_600_000);
  await pay(stage, 'in review', [
    { reference: 'SUPPLY-506', to: 'paper-mill', units: 3_300, executeAt: sent },
    { reference: 'SUPPLY-507', to: 'pine-and-sons', units: 725, executeAt: sent },
  ]);
  await payQuoted(stage, { reference: 'SUPPLY-508', to: 'vinyl-press', units: 1_260, executeAt: tomorrow });
  await pass(sent);
  await faults({ error: 1 });
  await leap(at(DAYS));
  await faults({});
}

/** By a quote that was accepted: its page shows the chains side by side. */
async function payQuoted({ shop, key }: Stage, { reference, to, units, executeAt }: Payout): Promise<void> {
  const quote = await shop.quotes.create(
    { asset: USDC, amount: units * UNIT, destinations: { sandbox: SUPPLIERS[to] }, priority: 'reliable' },
    key(`quote ${reference}`),
  );
  await shop.quotes.accept(
    quote.id,
    { from: 'payouts', executeAt, reference, metadata: { supplier: to } },
    key(reference),
  );
}
