export * from './account.ts';
export { accountFits } from './account-list-store.ts';
export type { AccountFilter, AccountPage } from './account-list-store.ts';
export { applyTransfers, writeApplied } from './apply-transfers.ts';
export {
  accountRefs,
  balancesOf,
  findAccountNames,
  findAccounts,
  findAsset,
  findAssets,
  findClosed,
  findInactive,
  listAssets,
  refColumn,
  shareAccount,
} from './account-store.ts';
export { derivedBalance, ensureBalances, hasWakes, readBalances, setLimited, takeWakes } from './balance-store.ts';
export { Book, isRefused, keyOf } from './book.ts';
export type {
  Balance,
  BalanceKey,
  BookChanges,
  BookContents,
  Movement,
  Refused,
  Reservation,
  ReserveOrder,
  Transfer,
} from './book.ts';
export { MOST_BALANCE_POINTS, balanceHistory } from './balance-history.ts';
export type { BalanceHistory, BalanceHistoryOrder, BalancePoint, HeldChange } from './balance-history.ts';
export type { HistoryWindow } from './balance-history-store.ts';
export * from './change-account.ts';
export { ENCRYPTED_CONTACTS, checkedContact, contactOf } from './contact.ts';
export * from './check-slice.ts';
export {
  ACCOUNTS,
  GUARDIANS,
  LEDGER_CHECKS,
  MOVED_BY_PAYMENT,
  NOTED_ON_BALANCES,
  TRANSFERS,
  TRANSFERS_OF_PAYMENTS,
  reservedCheck,
} from './checks.ts';
export type { Check } from './checks.ts';
export * from './create-asset.ts';
export * from './dry-run.ts';
export { transferPosted } from './facts.ts';
export { fingerprint } from './fingerprint.ts';
export * from './freeze.ts';
export * from './import-balances.ts';
export { listFreezes, lookUnderLock } from './integrity-store.ts';
export type { Freeze, Offender } from './integrity-store.ts';
export * from './open-account.ts';
export * from './open-book.ts';
export { openTenant } from './open-tenant.ts';
export type { GuardiansRemoved } from './guardians.ts';
export type { GuardOutgoing } from './outgoing.ts';
export * from './post-transfers.ts';
export * from './reserve.ts';
export { listReservations, listTransfers, readReservations, readTransfer } from './store.ts';
export * from './statement.ts';
export * from './system-accounts.ts';
export * from './verb-context.ts';
export type { ForgetTexts } from './erase-account.ts';
export * from './external-money.ts';
export * from './verbs.ts';
export * from './verify.ts';
