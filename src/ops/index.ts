export * from './doctor.ts';
export { createMeters, createMonitoring } from './monitoring/index.ts';
export type { Answered, Meters, Monitoring } from './monitoring/index.ts';
export type { Finding, Level } from './finding.ts';
export { operatingVerbs } from './tenant-verbs.ts';
export type { OperatingVerbs } from './tenant-verbs.ts';
