// Channels: their terms, their secrets, and what is sent when.
import { describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { asText } from '../../src/db/index.ts';
import type { Channel, ChannelParams, TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { freshTenant, order } from '../jobs/matcher.ts';
import { open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { after, runLoop, testTenant } from '../support/test-clock.ts';
import { DELIVERING, addEndpoint, deliver } from '../support/webhooks.ts';
import { failPayments, sendAll, useReceiver } from './channels.fixture.ts';

const receiver = await useReceiver();
const store = useUsance({
  ...DELIVERING,
  notifications: { dashboardUrl: 'https://usance.example.com' },
});

let count = 0;
const freshPath = (): string => `/hook-${(count += 1)}/s3cret`;

async function withChannel(params: Partial<ChannelParams> = {}) {
  const tenant = await freshTenant(store.usance);
  await tenant.createAsset('USD/2');
  await open(tenant, { alice: 0, bob: 0 });
  await order(store.usance);
  const path = freshPath();
  const made = await tenant.createNotificationChannel({
    name: 'on call',
    kind: 'slack',
    url: receiver.url(path),
    topics: ['dead_letters'],
    ...params,
  });
  return { tenant, path, ...made };
}

const textsAt = (path: string): string[] =>
  receiver.posted(path).map(({ body }) => String(body['text']).replace(/^usance · \S+ ?(\(test\))?: /, ''));
const executionsOf = async (tenant: TenantHandle, channel: Channel) =>
  (await tenant.executions({ jobId: channel.id })).executions;
const backlogOf = (channel: Channel) =>
  store.owner.query('select execution_id from usance.notification_backlog where channel_id = $1::uuid', [channel.id]);
/** The first attempts were all long ago. */
const makeDue = (channel: Channel) =>
  store.owner.query(`update usance.execution_queue set due_at = now() - interval '1 second' where job_id = $1::uuid`, [
    channel.id,
  ]);

describe('a notification channel', () => {
  test('owns the job with its id, and both are changed and deleted together', async () => {
    const { tenant, channel, secret } = await withChannel({ topics: ['freezes', 'dead_letters'] });
    expect(secret).toBeNull();
    expect(channel).toMatchObject({
      name: 'on call',
      kind: 'slack',
      topics: ['dead_letters', 'freezes'],
      maxPerMinute: 20,
      sendTestEvents: false,
      enabled: true,
      disabledReason: null,
      failingSince: null,
    });
    expect(await tenant.job(channel.id)).toMatchObject({
      name: 'on call',
      managed: true,
      processorName: 'notification',
      eventPattern: 'payment.failed,schedule.occurrence_failed,execution.failed,freeze.created,books.violation_found',
    });
    expect(await refusalOf(tenant.updateJob(channel.id, { enabled: false }))).toBe('JOB_MANAGED');
    const changes = { name: 'nights', topics: ['shortfalls'], maxPerMinute: 5, enabled: false } as const;
    const changed = await tenant.updateNotificationChannel(channel.id, changes);
    expect(changed).toMatchObject({ ...changes, disabledReason: 'caller' });
    expect(await tenant.notificationChannels()).toEqual([changed]);
    expect(await tenant.job(channel.id)).toMatchObject({ name: 'nights', enabled: false });
    expect(await troubles(store.usance)).toEqual([]);
    await tenant.deleteNotificationChannel(channel.id);
    expect(await refusalOf(tenant.notificationChannel(channel.id))).toBe('NOTIFICATION_CHANNEL_NOT_FOUND');
    expect(await refusalOf(tenant.job(channel.id))).toBe('JOB_NOT_FOUND');
    await order(store.usance);
    const types = (
      await tenant.events({
        type: 'notification_channel.created,notification_channel.updated,notification_channel.deleted',
      })
    ).map(({ type }) => type);
    expect(types).toEqual([
      'notification_channel.created',
      'notification_channel.updated',
      'notification_channel.deleted',
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is not seen by another tenant', async () => {
    const { channel } = await withChannel();
    expect(await refusalOf(store.tenant.notificationChannel(channel.id))).toBe('NOTIFICATION_CHANNEL_NOT_FOUND');
    expect(await refusalOf(store.tenant.deleteNotificationChannel(channel.id))).toBe('NOTIFICATION_CHANNEL_NOT_FOUND');
  });

  test.each([
    [{ url: 'ftp://example.com/x' }, 'URL_REFUSED'],
    [{ url: 'https://user:pass@example.com/x' }, 'URL_REFUSED'],
    [{ url: 'https://169.254.169.254/latest' }, 'URL_REFUSED'],
    [{ kind: 'teams' as 'slack' }, 'FIELD_INVALID'],
    [{ topics: [] }, 'FIELD_INVALID'],
    [{ topics: ['everything' as 'freezes'] }, 'FIELD_INVALID'],
    [{ maxPerMinute: 61 }, 'FIELD_INVALID'],
    [{ maxPerMinute: 0 }, 'FIELD_INVALID'],
    [{ sendTestEvents: 'yes' as unknown as boolean }, 'FIELD_INVALID'],
    [{ name: '' }, 'FIELD_INVALID'],
  ])('with %j is refused', async (params, code) => {
    const whole = { name: 'refused', kind: 'slack', url: 'https://hooks.slack.com/services/x', ...params } as const;
    expect(await refusalOf(store.tenant.createNotificationChannel(whole))).toBe(code);
  });

  test('is refused where its process has no encryption key', async () => {
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      encryption: { isOptional: true },
    });
    try {
      const tenant = await engine.tenant('shop');
      const params = { name: 'none', kind: 'slack', url: 'https://hooks.slack.com/services/x' } as const;
      expect(await refusalOf(tenant.createNotificationChannel(params))).toBe('ENCRYPTION_KEY_MISSING');
    } finally {
      await engine.close();
    }
  });

  test('stores its URL and its secret only encrypted, and neither events, errors nor results have them', async () => {
    const { tenant, channel, path, secret } = await withChannel({ kind: 'webhook' });
    const rotated = await tenant.rotateNotificationSecret(channel.id);
    await tenant.updateNotificationChannel(channel.id, { url: receiver.url(`${path}2`) });
    receiver.answers(`${path}2`, 403);
    await failPayments(tenant);
    await sendAll(store.usance);
    const executions = await executionsOf(tenant, channel);
    expect(executions).toMatchObject([
      {
        status: 'failed',
        code: 'NOTIFICATION_FAILED',
        error: expect.stringMatching(/^127\.0\.0\.1:\d+ answered 403$/),
      },
    ]);
    const events = await tenant.events(
      { type: '*,notification_channel.created,notification_channel.updated' },
      { limit: 100 },
    );
    const [row] = await store.owner.query(
      `select row_to_json(c)::text as text from usance.notification_channels c where id = $1::uuid`,
      [channel.id],
    );
    const kept = [
      asText(row?.['text']),
      JSON.stringify(executions, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      JSON.stringify(events.filter(({ type }) => type !== 'payment.failed').map(({ data }) => data)),
    ].join('\n');
    expect(kept).toContain('127.0.0.1');
    for (const hidden of ['s3cret', String(secret).slice(6), String(rotated.secret).slice(6)])
      expect(kept).not.toContain(hidden);
  });
});

describe('a message', () => {
  test('goes to Slack about a dead letter, without text of a caller', async () => {
    const { tenant, path } = await withChannel();
    const [id] = await failPayments(tenant);
    await sendAll(store.usance);
    const [posted, ...more] = receiver.posted(path);
    expect(more).toEqual([]);
    const payment = toTypeId('payment', id as string);
    const link = `https://usance.example.com/payments/${payment}?tenant=${toTypeId('tenant', tenant.id)}`;
    const text = `Payment ${payment} of 10.50 USD failed for good after 0 attempts: FAILED_BY_OPERATOR. It is a dead letter.`;
    expect(posted?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'usance' });
    expect(posted?.headers).not.toHaveProperty('webhook-signature');
    expect(posted?.body).toEqual({
      text: `usance · ${tenant.name}: ${text}`,
      blocks: [
        { type: 'section', text: { type: 'plain_text', text, emoji: false } },
        {
          type: 'context',
          elements: [
            { type: 'plain_text', text: `usance · ${tenant.name}`, emoji: false },
            { type: 'mrkdwn', text: `<${link}|Open in usance>` },
          ],
        },
      ],
    });
    expect(posted?.text).not.toContain('not wanted');
  });

  test('goes to Discord as an embed', async () => {
    const { tenant, path } = await withChannel({ kind: 'discord' });
    await failPayments(tenant);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toMatchObject([
      { body: { content: '', embeds: [{ title: 'payment.failed' }], allowed_mentions: { parse: [] } } },
    ]);
  });

  test('to a webhook is signed as Standard Webhooks says, with the secret of the moment', async () => {
    const { tenant, channel, path, secret } = await withChannel({ kind: 'webhook' });
    await failPayments(tenant);
    await sendAll(store.usance);
    const rotated = await tenant.rotateNotificationSecret(channel.id);
    await failPayments(tenant);
    await sendAll(store.usance);
    const [first, second] = receiver.posted(path);
    const verified = (of: string | null, posted = first) =>
      new Webhook(of ?? '').verify(posted?.text ?? '', posted?.headers as Record<string, string>);
    expect(verified(secret)).toMatchObject({ event: { type: 'payment.failed' }, test: false, counts: null });
    expect(verified(rotated.secret, second)).toMatchObject({ tenant: tenant.name });
    expect(() => verified(secret, second)).toThrow('No matching signature found');
    const [last] = await executionsOf(tenant, channel);
    expect(second?.headers['webhook-id']).toBe(toTypeId('execution', last?.id ?? ''));
  });

  test('of a test is sent whatever the topics are, and does not count', async () => {
    const { tenant, channel, path } = await withChannel({ topics: ['freezes'], maxPerMinute: 1 });
    const tested = await tenant.testNotificationChannel(channel.id);
    await tenant.testNotificationChannel(channel.id);
    await failPayments(tenant);
    await sendAll(store.usance);
    const text = `This is a test of the notification channel ${toTypeId('notificationChannel', channel.id)}.`;
    expect(textsAt(path)).toEqual([text, text]);
    expect(await tenant.execution(tested.executionId)).toMatchObject({
      status: 'completed',
      eventId: tested.eventId,
      result: { sent: true, status: 200 },
    });
  });

  test('of a test tenant is sent only if the channel asks for it', async () => {
    const made = await testTenant(store.usance);
    const { tenant } = made;
    await open(tenant, { alice: 0, bob: 0 });
    const [silent, asking] = [freshPath(), freshPath()];
    const params = { kind: 'slack', topics: ['dead_letters'], maxPerMinute: 1 } as const;
    const one = await tenant.createNotificationChannel({ ...params, name: 'silent', url: receiver.url(silent) });
    await tenant.createNotificationChannel({
      ...params,
      name: 'asking',
      url: receiver.url(asking),
      sendTestEvents: true,
    });
    await failPayments(tenant, 3);
    await tenant.testNotificationChannel(one.channel.id);
    await sendAll(store.usance);
    expect(textsAt(silent)).toHaveLength(1);
    expect(textsAt(silent)[0]).toMatch(/^This is a test/);
    expect(receiver.posted(asking)).toHaveLength(1);
    expect(receiver.posted(asking)[0]?.text).toContain('(test)');
  });
});

describe('a burst', () => {
  test('is sent as the first messages at once, and one summary of all others when the minute is over', async () => {
    const { tenant, channel, path } = await withChannel({ kind: 'webhook', maxPerMinute: 3 });
    await failPayments(tenant, 30);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toHaveLength(3);
    expect((await executionsOf(tenant, channel)).filter(({ status }) => status === 'pending')).toMatchObject([
      { code: 'NOTIFICATION_DEFERRED' },
    ]);
    await store.owner.query(
      `update usance.notification_channels set window_at = window_at - interval '1 minute',
         carrier_due_at = carrier_due_at - interval '1 minute' where id = $1::uuid`,
      [channel.id],
    );
    await makeDue(channel);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toHaveLength(4);
    expect(receiver.posted(path)[3]?.body).toMatchObject({
      text: '27 more events beyond the limit of messages per minute: 27 × payment.failed.',
      counts: { 'payment.failed': 27 },
    });
    const executions = await executionsOf(tenant, channel);
    expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'completed'));
    expect(await backlogOf(channel)).toEqual([]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('whose summary is not accepted is summarized again by the next attempt, with the same counts', async () => {
    const { tenant, channel, path } = await withChannel({ kind: 'webhook', maxPerMinute: 1 });
    await failPayments(tenant, 4);
    await sendAll(store.usance);
    await store.owner.query(
      `update usance.notification_channels set window_at = window_at - interval '1 minute',
         carrier_due_at = carrier_due_at - interval '1 minute' where id = $1::uuid`,
      [channel.id],
    );
    receiver.answers(path, 500);
    await makeDue(channel);
    await sendAll(store.usance);
    receiver.answers(path, 200);
    await makeDue(channel);
    await sendAll(store.usance);
    const [, refused, accepted] = receiver.posted(path);
    expect(refused?.body['counts']).toEqual({ 'payment.failed': 3 });
    expect(accepted?.body['counts']).toEqual({ 'payment.failed': 3 });
    expect(accepted?.headers['webhook-id']).toBe(refused?.headers['webhook-id']);
    expect(await backlogOf(channel)).toEqual([]);
  });

  test.each(['is a dead letter', 'was cancelled'] as const)(
    'whose carrier %s is in the next message of the channel',
    async (end) => {
      const { tenant, channel, path } = await withChannel({ maxPerMinute: 1 });
      const minutePasses = async (): Promise<void> => {
        await store.owner.query(
          `update usance.notification_channels set window_at = window_at - interval '61 s', carrier_due_at = carrier_due_at - interval '61 s'
           where id = $1::uuid`,
          [channel.id],
        );
        await makeDue(channel);
      };
      await failPayments(tenant, 8);
      await sendAll(store.usance);
      expect(await backlogOf(channel)).toHaveLength(6);
      receiver.answers(path, end === 'was cancelled' ? 500 : 403);
      await minutePasses();
      await sendAll(store.usance);
      if (end === 'was cancelled')
        for (const { id, status } of await executionsOf(tenant, channel))
          if (status === 'pending') await tenant.cancelExecution(id);
      expect(await backlogOf(channel)).toHaveLength(6);
      receiver.answers(path, 200);
      await minutePasses();
      await failPayments(tenant);
      await sendAll(store.usance);
      expect(textsAt(path).at(-1)).toContain('7');
      expect(await backlogOf(channel)).toEqual([]);
      await minutePasses();
      await failPayments(tenant);
      await sendAll(store.usance);
      expect(textsAt(path).at(-1)).toContain('failed for good');
    },
  );

  test('in a test tenant is summarized when its clock has advanced by a minute', async () => {
    const made = await testTenant(store.usance);
    const { tenant } = made;
    await open(tenant, { alice: 0, bob: 0 });
    const path = freshPath();
    await tenant.createNotificationChannel({
      name: 'on call',
      kind: 'webhook',
      url: receiver.url(path),
      topics: ['dead_letters'],
      maxPerMinute: 1,
      sendTestEvents: true,
    });
    await failPayments(tenant, 5);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toHaveLength(1);
    await tenant.advanceTestClock(made.clock, after(3_600_000));
    for (let more = true; more;) {
      await sendAll(store.usance);
      more = await runLoop(store.usance, 'clocks');
    }
    expect(await tenant.testClock(made.clock)).toMatchObject({ status: 'ready', now: after(3_600_000) });
    expect(receiver.posted(path).map(({ body }) => body['counts'])).toEqual([null, { 'payment.failed': 4 }]);
  });
});

describe('a channel that hangs', () => {
  test('holds its share of the worker, and the messages of others are sent meanwhile', async () => {
    const slow = await withChannel();
    const quick = await withChannel();
    receiver.answers(slow.path, 'hang');
    await failPayments(slow.tenant, 12);
    await failPayments(quick.tenant, 12);
    const sending = sendAll(store.usance);
    await receiver.reached(quick.path, 12);
    await receiver.reached(slow.path, 4);
    expect(receiver.posted(slow.path)).toHaveLength(4);
    receiver.release(slow.path);
    await sending;
    expect(receiver.posted(slow.path)).toHaveLength(12);
  });
});

describe('a channel that fails', () => {
  test.each([
    [{ status: 429, headers: { 'retry-after': '90.5' } }, 90_500],
    [503, 5_000],
    [{ status: 500, headers: { 'retry-after': '120' } }, 120_000],
  ] as const)('with %j is tried again no earlier than it says', async (answer, waitMs) => {
    const { tenant, channel, path } = await withChannel();
    receiver.answers(path, answer);
    await failPayments(tenant);
    await sendAll(store.usance);
    const [execution] = await executionsOf(tenant, channel);
    expect(execution).toMatchObject({ status: 'pending', attemptNumber: 1, code: 'NOTIFICATION_FAILED' });
    const waits = (execution?.nextRetryAt?.getTime() ?? 0) - (execution?.startedAt?.getTime() ?? 0);
    expect(waits).toBeGreaterThanOrEqual(waitMs * 0.9);
    expect(waits).toBeLessThan(waitMs * 1.1 + 5_000);
    expect((await tenant.notificationChannel(channel.id)).failingSince).toBeInstanceOf(Date);
    receiver.answers(path, 204);
    await makeDue(channel);
    await sendAll(store.usance);
    expect(await executionsOf(tenant, channel)).toMatchObject([{ status: 'completed', attemptNumber: 2 }]);
    expect(await tenant.notificationChannel(channel.id)).toMatchObject({
      failingSince: null,
      lastSuccessAt: expect.any(Date),
    });
  });

  test('for good is a dead letter, which is not reported to the channel itself but to the others', async () => {
    const { tenant, channel, path } = await withChannel();
    const other = freshPath();
    const params = { kind: 'slack', url: receiver.url(other), topics: ['dead_letters'] } as const;
    await tenant.createNotificationChannel({ ...params, name: 'second' });
    receiver.answers(path, 400);
    await failPayments(tenant);
    await sendAll(store.usance);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toHaveLength(1);
    expect(textsAt(other)).toEqual([
      expect.stringMatching(/^Payment /),
      expect.stringMatching(
        /^Message exe_\w+ to notification channel nch_\w+ at 127\.0\.0\.1:\d+ failed for good after 1 attempt: NOTIFICATION_FAILED\./,
      ),
    ]);
    expect((await executionsOf(tenant, channel)).map(({ status }) => status).toSorted()).toEqual([
      'completed',
      'failed',
    ]);
  });

  test('of a delivery names the webhook endpoint and its host, and not the job', async () => {
    const { tenant, path } = await withChannel();
    const hook = freshPath();
    receiver.answers(hook, 410);
    const endpoint = await addEndpoint(tenant, { url: receiver.url(hook), eventPattern: 'payment.created' });
    await failPayments(tenant);
    await deliver(store.usance);
    await sendAll(store.usance);
    const whose = `webhook endpoint ${toTypeId('webhookEndpoint', endpoint.id)} at ${new URL(receiver.url('/')).host}`;
    const sentence = String.raw`^Delivery exe_\w+ to ${whose} failed for good after 1 attempt: ENDPOINT_GONE\. It is a dead letter\.$`;
    expect(textsAt(path).toSorted()).toEqual([
      expect.stringMatching(new RegExp(sentence)),
      expect.stringMatching(/^Payment /),
    ]);
  });

  test('with 404 or 410 is disabled at once, with an event that other channels report', async () => {
    const { tenant, channel, path } = await withChannel();
    const other = freshPath();
    const params = { kind: 'slack', url: receiver.url(other), topics: ['endpoints'] } as const;
    await tenant.createNotificationChannel({ ...params, name: 'second' });
    receiver.answers(path, 404);
    await failPayments(tenant);
    expect(await sendAll(store.usance)).toMatchObject({ disabled: 1 });
    expect(await tenant.notificationChannel(channel.id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    await sendAll(store.usance);
    expect(textsAt(other)).toEqual([
      `Notification channel ${toTypeId('notificationChannel', channel.id)} at ${channel.targetHost} was disabled (gone): it sends no more messages.`,
    ]);
    await failPayments(tenant);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toHaveLength(1);
    receiver.answers(path, 200);
    await tenant.updateNotificationChannel(channel.id, { enabled: true });
    await failPayments(tenant);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toHaveLength(2);
    expect(await tenant.notificationChannel(channel.id)).toMatchObject({ failingSince: null, disabledReason: null });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is disabled when its failures span five days without a success, and not by one outage long ago', async () => {
    const { tenant, channel, path } = await withChannel();
    receiver.answers(path, 500);
    await failPayments(tenant);
    expect(await sendAll(store.usance)).toMatchObject({ disabled: 0 });
    const move = async (what: string): Promise<void> => {
      await store.owner.query(`update usance.notification_channels set ${what} where id = $1::uuid`, [channel.id]);
    };
    await move(`failing_since = now() - interval '6 days', last_failed_at = now() - interval '6 days'`);
    expect(await sendAll(store.usance)).toMatchObject({ disabled: 0 });
    await makeDue(channel);
    expect(await sendAll(store.usance)).toMatchObject({ disabled: 1 });
    expect(await tenant.notificationChannel(channel.id)).toMatchObject({ enabled: false, disabledReason: 'failing' });
    await order(store.usance);
    expect(await tenant.events({ type: 'notification_channel.disabled' })).toMatchObject([
      { actor: 'system', data: { reason: 'failing', targetHost: channel.targetHost } },
    ]);
  });

  test('that was deleted or disabled meanwhile sends nothing', async () => {
    const { tenant, channel, path } = await withChannel();
    receiver.answers(path, 500);
    await failPayments(tenant);
    await sendAll(store.usance);
    await tenant.updateNotificationChannel(channel.id, { enabled: false });
    await makeDue(channel);
    await sendAll(store.usance);
    await tenant.deleteNotificationChannel(channel.id);
    await sendAll(store.usance);
    expect(receiver.posted(path)).toHaveLength(1);
  });
});
