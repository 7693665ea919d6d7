// A notification channel: where operators read messages, and which events they are about.
import type { RetryPolicy, Uuid } from '../kernel/index.ts';
import type { EncryptedColumn } from '../secrets/index.ts';

export const CHANNEL_KINDS = ['slack', 'discord', 'webhook'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** The events of each topic. */
export const TOPICS = {
  dead_letters: ['payment.failed', 'schedule.occurrence_failed', 'execution.failed'],
  reviews: ['payment.manual_review', 'payment.approval_requested'],
  freezes: ['freeze.created', 'books.violation_found'],
  shortfalls: ['account.shortfall_expected'],
  alerts: ['alert.raised', 'alert.cleared'],
  endpoints: ['webhook_endpoint.failing', 'webhook_endpoint.disabled', 'notification_channel.disabled'],
} as const satisfies Record<string, readonly string[]>;
export type Topic = keyof typeof TOPICS;
export const TOPIC_NAMES = Object.keys(TOPICS) as readonly Topic[];

/** The pattern of the job of a channel with these topics. */
export const patternOf = (topics: readonly Topic[]): string => topics.flatMap((topic) => TOPICS[topic]).join(',');

export const PROCESSOR = 'notification';
export const TESTED = 'notification_channel.tested';

export const DEFAULT_PER_MINUTE = 20;
/** Slack and Discord accept about one message a second. */
export const PER_MINUTE = { min: 1, max: 60 };

const MINUTE_MS = 60_000;
/** 8 attempts in about four hours: an outage of Slack ends within them, and the message is still of use. */
export const CHANNEL_RETRY: RetryPolicy = {
  maxAttempts: 8,
  initialDelayMs: 5_000,
  multiplier: 2,
  maxDelayMs: 120 * MINUTE_MS,
  jitter: 0.1,
  delaysMs: [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS, 120 * MINUTE_MS],
};
/** How long a request may take; the attempt has a little more. */
export const REQUEST_MS = 10_000;
export const ATTEMPT_MS = 20_000;

/** Real time between the first and the last failure without a success in between, after which a channel is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * 60 * MINUTE_MS;

export const CHANNEL_DISABLED_REASONS = ['caller', 'gone', 'failing'] as const;
/** `gone`: its URL exists no longer. `failing`: failures without a success span five days. */
export type ChannelDisabledReason = (typeof CHANNEL_DISABLED_REASONS)[number];

/** Its job has the name and whether it is enabled. */
export interface Channel {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  readonly kind: ChannelKind;
  /** The host of its URL: the rest is a secret. */
  readonly targetHost: string;
  readonly topics: readonly Topic[];
  readonly maxPerMinute: number;
  /** Events of a test tenant are sent too. */
  readonly sendTestEvents: boolean;
  readonly enabled: boolean;
  /** Null while it is enabled. */
  readonly disabledReason: ChannelDisabledReason | null;
  /** By the server's clock, to the minute. */
  readonly lastSuccessAt: Date | null;
  /** The first failed attempt since the last success; null while it succeeds. */
  readonly failingSince: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ChannelParams {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly url: string;
  /** Default: all. */
  readonly topics?: readonly Topic[];
  /** Default 20. */
  readonly maxPerMinute?: number;
  /** Default false. */
  readonly sendTestEvents?: boolean;
  /** Default true. */
  readonly enabled?: boolean;
}

/** The kind stays: another service is another channel. */
export type ChannelChanges = Partial<Omit<ChannelParams, 'kind'>>;

/** The secret that signs the messages of a channel of the kind `webhook`, shown this once; null for the others, which verify none. */
export interface ChannelWithSecret {
  readonly channel: Channel;
  readonly secret: string | null;
}

/** A test that was requested: its event, and the execution that sends it. */
export interface ChannelTest {
  readonly channel: Channel;
  readonly eventId: Uuid;
  readonly executionId: Uuid;
}

const column = (name: string, nouns: string): EncryptedColumn => ({
  table: 'notification_channels',
  column: name,
  keyColumn: `${name}_key`,
  keyIsGenerated: true,
  purpose: `notification_channel.${name}`,
  nouns,
});

export const TARGET = column('target', 'URLs of notification channels');
export const SIGNING_SECRET = column('secret', 'secrets of notification channels');
export const ENCRYPTED_CHANNELS: readonly EncryptedColumn[] = [TARGET, SIGNING_SECRET];
