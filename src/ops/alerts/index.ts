export { ALERT_KIND_NAMES, ALERT_UNITS } from './alert.ts';
export type { Alert, AlertKind, AlertUnit } from './alert.ts';
export { alertsLoop } from './loop.ts';
export type { AlertsOptions } from './loop.ts';
export { countOpenAlerts, listOpenAlerts } from './store.ts';
export { ALERT_STATUSES, alertVerbs } from './verbs.ts';
export type { AlertFilter, AlertStatus, AlertVerbs } from './verbs.ts';
