export * from './doctor.ts';
export type { Finding, Level } from './finding.ts';
export { operatingVerbs } from './tenant-verbs.ts';
export type { OperatingVerbs } from './tenant-verbs.ts';
