// Written from the OpenAPI document by "npm run docs:client"; a test keeps them equal. Change the routes, not this.
import type {
  AnyEvent,
  DryRun,
  OneGiven,
  Page,
  Pages,
  Account,
  AccountCreateParams,
  AccountUpdateParams,
  AccountWithBalances,
  Alert,
  Allowance,
  AllowanceCredit,
  ApiKey,
  ApiKeyMade,
  AppendedEvent,
  AppendedEvents,
  Asset,
  AssetCreateParams,
  AuditChain,
  AuditEvent,
  BalanceHistory,
  Balances,
  BulkAnswer,
  Chain,
  ChainHealthSnapshot,
  CronRun,
  DeadLetter,
  DeadLetterDone,
  DeadLetterGroup,
  DeadLettersDiscarded,
  DeadLettersRetried,
  Delivery,
  DeliveryWithAttempts,
  EmailOptOut,
  EmailOptOutCreateParams,
  EmailSettings,
  EmailTemplate,
  EmailTemplateSetParams,
  EmailTemplateSummary,
  EmailUpdateParams,
  ErasedEvent,
  Event,
  EventAppendManyParams,
  EventAppendParams,
  Execution,
  ExecutionCap,
  Forecast,
  Hold,
  HoldCreateParams,
  HoldEvent,
  Invocation,
  Job,
  JobCreateParams,
  JobUpdateParams,
  Limit,
  LimitParams,
  MoneyParams,
  NotificationChannel,
  NotificationChannelCreateParams,
  NotificationChannelMade,
  NotificationChannelTest,
  NotificationChannelUpdateParams,
  Occurrence,
  Outage,
  OutageGuard,
  OutageGuardParams,
  Overview,
  Pause,
  Payment,
  PaymentCreateManyParams,
  PaymentCreateParams,
  PaymentIntent,
  PaymentIntentCreateParams,
  PaymentUpdateParams,
  PaymentWhy,
  PayoutAttempt,
  PayoutCap,
  PayoutCapParams,
  PayoutDestination,
  PayoutDestinationCreateParams,
  PayoutPolicy,
  PayoutPolicyParams,
  PayoutResolveParams,
  PayoutRoute,
  Plan,
  PlanChange,
  PlanCreateParams,
  PlanUpdateParams,
  Processor,
  Quote,
  QuoteAcceptParams,
  QuoteCreateParams,
  Receipt,
  Refunded,
  Reservation,
  RevokedTokens,
  RunNowAnswer,
  Schedule,
  ScheduleCreateParams,
  SchedulePreview,
  SchedulePreviewParams,
  ScheduleUpdateParams,
  SearchHit,
  SentEmail,
  Series,
  Settings,
  Statement,
  Subscription,
  SubscriptionCreateParams,
  SubscriptionUpdateParams,
  Tenant,
  TenantMade,
  TestClock,
  TimelineEntry,
  TokenIssuer,
  TokenIssuerCreateParams,
  TokenIssuerUpdateParams,
  Transfer,
  TreasuryWallet,
  TreasuryWalletFloorParams,
  TreasuryWalletUnfreezeParams,
  Upcoming,
  UpcomingRun,
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointMade,
  WebhookEndpointRecovery,
  WebhookEndpointTest,
  WebhookEndpointUpdateParams,
} from '../client/index.ts';
import type { DryRunOptions, KeyOptions, RequiredKey } from './options.ts';

export interface AssetsResource {
  /** Create an asset */
  create(params: AssetCreateParams, options?: KeyOptions): Promise<Asset>;
  /** Dry run: Create an asset */
  create(params: AssetCreateParams, options: DryRunOptions): Promise<DryRun<Asset>>;
  /** List assets */
  list(): Pages<Asset>;
}

export interface AccountsResource {
  /** Create an account */
  create(params: AccountCreateParams, options?: KeyOptions): Promise<Account>;
  /** Dry run: Create an account */
  create(params: AccountCreateParams, options: DryRunOptions): Promise<DryRun<Account>>;
  /** List accounts */
  list(params?: {
    /** One or several; any of them matches. Default: all. */
    readonly status?: 'active' | 'suspended' | 'closed' | readonly ('active' | 'suspended' | 'closed')[];
    /** One or several; any of them matches. Default: all. */
    readonly kind?:
      | 'user'
      | 'merchant'
      | 'treasury'
      | 'system'
      | readonly ('user' | 'merchant' | 'treasury' | 'system')[];
    /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly createdFrom?: Date | string;
    /** Created before this instant. Default: any. RFC 3339, with a zone. */
    readonly createdBefore?: Date | string;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Account>;
  /** Get an account and its balances */
  get(id: string): Promise<AccountWithBalances>;
  /** Update the name, contact or guardians of an account */
  update(id: string, params?: AccountUpdateParams, options?: KeyOptions): Promise<Account>;
  /** Dry run: Update the name, contact or guardians of an account */
  update(id: string, params: AccountUpdateParams | undefined, options: DryRunOptions): Promise<DryRun<Account>>;
  /** Suspend an account */
  suspend(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<Account>;
  /** Dry run: Suspend an account */
  suspend(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Account>>;
  /** Reactivate a suspended account */
  reactivate(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<Account>;
  /** Dry run: Reactivate a suspended account */
  reactivate(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Account>>;
  /** Erase the personal fields of a closed account */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
      /** Whether to erase the ref too, because it identifies a person. Default false. */
      readonly ref?: boolean;
    },
    options?: KeyOptions,
  ): Promise<Account>;
  /** Dry run: Erase the personal fields of a closed account */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
      /** Whether to erase the ref too, because it identifies a person. Default false. */
      readonly ref?: boolean;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Account>>;
  /** Revoke the tokens of an end user */
  revokeTokens(id: string, options?: KeyOptions): Promise<RevokedTokens>;
  /** Dry run: Revoke the tokens of an end user */
  revokeTokens(id: string, options: DryRunOptions): Promise<DryRun<RevokedTokens>>;
  /** Close an account */
  close(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<Account>;
  /** Dry run: Close an account */
  close(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Account>>;
  /** Deposit money */
  deposit(id: string, params: MoneyParams, options: RequiredKey): Promise<Transfer>;
  /** Dry run: Deposit money */
  deposit(id: string, params: MoneyParams, options: DryRunOptions): Promise<DryRun<Transfer>>;
  /** Withdraw money */
  withdraw(id: string, params: MoneyParams, options: RequiredKey): Promise<Transfer>;
  /** Dry run: Withdraw money */
  withdraw(id: string, params: MoneyParams, options: DryRunOptions): Promise<DryRun<Transfer>>;
  /** List the transfers of an account */
  listTransfers(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<Transfer>;
  /** List the reservations of an account */
  listReservations(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<Reservation>;
  /** Get balances, now or at an instant */
  getBalances(
    id: string,
    params?: {
      /** The instant of the balances. Default: now. RFC 3339, with a zone. */
      readonly at?: Date | string;
    },
  ): Promise<Balances>;
  /** Get a statement */
  getStatement(
    id: string,
    params: {
      /** Start of the period, included. RFC 3339, with a zone. */
      readonly from: Date | string;
      /** End of the period, excluded. RFC 3339, with a zone. */
      readonly to: Date | string;
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
    },
  ): Promise<Statement>;
  /** Forecast an account’s balances and shortfalls */
  getForecast(
    id: string,
    params?: {
      /** How many days ahead. Default 30. */
      readonly days?: number;
    },
  ): Promise<Forecast>;
  /** Upcoming payments of an account as a calendar */
  getUpcomingCalendar(
    id: string,
    params?: {
      /** How many days ahead. Default 30. */
      readonly days?: number;
    },
  ): Promise<string>;
  /** Get a balance over time */
  getBalanceHistory(
    id: string,
    params?: {
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
      /** Start of the period. Default: 30 days before `until`. RFC 3339, with a zone. */
      readonly from?: Date | string;
      /** End of the period. Default: now. RFC 3339, with a zone. */
      readonly until?: Date | string;
      /** Default 60. */
      readonly points?: number;
    },
  ): Promise<BalanceHistory>;
}

export interface HoldsResource {
  /** Create a hold */
  create(params: HoldCreateParams, options: RequiredKey): Promise<Hold>;
  /** Dry run: Create a hold */
  create(params: HoldCreateParams, options: DryRunOptions): Promise<DryRun<Hold>>;
  /** List holds */
  list(params?: {
    /** One or several; any of them matches. `PENDING`, `PROCESSING`, `COMPLETED`, `FAILED`, `CANCELLED`, `EXPIRED`: for compatibility. Default: all. */
    readonly status?:
      | 'scheduled'
      | 'processing'
      | 'submitted'
      | 'review'
      | 'settled'
      | 'failed'
      | 'cancelled'
      | 'expired'
      | 'PENDING'
      | 'PROCESSING'
      | 'COMPLETED'
      | 'FAILED'
      | 'CANCELLED'
      | 'EXPIRED'
      | readonly (
          | 'scheduled'
          | 'processing'
          | 'submitted'
          | 'review'
          | 'settled'
          | 'failed'
          | 'cancelled'
          | 'expired'
          | 'PENDING'
          | 'PROCESSING'
          | 'COMPLETED'
          | 'FAILED'
          | 'CANCELLED'
          | 'EXPIRED'
        )[];
    /** Payer or payee: id or ref. Default: all. */
    readonly account?: string;
    /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly executeFrom?: Date | string;
    /** Due before this instant. Default: any. RFC 3339, with a zone. */
    readonly executeBefore?: Date | string;
    /** Your own name for the payment, unique within the tenant. Default: all. */
    readonly reference?: string;
    /** `awaited`: payments that wait for approval. Default: all. */
    readonly approval?: 'awaited' | 'given';
    /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly createdFrom?: Date | string;
    /** Created before this instant. Default: any. RFC 3339, with a zone. */
    readonly createdBefore?: Date | string;
    /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
    readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Hold>;
  /** Get a hold */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    },
  ): Promise<Hold>;
  /** List the events of a hold */
  listEvents(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<HoldEvent>;
  /** Cancel a hold */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Hold>;
  /** Dry run: Cancel a hold */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Hold>>;
  /** Capture a hold, whole or in part */
  capture(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
        }
      | undefined,
    options: RequiredKey,
  ): Promise<Hold>;
  /** Dry run: Capture a hold, whole or in part */
  capture(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Hold>>;
  /** Extend a hold */
  extend(
    id: string,
    params: {
      /** The new instant at which the hold expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options?: KeyOptions,
  ): Promise<Hold>;
  /** Dry run: Extend a hold */
  extend(
    id: string,
    params: {
      /** The new instant at which the hold expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Hold>>;
}

export interface PaymentsResource {
  /** Create a payment */
  create(params: PaymentCreateParams, options: RequiredKey): Promise<Payment>;
  /** Dry run: Create a payment */
  create(params: PaymentCreateParams, options: DryRunOptions): Promise<DryRun<Payment>>;
  /** List payments */
  list(params?: {
    /** One or several; any of them matches. Default: all. */
    readonly status?:
      | 'scheduled'
      | 'processing'
      | 'submitted'
      | 'review'
      | 'settled'
      | 'failed'
      | 'cancelled'
      | 'expired'
      | readonly (
          | 'scheduled'
          | 'processing'
          | 'submitted'
          | 'review'
          | 'settled'
          | 'failed'
          | 'cancelled'
          | 'expired'
        )[];
    /** Payer or payee: id or ref. Default: all. */
    readonly account?: string;
    /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly executeFrom?: Date | string;
    /** Due before this instant. Default: any. RFC 3339, with a zone. */
    readonly executeBefore?: Date | string;
    /** Your own name for the payment, unique within the tenant. Default: all. */
    readonly reference?: string;
    /** `awaited`: payments that wait for approval. Default: all. */
    readonly approval?: 'awaited' | 'given';
    /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly createdFrom?: Date | string;
    /** Created before this instant. Default: any. RFC 3339, with a zone. */
    readonly createdBefore?: Date | string;
    /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
    readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Payment>;
  /** Get a payment */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    },
  ): Promise<Payment>;
  /** Update a scheduled payment */
  update(id: string, params?: PaymentUpdateParams, options?: KeyOptions): Promise<Payment>;
  /** Dry run: Update a scheduled payment */
  update(id: string, params: PaymentUpdateParams | undefined, options: DryRunOptions): Promise<DryRun<Payment>>;
  /** List the timeline of a payment */
  listTimeline(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<TimelineEntry>;
  /** Cancel a scheduled payment */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Payment>;
  /** Dry run: Cancel a scheduled payment */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Payment>>;
  /** Capture a payment, whole or in part */
  capture(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
        }
      | undefined,
    options: RequiredKey,
  ): Promise<Payment>;
  /** Dry run: Capture a payment, whole or in part */
  capture(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Payment>>;
  /** Extend a payment */
  extend(
    id: string,
    params: {
      /** The new instant at which the payment expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options?: KeyOptions,
  ): Promise<Payment>;
  /** Dry run: Extend a payment */
  extend(
    id: string,
    params: {
      /** The new instant at which the payment expires if it is not settled by then. RFC 3339, with a zone. */
      readonly expiresAt: Date | string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Payment>>;
  /** Refund a settled payment */
  refund(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
          /** An account: its id (`acct_…`) or your ref. Default: the payee; required if a part is refunded and there are several payees. */
          readonly from?: string;
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: RequiredKey,
  ): Promise<Refunded>;
  /** Dry run: Refund a settled payment */
  refund(
    id: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: all that is left. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: all that is left. */
          readonly amountDecimal?: string;
          /** An account: its id (`acct_…`) or your ref. Default: the payee; required if a part is refunded and there are several payees. */
          readonly from?: string;
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Refunded>>;
  /** Retry a failed payment */
  retry(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Payment>;
  /** Dry run: Retry a failed payment */
  retry(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Payment>>;
  /** Run a scheduled payment now */
  runNow(id: string, options?: KeyOptions): Promise<Payment>;
  /** Dry run: Run a scheduled payment now */
  runNow(id: string, options: DryRunOptions): Promise<DryRun<Payment>>;
  /** Fail a scheduled payment */
  fail(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<Payment>;
  /** Dry run: Fail a scheduled payment */
  fail(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Payment>>;
  /** Explain why a payment has not been paid yet */
  why(id: string): Promise<PaymentWhy>;
  /** Get the receipt of a payment */
  receipt(
    id: string,
    params?: {
      /** The seq of an anchor to lead to. Default: the end of the chain. */
      readonly anchor?: string;
    },
  ): Promise<Receipt>;
  /** Approve a payment */
  approve(
    id: string,
    params: {
      /** The version of the terms that you approve: `termsVersion` of the payment as you saw it. */
      readonly termsVersion: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Payment>;
  /** Dry run: Approve a payment */
  approve(
    id: string,
    params: {
      /** The version of the terms that you approve: `termsVersion` of the payment as you saw it. */
      readonly termsVersion: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Payment>>;
  /** Reject a payment that awaits approval */
  reject(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<Payment>;
  /** Dry run: Reject a payment that awaits approval */
  reject(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Payment>>;
  /** Create up to 10,000 payments */
  createMany(params: PaymentCreateManyParams, options: RequiredKey): Promise<BulkAnswer>;
  /** Dry run: Create up to 10,000 payments */
  createMany(params: PaymentCreateManyParams, options: DryRunOptions): Promise<DryRun<BulkAnswer>>;
  /** Run scheduled payments now, by filter */
  runManyNow(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** Payer or payee: id or ref. Default: all. */
        readonly account?: string;
        /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly executeFrom?: Date | string;
        /** Due before this instant. Default: any. RFC 3339, with a zone. */
        readonly executeBefore?: Date | string;
        /** Your own name for the payment, unique within the tenant. Default: all. */
        readonly reference?: string;
        /** Only payments that have failed at least once. Default: false. */
        readonly retries?: boolean;
        /** Only charges of subscriptions. Default: false. */
        readonly charges?: boolean;
        /** Only the payer: id or ref. Default: all. */
        readonly from?: string;
        /** `hold` and `payment`: created by a caller, with funds reserved or not. `charge`: created by a subscription. `schedule`: created by another schedule. Default: all. */
        readonly kind?: 'hold' | 'charge' | 'allowance' | 'schedule' | 'payment';
        /** Only payments whose last attempt failed with this code, such as `FUNDS_INSUFFICIENT`. Default: all. */
        readonly code?: string;
      };
      /** How many payments match the filter in all. Default: none; give this or `limit`, except in a dry run. */
      readonly expect?: number;
      /** How many payments to run at most. Default: none; give this or `expect`, except in a dry run. */
      readonly limit?: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<RunNowAnswer>;
  /** Dry run: Run scheduled payments now, by filter */
  runManyNow(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** Payer or payee: id or ref. Default: all. */
        readonly account?: string;
        /** Due at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly executeFrom?: Date | string;
        /** Due before this instant. Default: any. RFC 3339, with a zone. */
        readonly executeBefore?: Date | string;
        /** Your own name for the payment, unique within the tenant. Default: all. */
        readonly reference?: string;
        /** Only payments that have failed at least once. Default: false. */
        readonly retries?: boolean;
        /** Only charges of subscriptions. Default: false. */
        readonly charges?: boolean;
        /** Only the payer: id or ref. Default: all. */
        readonly from?: string;
        /** `hold` and `payment`: created by a caller, with funds reserved or not. `charge`: created by a subscription. `schedule`: created by another schedule. Default: all. */
        readonly kind?: 'hold' | 'charge' | 'allowance' | 'schedule' | 'payment';
        /** Only payments whose last attempt failed with this code, such as `FUNDS_INSUFFICIENT`. Default: all. */
        readonly code?: string;
      };
      /** How many payments match the filter in all. Default: none; give this or `limit`, except in a dry run. */
      readonly expect?: number;
      /** How many payments to run at most. Default: none; give this or `expect`, except in a dry run. */
      readonly limit?: number;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<RunNowAnswer>>;
  /** Get the route of a payout */
  getRoute(id: string): Promise<PayoutRoute>;
  /** List the attempts of a payout */
  listAttempts(
    id: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<PayoutAttempt>;
  /** Resolve a payout in review */
  resolve(id: string, params: PayoutResolveParams, options?: KeyOptions): Promise<Payment>;
  /** Dry run: Resolve a payout in review */
  resolve(id: string, params: PayoutResolveParams, options: DryRunOptions): Promise<DryRun<Payment>>;
}

export interface SchedulesResource {
  /** Preview a rule */
  preview(params: SchedulePreviewParams, options?: KeyOptions): Promise<SchedulePreview>;
  /** Create a schedule */
  create(params: ScheduleCreateParams, options: RequiredKey): Promise<Schedule>;
  /** Dry run: Create a schedule */
  create(params: ScheduleCreateParams, options: DryRunOptions): Promise<DryRun<Schedule>>;
  /** List schedules */
  list(params?: {
    /** One or several; any of them matches. Default: all. */
    readonly status?:
      | 'active'
      | 'paused'
      | 'completed'
      | 'cancelled'
      | 'expired'
      | readonly ('active' | 'paused' | 'completed' | 'cancelled' | 'expired')[];
    /** Payer or payee: id or ref. Default: all. */
    readonly account?: string;
    /** Your own name for the payment, unique within the tenant. Default: all. */
    readonly reference?: string;
    /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly createdFrom?: Date | string;
    /** Created before this instant. Default: any. RFC 3339, with a zone. */
    readonly createdBefore?: Date | string;
    /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
    readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Schedule>;
  /** Get a schedule */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | 'to' | readonly ('from' | 'to')[];
    },
  ): Promise<Schedule>;
  /** Update a schedule */
  update(id: string, params?: ScheduleUpdateParams, options?: KeyOptions): Promise<Schedule>;
  /** Dry run: Update a schedule */
  update(id: string, params: ScheduleUpdateParams | undefined, options: DryRunOptions): Promise<DryRun<Schedule>>;
  /** Pause a schedule */
  pause(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Schedule>;
  /** Dry run: Pause a schedule */
  pause(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Schedule>>;
  /** Resume a paused schedule */
  resume(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Schedule>;
  /** Dry run: Resume a paused schedule */
  resume(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Schedule>>;
  /** Cancel a schedule */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
      /** Also cancels its last payment, if that is still waiting, so that its retries stop. Default: false. */
      readonly cancelPayment?: boolean;
    },
    options?: KeyOptions,
  ): Promise<Schedule>;
  /** Dry run: Cancel a schedule */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
          /** Also cancels its last payment, if that is still waiting, so that its retries stop. Default: false. */
          readonly cancelPayment?: boolean;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Schedule>>;
  /** Trigger a run of a schedule */
  trigger(id: string, options: RequiredKey): Promise<Occurrence>;
  /** Dry run: Trigger a run of a schedule */
  trigger(id: string, options: DryRunOptions): Promise<DryRun<Occurrence>>;
  /** Backfill past runs of a schedule */
  backfill(
    id: string,
    params: {
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly start: string;
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly end: string;
    },
    options: RequiredKey,
  ): Promise<Page<Occurrence>>;
  /** Dry run: Backfill past runs of a schedule */
  backfill(
    id: string,
    params: {
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly start: string;
      /** A local date, or date and time, in the zone of the schedule: no offset. */
      readonly end: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Page<Occurrence>>>;
  /** List the upcoming runs of a schedule */
  listUpcoming(
    id: string,
    params?: {
      /** How many runs. Default 10. */
      readonly count?: number;
    },
  ): Pages<UpcomingRun>;
  /** List the past runs of a schedule */
  listOccurrences(
    id: string,
    params?: {
      /** Only runs with this outcome. Default: any. */
      readonly status?: 'made' | 'skipped' | 'failed';
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<Occurrence>;
}

export interface OutageGuardResource {
  /** Get the outage guard */
  get(): Promise<OutageGuard>;
  /** Set the outage guard */
  set(params?: OutageGuardParams, options?: KeyOptions): Promise<OutageGuard>;
  /** Dry run: Set the outage guard */
  set(params: OutageGuardParams | undefined, options: DryRunOptions): Promise<DryRun<OutageGuard>>;
}

export interface OutagesResource {
  /** List outages */
  list(params?: {
    /** Only outages with this status. Default: any. */
    readonly status?: 'waiting' | 'released' | 'discarded';
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Outage>;
  /** Release the runs of an outage */
  release(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Outage>;
  /** Dry run: Release the runs of an outage */
  release(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Outage>>;
  /** Discard the runs of an outage */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<Outage>;
  /** Dry run: Discard the runs of an outage */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Outage>>;
}

export interface PlansResource {
  /** Create a plan */
  create(params: PlanCreateParams, options?: KeyOptions): Promise<Plan>;
  /** Dry run: Create a plan */
  create(params: PlanCreateParams, options: DryRunOptions): Promise<DryRun<Plan>>;
  /** List plans */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Plan>;
  /** Get a plan */
  get(id: string): Promise<Plan>;
  /** Update a plan */
  update(id: string, params?: PlanUpdateParams, options?: KeyOptions): Promise<Plan>;
  /** Dry run: Update a plan */
  update(id: string, params: PlanUpdateParams | undefined, options: DryRunOptions): Promise<DryRun<Plan>>;
}

export interface SubscriptionsResource {
  /** Create a subscription */
  create(params: SubscriptionCreateParams, options: RequiredKey): Promise<Subscription>;
  /** Dry run: Create a subscription */
  create(params: SubscriptionCreateParams, options: DryRunOptions): Promise<DryRun<Subscription>>;
  /** List subscriptions */
  list(params?: {
    /** One or several; any of them matches. Default: all. */
    readonly status?:
      | 'trialing'
      | 'active'
      | 'paused'
      | 'past_due'
      | 'cancelled'
      | 'expired'
      | readonly ('trialing' | 'active' | 'paused' | 'past_due' | 'cancelled' | 'expired')[];
    /** The plan, by id. Default: all. */
    readonly plan?: string;
    /** An account: its id (`acct_…`) or your ref. Default: all. */
    readonly payer?: string;
    /** Your own name for the payment, unique within the tenant. Default: all. */
    readonly reference?: string;
    /** Created at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly createdFrom?: Date | string;
    /** Created before this instant. Default: any. RFC 3339, with a zone. */
    readonly createdBefore?: Date | string;
    /** Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that is not text is compared as its JSON. Default: all. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** Fields whose account is shown next to its id: `payerAccount` next to `payer`. Default: none. Requires `ledger:read`. */
    readonly expand?: 'payer' | 'receiver' | readonly ('payer' | 'receiver')[];
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Subscription>;
  /** Get a subscription */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `payerAccount` next to `payer`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'payer' | 'receiver' | readonly ('payer' | 'receiver')[];
    },
  ): Promise<Subscription>;
  /** Update the priority, retry policy or metadata of a subscription */
  update(id: string, params?: SubscriptionUpdateParams, options?: KeyOptions): Promise<Subscription>;
  /** Dry run: Update the priority, retry policy or metadata of a subscription */
  update(
    id: string,
    params: SubscriptionUpdateParams | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Subscription>>;
  /** Cancel a subscription */
  cancel(
    id: string,
    params?: {
      /** Default `now`. */
      readonly at?: 'now' | 'period_end';
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Subscription>;
  /** Dry run: Cancel a subscription */
  cancel(
    id: string,
    params:
      | {
          /** Default `now`. */
          readonly at?: 'now' | 'period_end';
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Subscription>>;
  /** Change the plan of a subscription */
  changePlan(id: string, params: PlanChange, options: RequiredKey): Promise<Subscription>;
  /** Dry run: Change the plan of a subscription */
  changePlan(id: string, params: PlanChange, options: DryRunOptions): Promise<DryRun<Subscription>>;
  /** Pause a subscription */
  pause(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Subscription>;
  /** Dry run: Pause a subscription */
  pause(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Subscription>>;
  /** Resume a subscription, or withdraw its cancellation */
  resume(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Subscription>;
  /** Dry run: Resume a subscription, or withdraw its cancellation */
  resume(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Subscription>>;
}

export interface AllowancesResource {
  /** Create an allowance */
  create(
    guardian: string,
    junior: string,
    params: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
      readonly amountDecimal?: string;
      /** At midnight: every day, or on the weekday or day of the month on which the allowance began. */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. */
      readonly status: 'ON' | 'OFF';
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
      /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      /** A preset, or fields of a policy that override the preset `allowance`. Only for API keys. Default, and for null: the values of the deployment. */
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | {
            /** Attempts in all, 1 to 100. Default: that of the preset. */
            readonly maxAttempts?: number;
            /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly initialDelay?: string | number;
            /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
            readonly multiplier?: number;
            /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly maxDelay?: string | number;
            /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
            readonly jitter?: number;
          };
    } & OneGiven<'amount' | 'amountDecimal'>,
    options?: KeyOptions,
  ): Promise<Allowance>;
  /** Dry run: Create an allowance */
  create(
    guardian: string,
    junior: string,
    params: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Give this or `amountDecimal`. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Give this or `amount`. */
      readonly amountDecimal?: string;
      /** At midnight: every day, or on the weekday or day of the month on which the allowance began. */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. */
      readonly status: 'ON' | 'OFF';
      /** Code and scale (`USD/2`), or only the code. Default: the default asset of the tenant. */
      readonly asset?: string;
      /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      /** A preset, or fields of a policy that override the preset `allowance`. Only for API keys. Default, and for null: the values of the deployment. */
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | {
            /** Attempts in all, 1 to 100. Default: that of the preset. */
            readonly maxAttempts?: number;
            /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly initialDelay?: string | number;
            /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
            readonly multiplier?: number;
            /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly maxDelay?: string | number;
            /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
            readonly jitter?: number;
          };
    } & OneGiven<'amount' | 'amountDecimal'>,
    options: DryRunOptions,
  ): Promise<DryRun<Allowance>>;
  /** Get an allowance */
  get(guardian: string, junior: string): Promise<Allowance>;
  /** Update an allowance, or turn it on or off */
  update(
    guardian: string,
    junior: string,
    params?: {
      /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
      readonly amount?: bigint | number | string;
      /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
      readonly amountDecimal?: string;
      /** At midnight: every day, or on the weekday or day of the month on which the allowance began. Default: unchanged. */
      readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY';
      /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. Default: unchanged. */
      readonly status?: 'ON' | 'OFF';
      /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
      readonly zone?: string;
      /** How a failed payment is retried. Default: unchanged. */
      readonly retry?:
        | 'hold'
        | 'subscription'
        | 'allowance'
        | 'payout'
        | {
            /** Attempts in all, 1 to 100. Default: that of the preset. */
            readonly maxAttempts?: number;
            /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly initialDelay?: string | number;
            /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
            readonly multiplier?: number;
            /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
            readonly maxDelay?: string | number;
            /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
            readonly jitter?: number;
          }
        | null;
    },
    options?: KeyOptions,
  ): Promise<Allowance>;
  /** Dry run: Update an allowance, or turn it on or off */
  update(
    guardian: string,
    junior: string,
    params:
      | {
          /** Whole minor units: a string of digits, or a number up to 2^53 - 1. Default: unchanged. */
          readonly amount?: bigint | number | string;
          /** Instead of minor units: a decimal number in a string, with at most as many decimals as the asset has: "12.50" of USD/2 is 1250. Default: unchanged. */
          readonly amountDecimal?: string;
          /** At midnight: every day, or on the weekday or day of the month on which the allowance began. Default: unchanged. */
          readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY';
          /** `ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries. Default: unchanged. */
          readonly status?: 'ON' | 'OFF';
          /** IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC. */
          readonly zone?: string;
          /** How a failed payment is retried. Default: unchanged. */
          readonly retry?:
            | 'hold'
            | 'subscription'
            | 'allowance'
            | 'payout'
            | {
                /** Attempts in all, 1 to 100. Default: that of the preset. */
                readonly maxAttempts?: number;
                /** Wait after the first failed attempt. Raises an omitted `maxDelay` that would be shorter. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
                readonly initialDelay?: string | number;
                /** Each wait is this many times the previous wait, 1 to 100. Default: that of the preset. */
                readonly multiplier?: number;
                /** Longest wait. Refused if it is below a given `initialDelay`. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: that of the preset. */
                readonly maxDelay?: string | number;
                /** Random part of each wait, 0 to 1: 0.1 varies it by up to 10 %. Default: that of the preset. */
                readonly jitter?: number;
              }
            | null;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Allowance>>;
  /** Delete an allowance */
  delete(guardian: string, junior: string, options?: KeyOptions): Promise<Allowance>;
  /** Dry run: Delete an allowance */
  delete(guardian: string, junior: string, options: DryRunOptions): Promise<DryRun<Allowance>>;
  /** List a guardian’s allowances */
  list(
    guardian: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<Allowance>;
  /** List a guardian’s children */
  listJuniors(
    guardian: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<Account>;
  /** List the allowances of a child */
  listForJunior(
    junior: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<Allowance>;
  /** List the credits of an allowance */
  listCredits(
    guardian: string,
    junior: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<AllowanceCredit>;
}

export interface EventsResource {
  /** Append an event of your application */
  append(params: EventAppendParams, options?: KeyOptions): Promise<AppendedEvent>;
  /** Dry run: Append an event of your application */
  append(params: EventAppendParams, options: DryRunOptions): Promise<DryRun<AppendedEvent>>;
  /** List events in order */
  list<E extends AnyEvent = Event>(params?: {
    /** An exact type, or a pattern: `payment.*`, `*.created`, `*`. Up to 20 of them, separated by commas. Default: all. */
    readonly type?: string;
    /** The kind of resource, such as `payment`. Default: all. */
    readonly resource?: string;
    /** The id of the resource. For a resource of your application give `resource` too. Default: all. */
    readonly resourceId?: string;
    /** The `cursor` or the `seq` of an event: only later events. A cursor is refused if the database has lost its event. Default: 0, the beginning. */
    readonly after?: string | number;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<E>;
  /** Append up to 1,000 events of your application */
  appendMany(params: EventAppendManyParams, options?: KeyOptions): Promise<AppendedEvents>;
  /** Dry run: Append up to 1,000 events of your application */
  appendMany(params: EventAppendManyParams, options: DryRunOptions): Promise<DryRun<AppendedEvents>>;
}

export interface JobsResource {
  /** Create a job */
  create(params: JobCreateParams, options?: KeyOptions): Promise<Job>;
  /** Dry run: Create a job */
  create(params: JobCreateParams, options: DryRunOptions): Promise<DryRun<Job>>;
  /** List jobs */
  list(params?: {
    /** Only enabled jobs, or only disabled ones. Default: all. */
    readonly enabled?: boolean;
    /** Only jobs that run this processor. Default: all. */
    readonly processorName?: string;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Job>;
  /** Get a job */
  get(id: string): Promise<Job>;
  /** Update, enable or disable a job */
  update(id: string, params?: JobUpdateParams, options?: KeyOptions): Promise<Job>;
  /** Dry run: Update, enable or disable a job */
  update(id: string, params: JobUpdateParams | undefined, options: DryRunOptions): Promise<DryRun<Job>>;
  /** Delete a job */
  delete(id: string, options?: KeyOptions): Promise<Job>;
  /** Dry run: Delete a job */
  delete(id: string, options: DryRunOptions): Promise<DryRun<Job>>;
}

export interface ExecutionsResource {
  /** List executions */
  list(params?: {
    /** Only executions of this job, also after it was deleted. Default: all. */
    readonly jobId?: string;
    /** Only executions with this status. Default: all. */
    readonly status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    /** Only executions for this event. Default: all. */
    readonly eventId?: string;
    /** Only executions for events about this resource, such as a payment: its newest 100 events, fewer for a tenant with more than 200 jobs and webhook endpoints, deleted ones included. Default: all. */
    readonly resourceId?: string;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Execution>;
  /** Get an execution */
  get(id: string): Promise<Execution>;
  /** List the attempts of an execution */
  listInvocations(id: string): Pages<Invocation>;
  /** Retry a failed execution */
  retry(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Execution>;
  /** Dry run: Retry a failed execution */
  retry(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Execution>>;
  /** Cancel an execution */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<Execution>;
  /** Dry run: Cancel an execution */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<Execution>>;
}

export interface ProcessorsResource {
  /** List processors */
  list(): Pages<Processor>;
}

export interface WebhookEndpointsResource {
  /** Create a webhook endpoint */
  create(params: WebhookEndpointCreateParams, options?: KeyOptions): Promise<WebhookEndpointMade>;
  /** Dry run: Create a webhook endpoint */
  create(params: WebhookEndpointCreateParams, options: DryRunOptions): Promise<DryRun<WebhookEndpointMade>>;
  /** List webhook endpoints */
  list(params?: {
    /** Only enabled endpoints, or only disabled ones. Default: all. */
    readonly enabled?: boolean;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<WebhookEndpoint>;
  /** Get a webhook endpoint */
  get(id: string): Promise<WebhookEndpoint>;
  /** Update, enable or disable a webhook endpoint */
  update(id: string, params?: WebhookEndpointUpdateParams, options?: KeyOptions): Promise<WebhookEndpoint>;
  /** Dry run: Update, enable or disable a webhook endpoint */
  update(
    id: string,
    params: WebhookEndpointUpdateParams | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<WebhookEndpoint>>;
  /** Delete a webhook endpoint */
  delete(id: string, options?: KeyOptions): Promise<WebhookEndpoint>;
  /** Dry run: Delete a webhook endpoint */
  delete(id: string, options: DryRunOptions): Promise<DryRun<WebhookEndpoint>>;
  /** Rotate the secret of a webhook endpoint */
  rotateSecret(
    id: string,
    params?: {
      /** A secret that you bring: `whsec_` and the base64 of 24 to 64 random bytes. Default: a new one. */
      readonly secret?: string;
      /** How long deliveries are signed with both secrets: seconds, `48h`, or an ISO 8601 duration. Default: a day. */
      readonly grace?: string | number;
    },
    options?: KeyOptions,
  ): Promise<WebhookEndpointMade>;
  /** Dry run: Rotate the secret of a webhook endpoint */
  rotateSecret(
    id: string,
    params:
      | {
          /** A secret that you bring: `whsec_` and the base64 of 24 to 64 random bytes. Default: a new one. */
          readonly secret?: string;
          /** How long deliveries are signed with both secrets: seconds, `48h`, or an ISO 8601 duration. Default: a day. */
          readonly grace?: string | number;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<WebhookEndpointMade>>;
  /** Send a test event to a webhook endpoint */
  test(id: string, options?: KeyOptions): Promise<WebhookEndpointTest>;
  /** Dry run: Send a test event to a webhook endpoint */
  test(id: string, options: DryRunOptions): Promise<DryRun<WebhookEndpointTest>>;
  /** Send what a webhook endpoint missed */
  recover(
    id: string,
    params: {
      /** The first instant whose events are sent, in real time; not in the future. Earlier than the endpoint: since it was created. RFC 3339, with a zone. */
      readonly since: Date | string;
      /** `nextCursor` of the response before. Default: the first page. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<WebhookEndpointRecovery>;
  /** Dry run: Send what a webhook endpoint missed */
  recover(
    id: string,
    params: {
      /** The first instant whose events are sent, in real time; not in the future. Earlier than the endpoint: since it was created. RFC 3339, with a zone. */
      readonly since: Date | string;
      /** `nextCursor` of the response before. Default: the first page. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<WebhookEndpointRecovery>>;
  /** List the deliveries of a webhook endpoint */
  listDeliveries(
    id: string,
    params?: {
      /** Only deliveries with this status. Default: all. */
      readonly status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<Delivery>;
}

export interface DeliveriesResource {
  /** List deliveries */
  list(params?: {
    /** Only deliveries to this endpoint, also after it was deleted. Default: all. */
    readonly endpointId?: string;
    /** Only deliveries with this status. Default: all. */
    readonly status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    /** Only deliveries of this event. Default: all. */
    readonly eventId?: string;
    /** Only deliveries of events about this resource, such as a payment: its newest 100 events, fewer for a tenant with more than 200 webhook endpoints, deleted ones included. Default: all. */
    readonly resourceId?: string;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Delivery>;
  /** Get a delivery with its attempts */
  get(id: string): Promise<DeliveryWithAttempts>;
  /** Send a delivery again */
  redeliver(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<DeliveryWithAttempts>;
  /** Dry run: Send a delivery again */
  redeliver(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<DeliveryWithAttempts>>;
}

export interface AuditEventsResource {
  /** List audit events */
  list(params?: {
    /** The caller: `key_…` of an API key, `acct_…` of an end user, `sch_…` of a schedule, `cli:…` of a command, `system`, or a name given by the library. Default: all. */
    readonly actor?: string;
    /** Only what this end user did with their token: id or ref of their account. Not together with `actor`. Default: all. */
    readonly user?: string;
    /** The type of the event in capitals, such as `PAYMENT_CANCELLED`; `payment.settled` is `PAYMENT_COMPLETED`. Default: all. */
    readonly action?: string;
    /** The kind of resource, such as `payment`. Default: all. */
    readonly resource?: string;
    /** The id of the resource. For a resource of your application give `resource` too. Default: all. */
    readonly resourceId?: string;
    /** The id of the request, as in the log and in the header `X-Request-Id` of the response. Default: all. */
    readonly requestId?: string;
    /** Recorded at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly from?: Date | string;
    /** Recorded before this instant. Default: any. RFC 3339, with a zone. */
    readonly before?: Date | string;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<AuditEvent>;
  /** Erase the data of an audit event */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<ErasedEvent>;
  /** Dry run: Erase the data of an audit event */
  erase(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<ErasedEvent>>;
  /** Get the end of the hash chain */
  getChain(): Promise<AuditChain>;
}

export interface PausesResource {
  /** Pause outgoing payments */
  create(
    params: {
      /** The scope of the pause: the tenant, an asset or a rail. */
      readonly scope: 'tenant' | 'asset' | 'rail';
      /** The asset or rail. Default: the whole tenant. */
      readonly value?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<Pause>;
  /** Dry run: Pause outgoing payments */
  create(
    params: {
      /** The scope of the pause: the tenant, an asset or a rail. */
      readonly scope: 'tenant' | 'asset' | 'rail';
      /** The asset or rail. Default: the whole tenant. */
      readonly value?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<Pause>>;
  /** List pauses */
  list(): Pages<Pause>;
  /** Lift a pause */
  lift(id: string, options?: KeyOptions): Promise<Pause>;
  /** Dry run: Lift a pause */
  lift(id: string, options: DryRunOptions): Promise<DryRun<Pause>>;
}

export interface ExecutionCapResource {
  /** Get the execution cap */
  get(): Promise<ExecutionCap>;
  /** Set the execution cap */
  set(
    params: {
      /** Executions per second at most; null removes the cap. */
      readonly perSecond: number | null;
    },
    options?: KeyOptions,
  ): Promise<ExecutionCap>;
  /** Dry run: Set the execution cap */
  set(
    params: {
      /** Executions per second at most; null removes the cap. */
      readonly perSecond: number | null;
    },
    options: DryRunOptions,
  ): Promise<DryRun<ExecutionCap>>;
}

export interface QuotesResource {
  /** Create a quote */
  create(params: QuoteCreateParams, options?: KeyOptions): Promise<Quote>;
  /** Dry run: Create a quote */
  create(params: QuoteCreateParams, options: DryRunOptions): Promise<DryRun<Quote>>;
  /** List quotes */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Quote>;
  /** Get a quote */
  get(id: string): Promise<Quote>;
  /** Accept a quote */
  accept(id: string, params: QuoteAcceptParams, options: RequiredKey): Promise<Payment>;
  /** Dry run: Accept a quote */
  accept(id: string, params: QuoteAcceptParams, options: DryRunOptions): Promise<DryRun<Payment>>;
}

export interface PaymentIntentsResource {
  /** Create a payout */
  create(params: PaymentIntentCreateParams, options: RequiredKey): Promise<PaymentIntent>;
  /** Dry run: Create a payout */
  create(params: PaymentIntentCreateParams, options: DryRunOptions): Promise<DryRun<PaymentIntent>>;
  /** List payouts */
  list(params?: {
    /** One or several; any of them matches. Default: all. */
    readonly status?:
      | 'route_selected'
      | 'broadcasting'
      | 'broadcasted'
      | 'manual_review'
      | 'settled'
      | 'failed'
      | 'cancelled'
      | 'expired'
      | readonly (
          | 'route_selected'
          | 'broadcasting'
          | 'broadcasted'
          | 'manual_review'
          | 'settled'
          | 'failed'
          | 'cancelled'
          | 'expired'
        )[];
    /** Your own name for the payment, unique within the tenant. Default: none. */
    readonly reference?: string;
    /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
    readonly expand?: 'from' | readonly 'from'[];
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<PaymentIntent>;
  /** Get a payout */
  get(
    id: string,
    params?: {
      /** Fields whose account is shown next to its id: `fromAccount` next to `from`. Default: none. Requires `ledger:read`. */
      readonly expand?: 'from' | readonly 'from'[];
    },
  ): Promise<PaymentIntent>;
  /** Get the route of a payout */
  getRoute(id: string): Promise<PayoutRoute>;
  /** Cancel a payout that has not begun */
  cancel(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<PaymentIntent>;
  /** Dry run: Cancel a payout that has not begun */
  cancel(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<PaymentIntent>>;
}

export interface TreasuryWalletsResource {
  /** List treasury wallets */
  list(): Pages<TreasuryWallet>;
  /** Unfreeze a treasury wallet */
  unfreeze(chain: string, params: TreasuryWalletUnfreezeParams, options?: KeyOptions): Promise<TreasuryWallet>;
  /** Dry run: Unfreeze a treasury wallet */
  unfreeze(
    chain: string,
    params: TreasuryWalletUnfreezeParams,
    options: DryRunOptions,
  ): Promise<DryRun<TreasuryWallet>>;
  /** Set the floor of a treasury wallet */
  setFloor(chain: string, params: TreasuryWalletFloorParams, options?: KeyOptions): Promise<TreasuryWallet>;
  /** Dry run: Set the floor of a treasury wallet */
  setFloor(chain: string, params: TreasuryWalletFloorParams, options: DryRunOptions): Promise<DryRun<TreasuryWallet>>;
}

export interface AlertsResource {
  /** List alerts */
  list(params?: {
    /** Only alerts with this status. Default: any. */
    readonly status?: 'open' | 'cleared';
    /** Only alerts of this kind. Default: any. */
    readonly kind?:
      | 'payout_success'
      | 'settlement_time'
      | 'treasury_floor'
      | 'chain_health'
      | 'webhook_delivery'
      | 'manual_review';
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<Alert>;
}

export interface PayoutPolicyResource {
  /** Get the policy about addresses of payouts */
  get(): Promise<PayoutPolicy>;
  /** Set the policy about addresses of payouts */
  set(params?: PayoutPolicyParams, options?: KeyOptions): Promise<PayoutPolicy>;
  /** Dry run: Set the policy about addresses of payouts */
  set(params: PayoutPolicyParams | undefined, options: DryRunOptions): Promise<DryRun<PayoutPolicy>>;
}

export interface PayoutDestinationsResource {
  /** Add an address for payouts */
  create(params: PayoutDestinationCreateParams, options?: KeyOptions): Promise<PayoutDestination>;
  /** Dry run: Add an address for payouts */
  create(params: PayoutDestinationCreateParams, options: DryRunOptions): Promise<DryRun<PayoutDestination>>;
  /** List the addresses for payouts */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<PayoutDestination>;
  /** Get an address for payouts */
  get(id: string): Promise<PayoutDestination>;
  /** Approve an address for payouts */
  approve(id: string, options?: KeyOptions): Promise<PayoutDestination>;
  /** Dry run: Approve an address for payouts */
  approve(id: string, options: DryRunOptions): Promise<DryRun<PayoutDestination>>;
  /** Remove an address for payouts */
  remove(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<PayoutDestination>;
  /** Dry run: Remove an address for payouts */
  remove(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<PayoutDestination>>;
}

export interface PayoutCapsResource {
  /** Set caps of payouts */
  set(params: PayoutCapParams, options?: KeyOptions): Promise<Page<PayoutCap>>;
  /** Dry run: Set caps of payouts */
  set(params: PayoutCapParams, options: DryRunOptions): Promise<DryRun<Page<PayoutCap>>>;
  /** List caps of payouts */
  list(): Pages<PayoutCap>;
}

export interface ChainsResource {
  /** List chains */
  list(): Pages<Chain>;
  /** List health snapshots of a chain */
  listHistory(
    name: string,
    params?: {
      /** Items per page. Default 50. */
      readonly limit?: number;
    },
  ): Pages<ChainHealthSnapshot>;
}

export interface CronRunsResource {
  /** List runs of loops and one-shot commands */
  list(params?: {
    /** The loop or command. Default: all. */
    readonly jobName?:
      | 'scheduler'
      | 'sequencer'
      | 'matcher'
      | 'jobs'
      | 'webhooks'
      | 'notifications'
      | 'emails'
      | 'rescuer'
      | 'seal-check'
      | 'anchors'
      | 'integrity'
      | 'clocks'
      | 'forecast'
      | 'partitions'
      | 'retention'
      | 'encrypt'
      | 'health'
      | 'treasury'
      | 'alerts'
      | 'metrics'
      | 'processor'
      | 'payouts'
      | 'confirmations'
      | 'key-usage'
      | 'sign-ins';
    /** Only runs with this status. Default: any. */
    readonly status?: 'RUNNING' | 'SUCCESS' | 'FAILED';
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<CronRun>;
}

export interface OverviewResource {
  /** Get an overview of the tenant */
  get(): Promise<Overview>;
  /** Get the charts of the tenant */
  getSeries(params?: {
    /** Default: `day`. */
    readonly period?: 'hour' | 'day' | 'week';
  }): Promise<Series>;
  /** Get what is due next */
  getUpcoming(params?: {
    /** Default 24. */
    readonly hours?: number;
  }): Promise<Upcoming>;
}

export interface SearchResource {
  /** Search */
  get(params: {
    /** An id, a reference or a ref. */
    readonly q: string;
  }): Pages<SearchHit>;
}

export interface SettingsResource {
  /** Get the settings of the tenant */
  get(): Promise<Settings>;
}

export interface DeadLettersResource {
  /** List dead letters */
  list(params?: {
    /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
    readonly kind?: 'payment' | 'occurrence' | 'execution';
    /** A code of the error catalogue, or the `code` of an execution. Default: all. */
    readonly code?: string;
    /** Code and scale (`USD/2`), or only the code. Default: all. */
    readonly asset?: string;
    /** Only executions of this job. Default: any. */
    readonly job?: string;
    /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
    readonly failedFrom?: Date | string;
    /** Failed before this instant. Default: any. RFC 3339, with a zone. */
    readonly failedBefore?: Date | string;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<DeadLetter>;
  /** List dead letters by cause */
  listGroups(): Pages<DeadLetterGroup>;
  /** Discard dead letters by filter */
  discardMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<DeadLettersDiscarded>;
  /** Dry run: Discard dead letters by filter */
  discardMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<DeadLettersDiscarded>>;
  /** Get a dead letter */
  get(id: string): Promise<DeadLetter>;
  /** Retry a dead letter */
  retry(
    id: string,
    params?: {
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<DeadLetterDone>;
  /** Dry run: Retry a dead letter */
  retry(
    id: string,
    params:
      | {
          /** The reason; recorded in the audit log. Default: none. */
          readonly reason?: string;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<DeadLetterDone>>;
  /** Discard a dead letter */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options?: KeyOptions,
  ): Promise<DeadLetterDone>;
  /** Dry run: Discard a dead letter */
  discard(
    id: string,
    params: {
      /** The reason; recorded in the audit log. */
      readonly reason: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<DeadLetterDone>>;
  /** Retry dead letters by filter */
  retryMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options?: KeyOptions,
  ): Promise<DeadLettersRetried>;
  /** Dry run: Retry dead letters by filter */
  retryMany(
    params: {
      /** The filter; all conditions must match. */
      readonly filter: {
        /** `payment`, `occurrence` of a schedule, or `execution` of a job. Default: all. */
        readonly kind?: 'payment' | 'occurrence' | 'execution';
        /** A code of the error catalogue, or the `code` of an execution. Default: all. */
        readonly code?: string;
        /** Code and scale (`USD/2`), or only the code. Default: all. */
        readonly asset?: string;
        /** Only executions of this job. Default: any. */
        readonly job?: string;
        /** Failed at this instant or later. Default: any. RFC 3339, with a zone. */
        readonly failedFrom?: Date | string;
        /** Failed before this instant. Default: any. RFC 3339, with a zone. */
        readonly failedBefore?: Date | string;
      };
      /** Items of this request. Default 1,000. */
      readonly limit?: number;
      /** `nextCursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest. */
      readonly cursor?: string;
      /** The reason; recorded in the audit log. Default: none. */
      readonly reason?: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<DeadLettersRetried>>;
}

export interface LimitsResource {
  /** Set limits of the tenant or an account */
  set(params: LimitParams, options?: KeyOptions): Promise<Page<Limit>>;
  /** Dry run: Set limits of the tenant or an account */
  set(params: LimitParams, options: DryRunOptions): Promise<DryRun<Page<Limit>>>;
  /** List limits */
  list(): Pages<Limit>;
}

export interface ApiKeysResource {
  /** Create an API key */
  create(
    params: {
      /** Says what the key is for; 1 to 100 characters. */
      readonly name: string;
      /** A bundle of scopes. Default: none. */
      readonly role?: 'viewer' | 'operator' | 'admin';
      /** Scopes in addition to those of the role. Default: none. */
      readonly scopes?: readonly (
        | 'ledger:read'
        | 'ledger:write'
        | 'ledger:money'
        | 'payments:read'
        | 'payments:write'
        | 'events:read'
        | 'events:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'notifications:read'
        | 'notifications:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'ops:read'
        | 'ops:write'
        | 'keys:read'
        | 'keys:write'
        | 'tenants:read'
        | 'tenants:write'
        | 'admin'
      )[];
      /** When the key stops working. Default: never. RFC 3339, with a zone. */
      readonly expiresAt?: Date | string;
      /** The person that will hold the key. Two keys of one person cannot approve each other’s payments. Names are compared without regard to case, spacing and Unicode forms (NFKC). Default: none. */
      readonly person?: string;
    },
    options?: KeyOptions,
  ): Promise<ApiKeyMade>;
  /** Dry run: Create an API key */
  create(
    params: {
      /** Says what the key is for; 1 to 100 characters. */
      readonly name: string;
      /** A bundle of scopes. Default: none. */
      readonly role?: 'viewer' | 'operator' | 'admin';
      /** Scopes in addition to those of the role. Default: none. */
      readonly scopes?: readonly (
        | 'ledger:read'
        | 'ledger:write'
        | 'ledger:money'
        | 'payments:read'
        | 'payments:write'
        | 'events:read'
        | 'events:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'notifications:read'
        | 'notifications:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'ops:read'
        | 'ops:write'
        | 'keys:read'
        | 'keys:write'
        | 'tenants:read'
        | 'tenants:write'
        | 'admin'
      )[];
      /** When the key stops working. Default: never. RFC 3339, with a zone. */
      readonly expiresAt?: Date | string;
      /** The person that will hold the key. Two keys of one person cannot approve each other’s payments. Names are compared without regard to case, spacing and Unicode forms (NFKC). Default: none. */
      readonly person?: string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<ApiKeyMade>>;
  /** List API keys */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<ApiKey>;
  /** Revoke an API key */
  revoke(id: string, options?: KeyOptions): Promise<ApiKey>;
  /** Dry run: Revoke an API key */
  revoke(id: string, options: DryRunOptions): Promise<DryRun<ApiKey>>;
  /** Rotate an API key */
  rotate(
    id: string,
    params?: {
      /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: a day. */
      readonly overlap?: string | number;
    },
    options?: KeyOptions,
  ): Promise<ApiKeyMade>;
  /** Dry run: Rotate an API key */
  rotate(
    id: string,
    params:
      | {
          /** Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`. Default: a day. */
          readonly overlap?: string | number;
        }
      | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<ApiKeyMade>>;
}

export interface TokenIssuersResource {
  /** Create a token issuer */
  create(params: TokenIssuerCreateParams, options?: KeyOptions): Promise<TokenIssuer>;
  /** Dry run: Create a token issuer */
  create(params: TokenIssuerCreateParams, options: DryRunOptions): Promise<DryRun<TokenIssuer>>;
  /** List token issuers */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<TokenIssuer>;
  /** Replace the keys of a token issuer */
  update(id: string, params?: TokenIssuerUpdateParams, options?: KeyOptions): Promise<TokenIssuer>;
  /** Dry run: Replace the keys of a token issuer */
  update(id: string, params: TokenIssuerUpdateParams | undefined, options: DryRunOptions): Promise<DryRun<TokenIssuer>>;
  /** Delete a token issuer */
  delete(id: string, options?: KeyOptions): Promise<TokenIssuer>;
  /** Dry run: Delete a token issuer */
  delete(id: string, options: DryRunOptions): Promise<DryRun<TokenIssuer>>;
}

export interface NotificationChannelsResource {
  /** Create a notification channel */
  create(params: NotificationChannelCreateParams, options?: KeyOptions): Promise<NotificationChannelMade>;
  /** Dry run: Create a notification channel */
  create(params: NotificationChannelCreateParams, options: DryRunOptions): Promise<DryRun<NotificationChannelMade>>;
  /** List notification channels */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<NotificationChannel>;
  /** Get a notification channel */
  get(id: string): Promise<NotificationChannel>;
  /** Update, enable or disable a notification channel */
  update(id: string, params?: NotificationChannelUpdateParams, options?: KeyOptions): Promise<NotificationChannel>;
  /** Dry run: Update, enable or disable a notification channel */
  update(
    id: string,
    params: NotificationChannelUpdateParams | undefined,
    options: DryRunOptions,
  ): Promise<DryRun<NotificationChannel>>;
  /** Delete a notification channel */
  delete(id: string, options?: KeyOptions): Promise<NotificationChannel>;
  /** Dry run: Delete a notification channel */
  delete(id: string, options: DryRunOptions): Promise<DryRun<NotificationChannel>>;
  /** Replace the secret of a notification channel */
  rotateSecret(id: string, options?: KeyOptions): Promise<NotificationChannelMade>;
  /** Dry run: Replace the secret of a notification channel */
  rotateSecret(id: string, options: DryRunOptions): Promise<DryRun<NotificationChannelMade>>;
  /** Send a test message to a notification channel */
  test(id: string, options?: KeyOptions): Promise<NotificationChannelTest>;
  /** Dry run: Send a test message to a notification channel */
  test(id: string, options: DryRunOptions): Promise<DryRun<NotificationChannelTest>>;
}

export interface EmailResource {
  /** Get the e-mail settings */
  get(): Promise<EmailSettings>;
  /** Update the e-mail settings */
  update(params?: EmailUpdateParams, options?: KeyOptions): Promise<EmailSettings>;
  /** Dry run: Update the e-mail settings */
  update(params: EmailUpdateParams | undefined, options: DryRunOptions): Promise<DryRun<EmailSettings>>;
}

export interface EmailTemplatesResource {
  /** Replace the texts of a kind of e-mail */
  set(params: EmailTemplateSetParams, options?: KeyOptions): Promise<EmailTemplate>;
  /** Dry run: Replace the texts of a kind of e-mail */
  set(params: EmailTemplateSetParams, options: DryRunOptions): Promise<DryRun<EmailTemplate>>;
  /** List your own texts of e-mails */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<EmailTemplateSummary>;
  /** Get your own texts of a kind of e-mail */
  get(id: string): Promise<EmailTemplate>;
  /** Give up your own texts of a kind of e-mail */
  delete(id: string, options?: KeyOptions): Promise<EmailTemplate>;
  /** Dry run: Give up your own texts of a kind of e-mail */
  delete(id: string, options: DryRunOptions): Promise<DryRun<EmailTemplate>>;
}

export interface EmailOptOutsResource {
  /** Stop e-mail to an account */
  create(params: EmailOptOutCreateParams, options?: KeyOptions): Promise<EmailOptOut>;
  /** Dry run: Stop e-mail to an account */
  create(params: EmailOptOutCreateParams, options: DryRunOptions): Promise<DryRun<EmailOptOut>>;
  /** List accounts that opted out of e-mail */
  list(params?: {
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<EmailOptOut>;
  /** Send e-mail to an account again */
  delete(id: string, options?: KeyOptions): Promise<EmailOptOut>;
  /** Dry run: Send e-mail to an account again */
  delete(id: string, options: DryRunOptions): Promise<DryRun<EmailOptOut>>;
}

export interface EmailsResource {
  /** List the e-mails to an account */
  list(params: {
    /** An account: its id (`acct_…`) or your ref. */
    readonly account: string;
    /** Items per page. Default 50. */
    readonly limit?: number;
  }): Pages<SentEmail>;
}

export interface TenantsResource {
  /** Create a tenant */
  create(
    params: {
      /** Unique in the database: 1 to 100 of a–z, 0–9, dot, dash and underscore; begins with a letter or digit. */
      readonly name: string;
      /** `live`, or `test`: its time is a test clock. Default `live`. */
      readonly kind?: 'live' | 'test';
    },
    options?: KeyOptions,
  ): Promise<TenantMade>;
  /** Dry run: Create a tenant */
  create(
    params: {
      /** Unique in the database: 1 to 100 of a–z, 0–9, dot, dash and underscore; begins with a letter or digit. */
      readonly name: string;
      /** `live`, or `test`: its time is a test clock. Default `live`. */
      readonly kind?: 'live' | 'test';
    },
    options: DryRunOptions,
  ): Promise<DryRun<TenantMade>>;
  /** List tenants */
  list(): Pages<Tenant>;
}

export interface TestClocksResource {
  /** Create a test clock */
  create(
    params: {
      /** A name for people; 1 to 100 characters. */
      readonly name: string;
      /** The time at which the clock starts. RFC 3339, with a zone. */
      readonly now: Date | string;
    },
    options?: KeyOptions,
  ): Promise<TestClock>;
  /** Dry run: Create a test clock */
  create(
    params: {
      /** A name for people; 1 to 100 characters. */
      readonly name: string;
      /** The time at which the clock starts. RFC 3339, with a zone. */
      readonly now: Date | string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<TestClock>>;
  /** List test clocks */
  list(): Pages<TestClock>;
  /** Get a test clock */
  get(id: string): Promise<TestClock>;
  /** Delete a test clock */
  delete(id: string, options?: KeyOptions): Promise<TestClock>;
  /** Dry run: Delete a test clock */
  delete(id: string, options: DryRunOptions): Promise<DryRun<TestClock>>;
  /** Advance a test clock in the background */
  advance(
    id: string,
    params: {
      /** The instant to advance to: `now` of the clock, or later. RFC 3339, with a zone. */
      readonly to: Date | string;
    },
    options?: KeyOptions,
  ): Promise<TestClock>;
  /** Dry run: Advance a test clock in the background */
  advance(
    id: string,
    params: {
      /** The instant to advance to: `now` of the clock, or later. RFC 3339, with a zone. */
      readonly to: Date | string;
    },
    options: DryRunOptions,
  ): Promise<DryRun<TestClock>>;
  /** Cancel an advance */
  cancelAdvance(id: string, options?: KeyOptions): Promise<TestClock>;
  /** Dry run: Cancel an advance */
  cancelAdvance(id: string, options: DryRunOptions): Promise<DryRun<TestClock>>;
}

/** Every resource of one tenant. */
export interface Resources {
  /** Units of money: a code and a scale. */
  readonly assets: AssetsResource;
  /** Holders of balances, with deposits, withdrawals, statements and forecasts. */
  readonly accounts: AccountsResource;
  /** Payments that reserve funds now and pay later. */
  readonly holds: HoldsResource;
  /** Payments at an instant: reserved or funded when due, to one or several payees. */
  readonly payments: PaymentsResource;
  /** Recurring payments: a rule in a time zone, its upcoming and past runs. */
  readonly schedules: SchedulesResource;
  /** The backlog above which runs are held. */
  readonly outageGuard: OutageGuardResource;
  /** Runs that were held after an outage until an operator decides. */
  readonly outages: OutagesResource;
  /** Terms of subscriptions: price, period, trial. */
  readonly plans: PlansResource;
  /** Accounts that are charged by a plan. */
  readonly subscriptions: SubscriptionsResource;
  /** Daily, weekly or monthly payments from a guardian to a child. */
  readonly allowances: AllowancesResource;
  /** Every change, and the events of your application, in order. */
  readonly events: EventsResource;
  /** Code that runs on events: a pattern, a processor and a retry policy. */
  readonly jobs: JobsResource;
  /** Events that jobs handle, with every attempt. */
  readonly executions: ExecutionsResource;
  /** Code that workers can run, by name. */
  readonly processors: ProcessorsResource;
  /** URLs that get events, signed. */
  readonly webhookEndpoints: WebhookEndpointsResource;
  /** Events on their way to webhook endpoints, with every attempt. */
  readonly deliveries: DeliveriesResource;
  /** The audit log, with the hash chain that seals it. */
  readonly auditEvents: AuditEventsResource;
  /** Switches that stop outgoing payments. */
  readonly pauses: PausesResource;
  /** The most payments per second of a tenant. */
  readonly executionCap: ExecutionCapResource;
  /** Chains that a payout could take, scored; accepted to create it. */
  readonly quotes: QuotesResource;
  /** Payouts under the names of the payment intents API. */
  readonly paymentIntents: PaymentIntentsResource;
  /** Accounts that pay over chains, compared with their chains. */
  readonly treasuryWallets: TreasuryWalletsResource;
  /** Thresholds that were crossed: payouts, wallets, chains, webhooks. */
  readonly alerts: AlertsResource;
  /** Whether payouts go to listed addresses only. */
  readonly payoutPolicy: PayoutPolicyResource;
  /** Addresses that payouts may go to. */
  readonly payoutDestinations: PayoutDestinationsResource;
  /** The most that one payout, or the payouts of a day, may be. */
  readonly payoutCaps: PayoutCapsResource;
  /** Chains that payouts can take, and their health. */
  readonly chains: ChainsResource;
  /** Runs of the background loops and one-shot commands. */
  readonly cronRuns: CronRunsResource;
  /** The state of a tenant in one answer, its charts, and what is due next. */
  readonly overview: OverviewResource;
  /** Resources by id, reference or ref. */
  readonly search: SearchResource;
  /** Settings of a tenant in one answer. */
  readonly settings: SettingsResource;
  /** Payments, runs and executions that failed for good: retry or discard them. */
  readonly deadLetters: DeadLettersResource;
  /** The most that one payment, an account or the tenant may send. */
  readonly limits: LimitsResource;
  /** API keys: create, rotate, revoke. */
  readonly apiKeys: ApiKeysResource;
  /** Issuers whose JWTs authenticate end users. */
  readonly tokenIssuers: TokenIssuersResource;
  /** Messages to operators in Slack, in Discord or at a URL. */
  readonly notificationChannels: NotificationChannelsResource;
  /** E-mail to payers and payees: settings of the tenant. */
  readonly email: EmailResource;
  /** The tenant’s own texts of e-mails. */
  readonly emailTemplates: EmailTemplatesResource;
  /** Accounts that want no e-mail. */
  readonly emailOptOuts: EmailOptOutsResource;
  /** E-mails that were sent. */
  readonly emails: EmailsResource;
  /** Isolated data sets in one database. */
  readonly tenants: TenantsResource;
  /** The time of a test tenant, advanced by request. */
  readonly testClocks: TestClocksResource;
}
