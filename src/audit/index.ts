export { actionOf } from './action.ts';
export { anchorLoop, appendAnchors, lineOf, loadAnchors, readAnchors } from './anchor.ts';
export type { Anchor, AnchorOptions } from './anchor.ts';
export { eraseEvents } from './erase.ts';
export { listAudit, pageOfAudit } from './list.ts';
export type { AuditEvent, AuditFilter, AuditPage, AuditQuery } from './list.ts';
export { sealEvents, sealerLoop } from './sealer.ts';
export { verifyChains } from './verify-chain.ts';
export type { ChainOptions } from './verify-chain.ts';
