// The text of messages, and their format for each service.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PAGES } from '../../web/src/app/page-list.ts';
import type { NotificationMessage } from '../../src/client/index.ts';
import { verifyNotification, verifyWebhook } from '../../src/client/index.ts';
import type { SequencedEvent } from '../../src/events/index.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { bodyOf } from '../../src/notifications/bodies.ts';
import { TOPICS } from '../../src/notifications/channel.ts';
import type { Message } from '../../src/notifications/message.ts';
import { messageOf } from '../../src/notifications/message.ts';
import { sentenceOf, summaryOf } from '../../src/notifications/sentence.ts';
import { newWebhookSecret, signWebhook } from '../../src/webhooks/index.ts';

const MESSAGE: Message = {
  text: 'Payment pay_1 of 10.50 USD failed <!channel> & *now*.',
  tenant: { name: 'shop <x>', isTest: true },
  link: 'https://usance.example.com/payments/pay_1',
  event: {
    id: 'evt_1',
    type: 'payment.failed',
    resource: 'payment',
    resourceId: 'pay_1',
    occurredAt: '2026-03-01T12:00:00.000Z',
  },
  counts: null,
};
const parsed = (kind: 'slack' | 'discord' | 'webhook', message = MESSAGE): unknown => JSON.parse(bodyOf(kind, message));

const TENANT = newId();
const event = (type: string, resource: string, data: object): SequencedEvent =>
  ({
    id: newId(),
    tenantId: TENANT,
    type,
    resource,
    resourceId: newId(),
    occurredAt: new Date('2026-03-01T12:00:00Z'),
    data,
  }) as never;

const SECRET = newWebhookSecret();
const MESSAGE_ID = toTypeId('execution', newId());
const signed = (body: string) => ({
  body,
  headers: { ...signWebhook({ id: MESSAGE_ID, sentAt: new Date(), body, secrets: [SECRET] }) },
});
const signedMessage = (message: Message) => signed(bodyOf('webhook', message));

describe('the body of a message', () => {
  test('for Slack has a fallback text with escaped characters, and plain text that Slack does not format', () => {
    expect(parsed('slack')).toEqual({
      text: 'usance · shop &lt;x&gt; (test): Payment pay_1 of 10.50 USD failed &lt;!channel&gt; &amp; *now*.',
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: MESSAGE.text, emoji: false } },
        {
          type: 'context',
          elements: [
            { type: 'plain_text', text: 'usance · shop <x> (test)', emoji: false },
            { type: 'mrkdwn', text: '<https://usance.example.com/payments/pay_1|Open in usance>' },
          ],
        },
      ],
    });
  });

  test('for Discord escapes Markdown and allows no mention', () => {
    expect(parsed('discord')).toEqual({
      content: '',
      embeds: [
        {
          title: 'payment.failed',
          description: String.raw`Payment pay\_1 of 10.50 USD failed \<!channel\> & \*now\*.`,
          url: 'https://usance.example.com/payments/pay_1',
          footer: { text: 'usance · shop <x> (test)' },
          timestamp: '2026-03-01T12:00:00.000Z',
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  test('for a webhook is JSON with the event', () => {
    expect(parsed('webhook')).toEqual({
      text: MESSAGE.text,
      tenant: 'shop <x>',
      test: true,
      link: MESSAGE.link,
      event: {
        id: 'evt_1',
        type: 'payment.failed',
        resource: 'payment',
        resource_id: 'pay_1',
        occurred_at: '2026-03-01T12:00:00.000Z',
      },
      counts: null,
    });
  });

  test('for a webhook has the fields that the guide shows', () => {
    const guide = readFileSync(new URL('../../docs/guides/notify-people.md', import.meta.url), 'utf8');
    const shown = JSON.parse(/^```\n(\{.*?^\})$/ms.exec(guide)?.[1] ?? '') as object;
    const shapeOf = (value: object): unknown[] =>
      Object.entries(value).map(([name, inner]: [string, unknown]) =>
        typeof inner === 'object' && inner !== null ? [name, shapeOf(inner)] : name,
      );
    expect(shapeOf(parsed('webhook') as object)).toEqual(shapeOf(shown));
  });

  test('for a webhook is what verifyNotification of the client returns, with the id of its header', async () => {
    const summary = { ...MESSAGE, link: null, counts: { 'webhook_endpoint.failing': 2, 'payment.failed': 1 } };
    for (const message of [MESSAGE, summary]) {
      const { body, headers } = signedMessage(message);
      const { tenant, ...same } = message;
      expect(await verifyNotification(body, headers, SECRET)).toEqual({
        ...same,
        id: MESSAGE_ID,
        tenant: tenant.name,
        test: tenant.isTest,
      } satisfies NotificationMessage);
    }
  });

  test('for a webhook is refused by verifyWebhook, which returns events, and an event by verifyNotification', async () => {
    const { body, headers } = signedMessage(MESSAGE);
    await expect(verifyWebhook(body, headers, SECRET)).rejects.toMatchObject({
      reason: 'body_invalid',
      message: 'the body is a message of a notification channel: verify it with verifyNotification',
    });
    const wrong = [
      { id: 'evt_1', type: 'payment.failed', event: {}, text: '' },
      { text: 'x' },
      { text: 'x', event: null },
    ];
    for (const content of wrong) {
      const other = signed(JSON.stringify(content));
      expect(await verifyWebhook(other.body, other.headers, SECRET)).toEqual(content);
      await expect(verifyNotification(other.body, other.headers, SECRET)).rejects.toMatchObject({
        reason: 'body_invalid',
        message: 'the body is not a message of a notification channel',
      });
    }
    await expect(verifyNotification(`${body} `, headers, SECRET)).rejects.toMatchObject({
      reason: 'signature_invalid',
    });
  });

  test('has no link where the URL of the dashboard is not set', () => {
    expect(JSON.stringify(parsed('slack', { ...MESSAGE, link: null }))).not.toContain('Open in usance');
    expect(JSON.stringify(parsed('discord', { ...MESSAGE, link: null }))).not.toContain('url');
  });

  test('stays within the limits of the services with names of the greatest length', () => {
    const long = { ...MESSAGE, text: summaryOf(new Map(Array.from({ length: 12 }, (_, n) => [`noun_${n}.verb`, n]))) };
    const slack = parsed('slack', long) as { readonly blocks: readonly [{ readonly text: { readonly text: string } }] };
    expect(slack.blocks[0].text.text.length).toBeLessThan(3_000);
  });
});

describe('a message', () => {
  test.each([
    [
      'payment.failed',
      'payment',
      { amount: '1050', asset: 'USD/2', attempt: 5, code: 'INSUFFICIENT_FUNDS' },
      /^Payment pay_\w+ of 10\.50 USD failed for good after 5 attempts: INSUFFICIENT_FUNDS\. It is a dead letter\.$/,
    ],
    [
      'schedule.occurrence_failed',
      'schedule',
      { slot: '2026-03-01T09:00', code: 'ACCOUNT_NOT_ACTIVE' },
      /^The slot 2026-03-01T09:00 of schedule sch_\w+ could not become a payment: ACCOUNT_NOT_ACTIVE\. It is a dead letter\.$/,
    ],
    [
      'execution.failed',
      'execution',
      { jobId: newId(), attemptNumber: 1, code: 'PROCESSOR_FAILED' },
      /^Execution exe_\w+ of job job_\w+ failed for good after 1 attempt: PROCESSOR_FAILED\. It is a dead letter\.$/,
    ],
    [
      'payment.approval_requested',
      'payment',
      { amount: '5', asset: 'ROBUX/0' },
      /^Payment pay_\w+ of 5 ROBUX needs the approval of a second person\.$/,
    ],
    [
      'account.shortfall_expected',
      'account',
      { asset: 'USD/2', missing: '2500', at: '2026-03-04T00:00:00.000Z' },
      /^Account acct_\w+ will lack 25\.00 USD at 2026-03-04T00:00:00\.000Z\.$/,
    ],
    [
      'webhook_endpoint.disabled',
      'webhook_endpoint',
      { reason: 'gone', url: 'https://shop.example.com:8443/hooks' },
      /^Webhook endpoint whe_\w+ at shop\.example\.com:8443 was disabled \(gone\): it gets no more events\.$/,
    ],
    [
      'webhook_endpoint.failing',
      'webhook_endpoint',
      { url: 'https://shop.example.com/hooks', failingSince: '2026-03-01', disablesAt: '2026-03-06' },
      /^Webhook endpoint whe_\w+ at shop\.example\.com has failed since 2026-03-01, and will be disabled at 2026-03-06\.$/,
    ],
    [
      'notification_channel.disabled',
      'notification_channel',
      { reason: 'failing', targetHost: 'hooks.slack.com' },
      /^Notification channel nch_\w+ at hooks\.slack\.com was disabled \(failing\): it sends no more messages\.$/,
    ],
    ['payment.of_another_release', 'payment', {}, /^payment\.of_another_release: payment pay_\w+\.$/],
  ])('about %s says what happened to what', (type, resource, data, expected) => {
    expect(sentenceOf(event(type, resource, data))).toMatch(expected);
  });

  test.each([
    [
      'webhook_endpoint',
      'shop.example.com',
      /^Delivery exe_\w+ to webhook endpoint whe_\w+ at shop\.example\.com failed /,
    ],
    [
      'notification_channel',
      'hooks.slack.com',
      /^Message exe_\w+ to notification channel nch_\w+ at hooks\.slack\.com failed /,
    ],
  ] as const)('about a failed execution of a %s names that and its host', (resource, host, expected) => {
    const failed = event('execution.failed', 'execution', { jobId: newId(), attemptNumber: 10, code: 'X' });
    expect(sentenceOf(failed, { resource, host })).toMatch(expected);
    expect(sentenceOf(failed, { resource, host })).toMatch(
      / failed for good after 10 attempts: X\. It is a dead letter\.$/,
    );
  });

  test('links to the page of its resource, and a summary to none', () => {
    const failed = event('payment.failed', 'payment', { amount: '1', asset: 'USD/2', attempt: 1, code: 'X' });
    const terms = { tenant: MESSAGE.tenant, dashboardUrl: 'https://usance.example.com/' };
    const id = toTypeId('payment', failed.resourceId);
    expect(messageOf(failed, null, terms).link).toBe(
      `https://usance.example.com/payments/${id}?tenant=${toTypeId('tenant', TENANT)}`,
    );
    const summary = messageOf(failed, new Map([['execution.failed', 7]]), terms);
    expect(summary).toMatchObject({
      link: null,
      counts: { 'execution.failed': 7, 'payment.failed': 1 },
      text: '8 more events beyond the limit of messages per minute: 7 × execution.failed, 1 × payment.failed.',
    });
  });

  test.each(Object.entries(TOPICS).flatMap(([topic, types]) => types.map((type) => [topic, type] as const)))(
    'of the topic %s about %s links to a page that the dashboard has',
    (_topic, type) => {
      const resource = RESOURCES[type];
      const { link } = messageOf(event(type, resource, { amount: '1', missing: '1', asset: 'USD/2' }), null, {
        tenant: MESSAGE.tenant,
        dashboardUrl: 'https://usance.example.com',
      });
      // Channels have no page of their own.
      if (resource === 'notification_channel') return expect(link).toBeNull();
      const { pathname, searchParams } = new URL(String(link));
      expect(searchParams.get('tenant')).toBe(toTypeId('tenant', TENANT));
      const isPage = ({ path }: { readonly path: string }): boolean =>
        new RegExp(`^${path.replaceAll(/:\w+/g, String.raw`[a-z]+_\w+`)}$`).test(pathname);
      expect(Object.values(PAGES).some(isPage), pathname).toBe(true);
    },
  );
});

const RESOURCES = {
  'payment.failed': 'payment',
  'schedule.occurrence_failed': 'schedule',
  'execution.failed': 'execution',
  'payment.manual_review': 'payment',
  'payment.approval_requested': 'payment',
  'freeze.created': 'freeze',
  'books.violation_found': 'violation',
  'account.shortfall_expected': 'account',
  'alert.raised': 'alert',
  'alert.cleared': 'alert',
  'webhook_endpoint.failing': 'webhook_endpoint',
  'webhook_endpoint.disabled': 'webhook_endpoint',
  'notification_channel.disabled': 'notification_channel',
} as const satisfies Record<(typeof TOPICS)[keyof typeof TOPICS][number], string>;
