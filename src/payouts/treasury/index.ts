export { treasuryLoop } from './loop.ts';
export type { TreasuryOptions } from './loop.ts';
export { treasuryVerbs } from './verbs.ts';
export type { TreasuryVerbs, TreasuryWallet } from './verbs.ts';
export type { WalletBalance } from './store.ts';
