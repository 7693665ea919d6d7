export * from './record.ts';
export { listAudit } from './store.ts';
