// The terms of an endpoint as options of `usance webhooks create` and `update`.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { WebhookEndpointChanges } from '../engine.ts';
import { ENDPOINT_RETRIES, PAYLOADS, parsePattern } from '../engine.ts';
import type { ChangeOptions } from './tenant-change.ts';
import { UsageError } from './trouble.ts';

/** Options that `create` and `update` share. */
export interface TermsOptions extends ChangeOptions {
  readonly url?: string;
  readonly events?: string;
  readonly description?: string;
  readonly payload?: (typeof PAYLOADS)[number];
  readonly header?: readonly (readonly [string, string])[];
  readonly removeHeaders?: boolean;
  readonly plainSignature?: boolean;
  readonly ordered?: boolean;
  readonly retry?: (typeof ENDPOINT_RETRIES)[number];
  readonly maxPerSecond?: number | null;
  readonly sendTestEvents?: boolean;
}

export const withTerms = (command: Command): Command =>
  command
    .option('--description <text>', 'a text for people')
    .addOption(
      new Option('--payload <form>', 'the whole event, or the event without its data; default full').choices(PAYLOADS),
    )
    .option('--header <name=value>', 'a header of every delivery; repeat it for more', headerOf)
    .option('--plain-signature', 'send the hexadecimal HMAC-SHA256 of the body too')
    .option('--no-plain-signature', 'do not send it')
    .option('--ordered', 'send events about one resource one after the other')
    .option('--no-ordered', 'send them as they come')
    .addOption(
      new Option(
        '--retry <preset>',
        '10 attempts in three days, or 5 attempts 5 seconds apart; default webhook',
      ).choices(ENDPOINT_RETRIES),
    )
    .option('--max-per-second <number>', 'deliveries that start per second at most; none: no limit', limitOf)
    .option('--send-test-events', 'also send events of a test tenant')
    .option('--no-send-test-events', 'only record events of a test tenant');

function headerOf(text: string, before: readonly (readonly [string, string])[] = []) {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  return [...before, [text.slice(0, at), text.slice(at + 1)] as const];
}

function limitOf(text: string): number | null {
  if (text === 'none') return null;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1, or none.');
}

export function changesOf(options: TermsOptions): WebhookEndpointChanges {
  const { url, events, description, payload, header, removeHeaders, plainSignature, ordered, retry, maxPerSecond } =
    options;
  const { sendTestEvents } = options;
  if (removeHeaders && header) throw new UsageError('give --header, or --remove-headers');
  const headers = removeHeaders ? null : header && Object.fromEntries(header);
  return {
    ...(url === undefined ? {} : { url }),
    // Refused here in terms of the option.
    ...(events === undefined ? {} : { eventPattern: parsePattern(events, '--events') }),
    ...(description === undefined ? {} : { description }),
    ...(payload === undefined ? {} : { payload }),
    ...(headers === undefined ? {} : { headers }),
    ...(plainSignature === undefined ? {} : { plainSignature }),
    ...(ordered === undefined ? {} : { ordered }),
    ...(retry === undefined ? {} : { retry }),
    ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
    ...(sendTestEvents === undefined ? {} : { sendTestEvents }),
  };
}
