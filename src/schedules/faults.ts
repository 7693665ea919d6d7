// Whose fault an error is. A row that throws is set aside by itself; a lost connection is the fault of no row, and a lock or a
// lost race is nobody's defect: the same work succeeds later.
import { isConnectionTrouble, sqlState } from '../db/index.ts';
import { LeaseLost } from '../tenants/index.ts';

/** The wire, the server, or a lease: setting rows aside would not help. */
export const isNoRowsFault = (error: unknown): boolean => isConnectionTrouble(error) || error instanceof LeaseLost;

export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03';

/** A deadlock or a serialization failure that was tried again several times. */
export const isLostRace = (error: unknown): boolean => sqlState(error)?.startsWith('40') ?? false;
