// The one story of the examples of all routes: alice pays bob.
export const ALICE = 'acct_01k9zt1m6hfpq8w3n5x7y2c4de';
export const BOB = 'acct_01k9zt1p2rvb7d9f0g3h5j8k1m';
export const WORLD = 'acct_01k9zt0a3jx5s7t9v1w3y5z700';
export const FEES = 'acct_01k9zt0b4ky6t8v0w2x4z6a8b0';
export const EXAMPLE_REFS: Readonly<Record<string, string>> = {
  [ALICE]: 'alice',
  [BOB]: 'bob',
  [WORLD]: 'world',
  [FEES]: 'fees',
};
export const HOLD = 'pay_01k9zt3q8sxa4e6r1t9v2w5y7z';
export const PAYMENT = 'pay_01k9zt5c7nmd3g5h8j1k4p6q9r';
export const PLAN = 'plan_01k9zt6d8qne4h6j9k2m5r7s0t';
export const SUBSCRIPTION = 'sub_01k9zt7e9rpf5j7k0m3n6s8t1v';
export const TRANSFER = 'trf_01k9zt2f5wya9b1c3d6e8g0h2j';
export const CREATED_AT = '2026-11-13T09:30:00.000Z';
export const AN_HOUR_LATER = '2026-11-13T10:30:00.000Z';
export const EXECUTE_AT = '2026-11-15T09:30:00.000Z';
export const OCCURRENCE = 'occ_01k9ztg5v7x9z1b3d5f7h9j1k3';
export const SCHEDULE = 'sch_01k9ztf2s4v6x8z0b2d4f6h8j0';
export const EVENT = 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6';
export const JOB = 'job_01k9ztm3v5x7z9b1d3f5h7k9n1';
export const EXECUTION = 'exe_01k9ztn4w6y8a0c2e4g6j8m0p2';
export const INVOCATION = 'inv_01k9ztn4w6q1r3s5t7v9x1z3b5';
export const WORKER = 'wkr_01k9ztk1s3t5v7x9z1b3d5f7h9';
export const WEBHOOK_ENDPOINT = 'whe_01k9ztp5x7z9b1d3f5h7k9n1q3';
