// Creates that come together are committed together, and each is judged alone.
import { beforeAll, describe, expect, test } from 'vitest';
import { held, open, troubles } from '../support/books.ts';
import { gate } from '../support/gate.ts';
import { freshKey, useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('64 creates at once', () => {
  const seen = { commits: 0 };
  let hold: (() => Promise<void>) | null = null;
  const store = useApi({
    usance: {
      onStatement: async (text) => {
        if (text !== 'commit') return;
        seen.commits += 1;
        const waits = hold;
        hold = null;
        await waits?.();
      },
    },
  });
  beforeAll(() => open(store.tenant, { alice: 60, bob: 0, poor: 0 }));

  const BAD = [
    [{ from: 'nobody' }, 'ACCOUNT_NOT_FOUND'],
    [{ to: 'alice' }, 'SELF_TRANSFER'],
    [{ from: 'poor' }, 'FUNDS_INSUFFICIENT'],
    [{ asset: 'EUR' }, 'ASSET_NOT_FOUND'],
    [{ amount: 0 }, 'AMOUNT_NOT_POSITIVE'],
    [{ delay: '8d' }, 'DELAY_OUT_OF_RANGE'],
    [{ delay: 'soon' }, 'DELAY_INVALID'],
    [{ reference: 'the first' }, 'REFERENCE_EXISTS'],
  ] as const;

  test('go together, and a bad one spoils no other', async () => {
    const order = { from: 'alice', to: 'bob', amount: 1, asset: 'USD', delay: '1h' };
    const reached = gate();
    const release = gate();
    hold = async () => {
      reached.open();
      await release.passed;
    };
    const first = store.send('POST /holds', { body: { ...order, reference: 'the first' } });
    await reached.passed;
    const sent = Array.from({ length: 64 }, (_item, index) => {
      const [change, code] = index % 2 === 1 ? (BAD[(index >> 1) % BAD.length] ?? [{}, null]) : [{}, null];
      const answer = store.send('POST /holds', { key: freshKey(), body: { ...order, ...change } });
      return { code, answer };
    });
    // All 64 have to be in the queue before the first may commit; a request more than those is answered after them.
    await store.send('GET /assets');
    release.open();
    expect((await first).status).toBe(201);
    const outcomes = await Promise.all(sent.map(async ({ code, answer }) => ({ code, answer: await answer })));
    for (const { code, answer } of outcomes) {
      if (code === null) expect(answer.status, answer.text).toBe(201);
      else expect(problemIn(answer)).toMatchObject({ code });
    }
    expect(new Set(outcomes.flatMap(({ code, answer }) => (code ? [] : [answer.get('id')]))).size).toBe(32);
    expect(await held(store.tenant, 'alice')).toEqual([27n, 33n]);
    expect(seen.commits).toBeLessThan(40);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('spend what there is, and not more', async () => {
    const order = { from: 'alice', to: 'bob', amount: 1, asset: 'USD', delay: '1h' };
    const answers = await Promise.all(Array.from({ length: 64 }, () => store.send('POST /holds', { body: order })));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(27);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(problemIn(answer)).toMatchObject({ code: 'FUNDS_INSUFFICIENT' });
    }
    expect(await held(store.tenant, 'alice')).toEqual([0n, 60n]);
  });
});
