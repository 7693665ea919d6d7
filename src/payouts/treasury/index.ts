export { readFlooredBalances } from './floor-store.ts';
export type { FlooredBalance } from './floor-store.ts';
export { treasuryLoop } from './loop.ts';
export type { TreasuryOptions } from './loop.ts';
export { treasuryVerbs } from './verbs.ts';
export type { FloorOrder, TreasuryBalance, TreasuryVerbs, TreasuryWallet } from './verbs.ts';
export type { ComparedBalance } from './store.ts';
