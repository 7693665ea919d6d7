// Every verb that writes, and what the law says of it apart from any row. A verb of the handle that is missing here is a type
// error, so a new one is in the matrix before it is in the program.
import type { Scope } from '../../src/engine.ts';
import type { Cell, LoopName, Resource, WritingVerb } from './axes.ts';
import { ACTORS, RESOURCES } from './axes.ts';

export interface VerbSpec {
  readonly resources: readonly Resource[];
  /** What a key needs over HTTP; `library`: there is no route, and a key's handle is as free as the library's. */
  readonly scope: Scope | 'library';
  /** Open to end users, about what is their own. */
  readonly endUsers?: true;
  /** Takes no part in the tenant's time, and goes on while its test clock advances. */
  readonly untimed?: true;
  /** Ways to call it whose answers differ. */
  readonly ways?: readonly string[];
}

export const VERBS = {
  createAsset: { resources: ['asset'], scope: 'ledger:write' },
  openAccount: { resources: ['account'], scope: 'ledger:write', ways: ['with its ref', 'with another ref'] },
  editAccount: { resources: ['account'], scope: 'ledger:write' },
  suspendAccount: { resources: ['account'], scope: 'ledger:write' },
  reactivateAccount: { resources: ['account'], scope: 'ledger:write' },
  closeAccount: { resources: ['account'], scope: 'ledger:write' },
  eraseAccount: { resources: ['account'], scope: 'admin' },
  revokeTokens: { resources: ['account'], scope: 'keys:write' },
  deposit: { resources: ['order'], scope: 'ledger:money' },
  withdraw: { resources: ['order'], scope: 'ledger:money' },
  transfer: { resources: ['order'], scope: 'library' },
  reserve: { resources: ['order'], scope: 'library' },
  importOpeningBalances: { resources: ['order'], scope: 'library' },
  capture: { resources: ['reservation'], scope: 'library' },
  release: { resources: ['reservation'], scope: 'library' },
  unfreeze: { resources: ['settings'], scope: 'library' },

  createPayment: { resources: ['order'], scope: 'library', endUsers: true },
  createPaymentGrouped: { resources: ['order'], scope: 'payments:write', endUsers: true, ways: ['hold', 'payment'] },
  createPayments: { resources: ['order'], scope: 'payments:write' },
  cancelPayment: { resources: ['payment'], scope: 'payments:write', endUsers: true },
  capturePayment: { resources: ['payment'], scope: 'payments:write', endUsers: true, ways: ['whole', 'part'] },
  editPayment: {
    resources: ['payment'],
    scope: 'payments:write',
    endUsers: true,
    ways: ['more', 'less', 'execute_at', 'metadata'],
  },
  extendPayment: { resources: ['payment'], scope: 'payments:write', endUsers: true },
  refundPayment: { resources: ['payment'], scope: 'payments:write', ways: ['whole', 'part'] },
  retryPayment: { resources: ['payment'], scope: 'ops:write' },
  runPaymentNow: { resources: ['payment'], scope: 'ops:write' },
  runPaymentsNow: { resources: ['payment'], scope: 'ops:write' },
  failPayment: { resources: ['payment'], scope: 'ops:write' },
  resolvePayout: { resources: ['payment'], scope: 'ops:write' },
  approvePayment: { resources: ['payment'], scope: 'ops:write', ways: ['as seen', 'other terms'] },
  rejectPayment: { resources: ['payment'], scope: 'ops:write' },
  setLimit: { resources: ['settings'], scope: 'admin' },

  createSchedule: { resources: ['order'], scope: 'payments:write' },
  editSchedule: { resources: ['schedule'], scope: 'payments:write', ways: ['amount', 'rule', 'metadata'] },
  pauseSchedule: { resources: ['schedule'], scope: 'payments:write' },
  resumeSchedule: { resources: ['schedule'], scope: 'payments:write' },
  cancelSchedule: { resources: ['schedule'], scope: 'payments:write' },
  triggerSchedule: { resources: ['schedule'], scope: 'payments:write' },
  backfillSchedule: { resources: ['schedule'], scope: 'payments:write' },
  setOutageGuard: { resources: ['settings'], scope: 'admin' },
  releaseOutage: { resources: ['outage'], scope: 'ops:write' },
  discardOutage: { resources: ['outage'], scope: 'ops:write' },

  importSubscriptions: { resources: ['order'], scope: 'library' },
  createPlan: { resources: ['order'], scope: 'payments:write' },
  editPlan: { resources: ['plan'], scope: 'payments:write' },
  subscribe: { resources: ['order'], scope: 'payments:write' },
  editSubscription: { resources: ['subscription'], scope: 'payments:write', ways: ['retry', 'metadata'] },
  cancelSubscription: {
    resources: ['subscription'],
    scope: 'payments:write',
    endUsers: true,
    ways: ['now', 'at the period’s end'],
  },
  changeSubscriptionPlan: { resources: ['subscription'], scope: 'payments:write' },
  pauseSubscription: { resources: ['subscription'], scope: 'payments:write' },
  resumeSubscription: { resources: ['subscription'], scope: 'payments:write' },
  createAllowance: { resources: ['allowance'], scope: 'payments:write', endUsers: true },
  editAllowance: {
    resources: ['allowance'],
    scope: 'payments:write',
    endUsers: true,
    ways: ['amount', 'ON', 'OFF'],
  },
  deleteAllowance: { resources: ['allowance'], scope: 'payments:write', endUsers: true },

  createJob: { resources: ['job'], scope: 'jobs:write', ways: ['with its name', 'with another name'] },
  updateJob: { resources: ['job'], scope: 'jobs:write' },
  deleteJob: { resources: ['job'], scope: 'jobs:write' },
  retryExecution: { resources: ['execution'], scope: 'jobs:write' },
  cancelExecution: { resources: ['execution'], scope: 'jobs:write' },

  createWebhookEndpoint: { resources: ['webhook endpoint'], scope: 'library' },
  updateWebhookEndpoint: { resources: ['webhook endpoint'], scope: 'library' },
  deleteWebhookEndpoint: { resources: ['webhook endpoint'], scope: 'library' },
  rotateWebhookSecret: { resources: ['webhook endpoint'], scope: 'library' },
  testWebhookEndpoint: { resources: ['webhook endpoint'], scope: 'library' },
  recoverWebhookEndpoint: { resources: ['webhook endpoint'], scope: 'library' },
  redeliver: { resources: ['delivery'], scope: 'library' },

  updateEmailSettings: { resources: ['settings'], scope: 'notifications:write' },
  setEmailTemplate: { resources: ['settings'], scope: 'notifications:write' },
  deleteEmailTemplate: { resources: ['settings'], scope: 'notifications:write' },
  createEmailOptOut: { resources: ['settings'], scope: 'notifications:write' },
  deleteEmailOptOut: { resources: ['settings'], scope: 'notifications:write' },
  createNotificationChannel: { resources: ['notification channel'], scope: 'notifications:write' },
  updateNotificationChannel: { resources: ['notification channel'], scope: 'notifications:write' },
  deleteNotificationChannel: { resources: ['notification channel'], scope: 'notifications:write' },
  rotateNotificationSecret: { resources: ['notification channel'], scope: 'notifications:write' },
  testNotificationChannel: { resources: ['notification channel'], scope: 'notifications:write' },

  retryDeadLetter: { resources: ['payment', 'occurrence'], scope: 'ops:write' },
  retryDeadLetters: { resources: ['payment', 'occurrence'], scope: 'ops:write' },
  discardDeadLetter: { resources: ['payment', 'occurrence'], scope: 'ops:write' },
  discardDeadLetters: { resources: ['payment', 'occurrence'], scope: 'ops:write' },
  eraseAuditEvent: { resources: ['audit event'], scope: 'admin' },
  appendEvent: { resources: ['own event'], scope: 'events:write' },
  appendEvents: { resources: ['own event'], scope: 'events:write' },
  pause: { resources: ['pause'], scope: 'ops:write' },
  liftPause: { resources: ['pause'], scope: 'ops:write' },
  setDefaultAsset: { resources: ['settings'], scope: 'library' },
  setExecutionCap: { resources: ['settings'], scope: 'ops:write' },

  createApiKey: {
    resources: ['API key'],
    scope: 'keys:write',
    untimed: true,
    ways: ['within its scopes', 'beyond its scopes'],
  },
  revokeApiKey: { resources: ['API key'], scope: 'keys:write', untimed: true },
  rotateApiKey: { resources: ['API key'], scope: 'keys:write', untimed: true },
  createTokenIssuer: { resources: ['token issuer'], scope: 'admin' },
  updateTokenIssuer: { resources: ['token issuer'], scope: 'admin' },
  deleteTokenIssuer: { resources: ['token issuer'], scope: 'keys:write' },
  createTenant: { resources: ['tenant'], scope: 'tenants:write' },
  createTestClock: { resources: ['clock'], scope: 'ops:write', untimed: true },
  advanceTestClock: { resources: ['clock'], scope: 'ops:write', untimed: true },
  cancelAdvance: { resources: ['clock'], scope: 'ops:write', untimed: true },
  deleteTestClock: { resources: ['clock'], scope: 'ops:write', untimed: true },

  processor: { resources: ['payment'], scope: 'library' },
  scheduler: { resources: ['schedule'], scope: 'library' },
} as const satisfies Record<WritingVerb | LoopName, VerbSpec>;

/** The verbs that a resource's rows are asked for. */
export type VerbOf<R extends Resource> = {
  [V in keyof typeof VERBS]: R extends (typeof VERBS)[V]['resources'][number] ? Exclude<V, LoopName> : never;
}[keyof typeof VERBS];

export const specOf = (verb: WritingVerb | LoopName): VerbSpec => VERBS[verb];

/** Every cell of a resource, reachable or not, in a fixed order. */
export function* cellsOf(resource: Resource): Generator<Cell> {
  const { states, owners, conditions, money } = RESOURCES[resource];
  for (const verb of Object.keys(VERBS) as (WritingVerb | LoopName)[]) {
    const { resources, ways = [''] } = specOf(verb);
    if (!resources.includes(resource)) continue;
    for (const way of ways)
      for (const state of states)
        for (const owner of owners)
          for (const condition of conditions)
            for (const flow of money)
              for (const actor of ACTORS) yield { resource, verb, way, state, owner, actor, condition, money: flow };
  }
}
