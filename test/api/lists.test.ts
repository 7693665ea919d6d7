import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import type { TestApi } from './api.ts';
import { at, useApi } from './api.ts';
import { problemIn } from './problem.ts';

const { publicKey } = generateKeyPairSync('ed25519');
const ISSUER = {
  audience: 'usance',
  algorithm: 'EdDSA',
  jwks: { keys: [publicKey.export({ format: 'jwk' })] },
} as const;

/** Every item of a list, page by page; `between` runs after each page. */
async function walk(store: TestApi, path: string, limit: number, between: () => Promise<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let cursor: string | null = null; ;) {
    const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page = await store.send(`GET ${path}${query}`);
    expect(page.status, page.text).toBe(200);
    expect(page.list('data').length).toBeLessThanOrEqual(limit);
    items.push(...page.list('data'));
    cursor = page.get('next_cursor') === null ? null : page.word('next_cursor');
    if (cursor === null) return items;
    await between();
  }
}

describe('a list', () => {
  const store = useApi();
  const hold = async (change: object = {}): Promise<string> => {
    const body = { from: 'alice', to: 'bob', amount: 1, asset: 'USD', delay: '1h', ...change };
    return (await store.send('POST /holds', { body })).word('id');
  };
  beforeAll(() => open(store.tenant, { alice: 10_000, bob: 1_000, carol: 1_000 }));

  test('shows what was there exactly once, whatever is added meanwhile', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 23; n += 1) ids.push(await hold());
    const listed = await walk(store, '/holds', 5, hold);
    expect(listed.map((item) => at(item, 'id'))).toEqual(ids.toReversed());
  });

  test('of accounts goes on with the new ones', async () => {
    const before = await walk(store, '/accounts', 100, async () => undefined);
    let n = 0;
    const listed = await walk(store, '/accounts', 2, async () => {
      n += 1;
      if (n <= 3) await store.send('POST /accounts', { body: { ref: `new-${n}` } });
    });
    const refs = listed.map((item) => at(item, 'ref'));
    expect(refs.slice(0, before.length)).toEqual(before.map((item) => at(item, 'ref')));
    expect(refs.slice(before.length)).toEqual(['new-1', 'new-2', 'new-3']);
  });

  test('of transfers, reservations and events is walked the same way', async () => {
    await store.run('sequencer');
    for (const path of ['/accounts/alice/transfers', '/accounts/alice/reservations', '/events?type=payment.*']) {
      const all = await walk(store, path, 100, async () => undefined);
      const walked = await walk(store, path, 3, async () => undefined);
      expect(walked, path).toEqual(all);
      expect(all.length, path).toBeGreaterThan(0);
    }
  });

  test('of what happened to a payment is walked from its beginning, each entry with the time since the one before', async () => {
    const id = await hold();
    for (const amount of ['2', '3', '4', '5', '6']) await store.send(`PATCH /payments/${id}`, { body: { amount } });
    for (const path of [`/payments/${id}/timeline`, `/holds/${id}/events`]) {
      const all = await walk(store, path, 100, async () => undefined);
      // A hold is scheduled once it is created.
      expect(all).toHaveLength(path.startsWith('/holds') ? 7 : 6);
      for (const limit of [1, 4, 6]) expect(await walk(store, path, limit, async () => undefined)).toEqual(all);
    }
  });

  test('of token issuers and of e-mail templates is walked the same way, and goes on behind one that is gone', async () => {
    const issuers: unknown[] = [];
    for (let n = 0; n < 5; n += 1)
      issuers.push(
        (await store.tenant.createTokenIssuer({ ...ISSUER, issuer: `https://login-${n}.example.com` })).issuer,
      );
    const listed = await walk(store, '/token-issuers', 2, async () => undefined);
    expect(listed.map((item) => at(item, 'issuer'))).toEqual(issuers);
    const texts = { subject: 's', text: 't', html: '<p>t</p>' };
    for (const kind of ['payment_sent', 'payment_received'] as const)
      for (const language of ['', 'de', 'fr']) await store.tenant.setEmailTemplate({ kind, language, ...texts });
    const names = ['payment_received', 'payment_received.de', 'payment_received.fr', 'payment_sent', 'payment_sent.de'];
    let isFirst = true;
    const templates = await walk(store, '/email-templates', 2, async () => {
      // The last one of the first page: the next page does not need it.
      if (isFirst) await store.tenant.deleteEmailTemplate('payment_received', 'de');
      isFirst = false;
    });
    expect(templates.map((item) => at(item, 'id'))).toEqual([...names, 'payment_sent.fr']);
    const { text } = await store.send('GET /email-templates?limit=1');
    expect(text).not.toContain('<p>t</p>');
  });

  test('takes a cursor of its own kind only', async () => {
    await store.run('sequencer');
    const events = (await store.send('GET /events?limit=1')).word('next_cursor');
    const holds = (await store.send('GET /holds?limit=1')).word('next_cursor');
    const templates = (await store.send('GET /email-templates?limit=1')).word('next_cursor');
    for (const request of [
      `GET /email-templates?cursor=${holds}`,
      `GET /email-templates?cursor=${events}`,
      `GET /token-issuers?cursor=${templates}`,
      `GET /token-issuers?cursor=${events}`,
      `GET /holds?cursor=${events}`,
      `GET /events?cursor=${holds}`,
      `GET /accounts?cursor=${events}`,
    ]) {
      expect(problemIn(await store.send(request)), request).toMatchObject({ code: 'CURSOR_INVALID', param: 'cursor' });
    }
  });

  test('of payments is narrowed by state, account, time and reference', async () => {
    const named = await hold({ from: 'carol', to: 'bob', reference: 'the one', delay: '2h' });
    const other = await hold({ from: 'bob', to: 'carol', delay: '3h' });
    await store.send(`POST /holds/${other}/cancel`);
    const found = async (query: string): Promise<unknown[]> =>
      (await store.send(`GET /payments?${query}`)).list('data').map((item) => at(item, 'id'));
    const carol = (await store.send('GET /accounts/carol')).word('id');
    expect(await found('reference=the%20one')).toEqual([named]);
    expect(await found('account=carol')).toEqual([other, named]);
    expect(await found(`account=${carol}&status=cancelled`)).toEqual([other]);
    const executeAt = (await store.send(`GET /payments/${named}`)).word('execute_at');
    expect(await found(`execute_from=${executeAt}&account=carol`)).toEqual([other, named]);
    expect(await found(`execute_before=${executeAt}&account=carol`)).toEqual([]);
    const words = await store.send('GET /holds?status=CANCELLED');
    expect(words.list('data').map((item) => at(item, 'id'))).toEqual([other]);
    const late = await store.send('POST /payments', {
      body: { from: 'carol', to: 'bob', amount: 1, asset: 'USD', funding: 'at_execution' },
    });
    expect(await found('account=carol')).toEqual([late.get('id'), other, named]);
    expect((await store.send('GET /holds?account=carol')).list('data')).toHaveLength(2);
    const asHold = `/holds/${late.word('id')}`;
    const answers = [
      await store.send(`GET ${asHold}`),
      await store.send(`POST ${asHold}/cancel`, { body: {} }),
      await store.send(`POST ${asHold}/capture`, { body: {} }),
      await store.send(`POST ${asHold}/extend`, { body: { expires_at: '2100-01-01T00:00:00Z' } }),
    ];
    for (const answer of answers) expect(problemIn(answer)).toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
  });

  test('of events follows what is beyond a place, by type and resource', async () => {
    await store.run('sequencer');
    const id = await hold();
    await store.send(`POST /holds/${id}/cancel`, { body: { reason: 'changed my mind' } });
    const last = (await walk(store, '/events', 100, async () => undefined)).at(-1);
    await store.run('sequencer');
    const fresh = await store.send(`GET /events?after=${String(at(last, 'seq'))}`);
    expect(fresh.list('data')).toMatchObject([
      { type: 'payment.created', resource: 'payment', resource_id: id, data: { new: { amount: '1' } } },
      { type: 'payment.cancelled', actor: expect.stringMatching(/^key_/), data: { reason: 'changed my mind' } },
    ]);
    const types = async (query: string): Promise<unknown[]> =>
      (await store.send(`GET /events?${query}`)).list('data').map((item) => at(item, 'type'));
    expect(await types(`resource_id=${id}`)).toEqual(['payment.created', 'payment.cancelled']);
    expect(await types(`resource_id=${id}&type=*.cancelled`)).toEqual(['payment.cancelled']);
    expect(await types(`resource=account&resource_id=${id}`)).toEqual([]);
  });
});
