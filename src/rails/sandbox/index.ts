export { FEE_ASSET } from './chain.ts';
export { NO_FAULTS, WRONG_ANSWERS } from './faults.ts';
export type { Faults, WrongAnswer } from './faults.ts';
export * from './open.ts';
export type { TransactionRow as SandboxTransaction } from './store.ts';
export { walletKey } from './transaction.ts';
