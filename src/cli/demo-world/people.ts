// The accounts: buyers and sellers of a market, a family, a streaming service and a gym, and the treasury that pays suppliers over a chain.
import type { Stage } from './stage.ts';
import { GEMS, USD, USDC, together } from './stage.ts';

export const BUYERS = ['dana', 'noor', 'felix', 'ines', 'marco', 'yuki', 'amara', 'priya'] as const;
export const SELLERS = ['harbor-books', 'kiln-ceramics', 'sprout-garden', 'loop-records'] as const;

interface Person {
  readonly ref: string;
  readonly name: string;
  readonly kind?: 'user' | 'merchant' | 'treasury';
  readonly email?: string;
  readonly guardian?: string;
  /** Opening deposits in minor units. */
  readonly deposits?: Readonly<Record<string, number>>;
}

const PEOPLE: readonly Person[] = [
  { ref: 'dana', name: 'Dana Whitfield', email: 'dana@example.com', deposits: { [USD]: 420_000, [GEMS]: 1_200 } },
  { ref: 'noor', name: 'Noor Haddad', email: 'noor@example.com', deposits: { [USD]: 310_000, [GEMS]: 450 } },
  { ref: 'felix', name: 'Felix Baumann', email: 'felix@example.com', deposits: { [USD]: 275_000 } },
  { ref: 'ines', name: 'Inês Duarte', email: 'ines@example.com', deposits: { [USD]: 198_000 } },
  { ref: 'marco', name: 'Marco Bellini', deposits: { [USD]: 240_000 } },
  { ref: 'yuki', name: 'Yuki Tanaka', deposits: { [USD]: 365_000, [GEMS]: 3_000 } },
  { ref: 'amara', name: 'Amara Okafor', deposits: { [USD]: 152_000 } },
  { ref: 'priya', name: 'Priya Nair', deposits: { [USD]: 288_000 } },
  { ref: 'otto', name: 'Otto Lindqvist', deposits: { [USD]: 1_250 } },
  { ref: 'tomas', name: 'Tomás Vega', deposits: { [USD]: 90_000 } },
  { ref: 'harbor-books', name: 'Harbor Books', kind: 'merchant' },
  { ref: 'kiln-ceramics', name: 'Kiln Ceramics', kind: 'merchant' },
  { ref: 'sprout-garden', name: 'Sprout Garden Supply', kind: 'merchant' },
  { ref: 'loop-records', name: 'Loop Records', kind: 'merchant' },
  { ref: 'old-kiosk', name: 'The Old Kiosk', kind: 'merchant' },
  { ref: 'streamly', name: 'Streamly', kind: 'merchant' },
  { ref: 'gymloft', name: 'Gymloft', kind: 'merchant' },
  { ref: 'ruth-ellis', name: 'Ruth Ellis', email: 'ruth@example.com', deposits: { [USD]: 60_000 } },
  { ref: 'sam-ellis', name: 'Sam Ellis', guardian: 'ruth-ellis' },
  { ref: 'ivy-ellis', name: 'Ivy Ellis', guardian: 'ruth-ellis' },
  { ref: 'operations', name: 'Operations', kind: 'treasury', deposits: { [USD]: 2_400_000 } },
  { ref: 'marketing', name: 'Marketing budget', kind: 'treasury', deposits: { [USD]: 330_000 } },
  { ref: 'payouts', name: 'Payouts', kind: 'treasury', deposits: { [USDC]: 48_000_000_000 } },
];

export async function openAccounts({ shop }: Stage): Promise<void> {
  for (const asset of [USD, USDC, GEMS]) await shop.assets.ensure({ asset, default: asset === USD });
  const open = ({ ref, name, kind = 'user', email, guardian }: Person): Promise<unknown> =>
    shop.accounts.ensure({
      ref,
      name,
      kind,
      ...(email === undefined ? {} : { contact: { email, zone: 'Europe/Lisbon', locale: 'en-GB' } }),
      ...(guardian === undefined ? {} : { guardian }),
    });
  await together(PEOPLE.filter(({ guardian }) => guardian === undefined).map((person) => () => open(person)));
  await together(PEOPLE.filter(({ guardian }) => guardian !== undefined).map((person) => () => open(person)));
  await shop.accounts.importBalances({ name: 'opening', format: 'csv', open: openingBalances });
}

async function* openingBalances(): AsyncIterable<string> {
  yield 'account,asset,amount';
  for (const { ref, deposits = {} } of PEOPLE)
    for (const [asset, amount] of Object.entries(deposits)) yield `${ref},${asset},${amount}`;
}

/** Accounts that are not in use any more. */
export async function retireAccounts({ as, key }: Stage): Promise<void> {
  const support = await as('support:jo');
  await support.accounts.suspend('tomas', { reason: 'Card reported stolen, ticket 4471' }, key('suspend tomas'));
  await support.accounts.close('old-kiosk', { reason: 'The shop has moved out' }, key('close old-kiosk'));
}
