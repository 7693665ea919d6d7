export * from './doctor.ts';
export type { Finding, Level } from './finding.ts';
