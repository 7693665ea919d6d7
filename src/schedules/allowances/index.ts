export { ALLOWANCE_FREQUENCIES, ALLOWANCE_STATUSES, allowanceRetry } from './allowance.ts';
export type { Allowance, AllowanceFrequency, AllowanceOptions, AllowanceStatus } from './allowance.ts';
export type { AllowanceEdit } from './change.ts';
export { ALLOWANCE_CHECKS } from './checks.ts';
export { CREDIT_STATUSES } from './credits.ts';
export type { AllowanceCredit, CreditStatus } from './credits.ts';
export type { AllowanceOrder } from './create.ts';
export { allowanceVerbs } from './verbs.ts';
export type { AllowanceVerbs } from './verbs.ts';
