// The public interface of `usance/client`: everything here runs in Node and in browsers.
export { fromWire, toCamel, toWire } from './case.ts';
export { createClient } from './client.ts';
export { etagOf, rememberETag } from './etag.ts';
export type { Operation, UsanceClient } from './client.ts';
export type { DryRun, Posting } from './dry-run.ts';
export type { FollowEvents, FollowOptions, FollowQuery } from './follow.ts';
export { createPages } from './pages.ts';
export type { Page, Pages } from './pages.ts';
export { UsanceProblem, UsanceUnreachable } from './problem.ts';
export type * from './schema.ts';
export { API_VERSION, OPERATIONS } from './schema.ts';
export type { CallOptions, DryRunCallOptions, SendOptions as ClientOptions } from './send.ts';
