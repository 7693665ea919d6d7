// The public interface of `usance/client`: everything here runs in Node and in browsers.
export { createClient } from './client.ts';
export type { DryRun, Posting } from './dry-run.ts';
export { etagOf } from './etag.ts';
export type { FollowEvents, FollowOptions, FollowQuery } from './follow.ts';
export type { NotificationMessage, NotifiedEvent } from './notification-message.ts';
export type { AnyEvent, OwnEvent } from './own-event.ts';
export type { OneGiven } from './one-given.ts';
export type { Page, Pages } from './pages.ts';
export { UsanceProblem, UsanceUnreachable } from './problem.ts';
export type { ProblemError } from './problem.ts';
export type * from './schema.ts';
export { API_VERSION } from './schema.ts';
export type { CallOptions, ClientOptions, CommonCallOptions, DryRunCallOptions } from './send.ts';
export { WebhookVerificationError, verifyNotification, verifyWebhook } from './verify-webhook.ts';
export type { VerifyWebhookOptions, WebhookHeaders, WebhookVerificationReason } from './verify-webhook.ts';
