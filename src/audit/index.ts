export { actionOf } from './action.ts';
export { listAudit } from './list.ts';
export type { AuditEvent, AuditFilter } from './list.ts';
