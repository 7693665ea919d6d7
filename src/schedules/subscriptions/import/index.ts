export { importSubscriptions } from './import.ts';
export type { ImportProblem, SubscriptionImport, SubscriptionImportReport, SubscriptionTotal } from './import.ts';
export { IMPORT_STATUSES } from './row.ts';
export type { ImportStatus } from './row.ts';
