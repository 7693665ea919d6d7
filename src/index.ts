// The library's door.
export { createUsance } from './engine.ts';
export type { TenantHandle, TenantVerbs, Usance, UsanceOptions } from './engine.ts';
export { CATALOGUE, Refusal, SetupError, toDecimal, toMinorUnits } from './kernel/index.ts';
export type { Attribution, Caller, CallerOrder, Code } from './kernel/index.ts';
export { BulkRefusal } from './payments/index.ts';
