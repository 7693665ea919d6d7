// A row that throws is set aside alone; a lost connection or lease is the fault of no row. Locks and conflicts are no defect either: db
// tells them apart (`isLockTimeout`, `isConflict`), and the same work succeeds later.
import { isConnectionTrouble } from '../db/index.ts';
import { LeaseLost } from '../tenants/index.ts';

/** The wire, the server, or a lease: setting rows aside would not help. */
export const isNoRowsFault = (error: unknown): boolean => isConnectionTrouble(error) || error instanceof LeaseLost;
