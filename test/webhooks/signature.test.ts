// Three implementations of Standard Webhooks against each other: signWebhook of the server, verifyWebhook of the client, and the
// reference library.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { WebhookHeaders } from '../../src/client/index.ts';
import { WebhookVerificationError, verifyWebhook } from '../../src/client/index.ts';
import { BrokenInvariant } from '../../src/kernel/index.ts';
import { isWebhookSecret, newWebhookSecret, signBody, signWebhook } from '../../src/webhooks/index.ts';

const now = new Date();
const secret = newWebhookSecret();
const other = newWebhookSecret();
const id = 'evt_01jd9zqk3te5x9v0ay5k2m8h7r';
const body = JSON.stringify({
  id,
  type: 'payment.settled',
  source: 'usance',
  resource_id: 'pay_01',
  data: { new: { execute_at: '2026-11-15T09:30:00Z' } },
});
const signed = (given: Partial<Parameters<typeof signWebhook>[0]> = {}): Record<string, string> => ({
  ...signWebhook({ id, sentAt: now, body, secrets: [secret], ...given }),
});

const reasonOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
};

test('the reference library verifies a signature of the server, whatever the body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.jsonValue(), async (text, value) => {
      const sent = JSON.stringify({ text, value });
      const headers = signed({ body: sent });
      expect(new Webhook(secret).verify(sent, headers)).toEqual(JSON.parse(sent));
      expect(await verifyWebhook(sent, headers, secret)).toMatchObject({ text });
      expect(await verifyWebhook(Buffer.from(sent), signed({ body: Buffer.from(sent) }), secret)).toBeDefined();
    }),
  );
});

test('the client verifies a signature of the reference library', async () => {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
  expect(headers).toEqual(signed());
  expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id });
});

test('the example of the specification has its signature', async () => {
  // https://github.com/standard-webhooks/standard-webhooks, libraries/javascript/src/webhook.test.ts
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  };
  const headers = signWebhook(example);
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  const event = await verifyWebhook(example.body, { ...headers }, example.secrets, { now: example.sentAt });
  expect(event).toEqual({ test: 2_432_232_314 });
});

test('the event has the names of the client', async () => {
  expect(await verifyWebhook(body, signed(), secret)).toMatchObject({
    type: 'payment.settled',
    resourceId: 'pay_01',
    data: { new: { executeAt: '2026-11-15T09:30:00Z' } },
  });
});

test('during a rotation a receiver verifies with the old secret, the new one, or both', async () => {
  const rotating = signed({ secrets: [other, secret] });
  expect(rotating['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const receiver of [secret, other, [secret, other], [newWebhookSecret(), other]])
    expect(await verifyWebhook(body, rotating, receiver)).toMatchObject({ id });
  for (const one of [secret, other]) expect(new Webhook(one).verify(body, rotating)).toMatchObject({ id });
  // The receiver has both while the sender signs with one.
  expect(await verifyWebhook(body, signed(), [other, secret])).toMatchObject({ id });
  expect(await reasonOf(verifyWebhook(body, rotating, newWebhookSecret()))).toBe('signature_invalid');
});

test('headers are read from Headers, from Node and in any case', async () => {
  const headers = signed();
  const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const given of [headers, new Headers(headers), new Map(Object.entries(headers)), shouted, listed])
    expect(await verifyWebhook(body, given as WebhookHeaders, secret)).toMatchObject({ id });
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'a webhook without %s is rejected',
  async (name) => {
    for (const value of [undefined, '', ['a', 'b']])
      expect(await reasonOf(verifyWebhook(body, { ...signed(), [name]: value }, secret))).toBe('headers_missing');
  },
);

test('a change of the body, the id or the time is rejected', async () => {
  const changed = [
    verifyWebhook(`${body} `, signed(), secret),
    verifyWebhook(body, { ...signed(), 'webhook-id': 'evt_2' }, secret),
    verifyWebhook(body, { ...signed(), 'webhook-timestamp': String(Math.floor(now.getTime() / 1_000) - 1) }, secret),
    verifyWebhook(body, signed(), other),
    verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,' }, secret),
    verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,%%%' }, secret),
    verifyWebhook(body, { ...signed(), 'webhook-signature': signed()['webhook-signature']?.slice(3) }, secret),
    verifyWebhook(
      body,
      { ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1', 'v1a') },
      secret,
    ),
    // The dots are no way to move a part of the id into the time.
    verifyWebhook(body, { ...signed({ id: `${id}.1` }), 'webhook-id': id }, secret),
  ];
  expect(new Set(await Promise.all(changed.map(reasonOf)))).toEqual(new Set(['signature_invalid']));
});

test('a sender cannot have hundreds of signatures compared', async () => {
  const many = [...Array.from({ length: 500 }, () => signed({ secrets: [other] })['webhook-signature'] ?? ''), ''];
  const headers = { ...signed(), 'webhook-signature': many.join(' ') + (signed()['webhook-signature'] ?? '') };
  expect(await reasonOf(verifyWebhook(body, headers, secret))).toBe('signature_invalid');
});

test.each([
  [-301, 'timestamp_too_old'],
  [-299, null],
  [299, null],
  [302, 'timestamp_too_new'],
] as const)('a webhook of %s s from now is judged by five minutes of tolerance', async (seconds, reason) => {
  const headers = signed({ sentAt: new Date(now.getTime() + seconds * 1_000) });
  const verdict = await reasonOf(verifyWebhook(body, headers, secret, { now }));
  if (reason === null) expect(verdict).toMatchObject({ id });
  else expect(verdict).toBe(reason);
});

test('the tolerance can be set', async () => {
  const headers = signed({ sentAt: new Date(now.getTime() - 11_000) });
  expect(await reasonOf(verifyWebhook(body, headers, secret, { now, toleranceSeconds: 10 }))).toBe('timestamp_too_old');
  expect(await verifyWebhook(body, headers, secret, { now, toleranceSeconds: 20 })).toMatchObject({ id });
  await expect(verifyWebhook(body, headers, secret, { toleranceSeconds: NaN })).rejects.toThrow(TypeError);
  expect(await reasonOf(verifyWebhook(body, headers, secret, { now: new Date(NaN) }))).toBe('timestamp_too_new');
});

test.each(['1e9', '-1', '1.5', ' 1', '0x10', '9'.repeat(13), 'now'])('the timestamp "%s" is rejected', async (text) => {
  const headers = { ...signed(), 'webhook-timestamp': text };
  expect(await reasonOf(verifyWebhook(body, headers, secret))).toBe('timestamp_invalid');
});

test.each(['', '[]', '"text"', 'null', '{', Buffer.from([0xff, 0xfe])])(
  'the signed body %j is rejected',
  async (sent) => {
    expect(await reasonOf(verifyWebhook(sent, signed({ body: sent }), secret))).toBe('body_invalid');
  },
);

test('mistakes of the receiver are TypeErrors that show no secret', async () => {
  const parsed = JSON.parse(body) as unknown as string;
  await expect(verifyWebhook(parsed, signed(), secret)).rejects.toThrow(/not the parsed JSON/);
  for (const wrong of ['', secret.slice('whsec_'.length), 'whsec_', 'whsec_%', undefined as unknown as string])
    await expect(verifyWebhook(body, signed(), wrong)).rejects.toThrow(/^the secret of a webhook endpoint is whsec_/);
  await expect(verifyWebhook(body, signed(), [])).rejects.toThrow(TypeError);
});

test('a secret is whsec_ and the base64 of 24 to 64 bytes', () => {
  expect(isWebhookSecret(newWebhookSecret())).toBe(true);
  for (let bytes = 0; bytes <= 70; bytes += 1)
    expect(isWebhookSecret(`whsec_${Buffer.alloc(bytes, 7).toString('base64')}`), `${bytes}`).toBe(
      bytes >= 24 && bytes <= 64,
    );
  for (const text of ['', 'whsec_', other.slice(6), `${other}=`, `${other} `, other.replace('whsec', 'WHSEC')])
    expect(isWebhookSecret(text), text).toBe(false);
  const sign = (): unknown => signWebhook({ id, sentAt: now, body, secrets: ['secret-in-the-clear'] });
  expect(sign).toThrow(BrokenInvariant);
  expect(sign).not.toThrow(/in-the-clear/);
});

test('the plain signature is the HMAC of the body under the secret as text', () => {
  expect(signBody(secret, body)).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  expect(signBody(secret, Buffer.from(body))).toBe(signBody(secret, body));
});

test('verification imports nothing of Node', () => {
  const source = readFileSync(new URL('../../src/client/verify-webhook.ts', import.meta.url), 'utf8');
  expect(source).not.toMatch(/from 'node:|\bBuffer\b|\bprocess\b/);
});
