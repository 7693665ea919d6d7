// The desk: what gave up, why, how much is at stake, and what a person does about it.
import { beforeAll, describe, expect, test } from 'vitest';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { HOUR, testProcessor } from '../support/processor.ts';

describe('dead letters', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);
  const hold = (from: string, amount: number) =>
    store.tenant.createPayment({ from, to: 'payee', asset: 'USD', amount, delay: '1h', idempotencyKey: key() });
  const failed = async (from: string, amount: number, reason = 'given up') =>
    store.tenant.failPayment((await hold(from, amount)).id, reason);

  test('say the cause, the money at stake and the age', async () => {
    await open(store.tenant, { payer: 1_000, payee: 0 });
    const payment = await failed('payer', 100, 'the seller is gone');
    const [letter] = await store.tenant.deadLetters();
    expect(letter).toMatchObject({
      kind: 'payment',
      id: payment.id,
      code: 'FAILED_BY_OPERATOR',
      detail: 'the seller is gone',
      asset: 'USD/2',
      amount: 100n,
      failedAt: payment.endedAt,
    });
    expect(letter?.ageMs).toBeGreaterThanOrEqual(0);
    expect(await store.tenant.deadLetter(payment.id)).toMatchObject({ id: payment.id });
    expect(await refused(() => store.tenant.deadLetter('00000000-0000-7000-8000-000000000000'))).toBe(
      'DEAD_LETTER_NOT_FOUND',
    );
    expect(await refused(() => store.tenant.deadLetter('no id'))).toBe('DEAD_LETTER_NOT_FOUND');
  });

  test('of a hold that was captured in part are about the rest', async () => {
    const { id } = await hold('payer', 100);
    await store.tenant.capturePayment(id, { amount: 30, idempotencyKey: key() });
    await store.tenant.failPayment(id, 'given up');
    expect(await store.tenant.deadLetter(id)).toMatchObject({ amount: 70n });
    await store.tenant.discardDeadLetter(id, 'agreed with the customer');
  });

  test('retried are payments like any other again', async () => {
    const { id } = await failed('payer', 50);
    await store.tenant.retryDeadLetter(id, { reason: 'the seller is back' });
    expect(await refused(() => store.tenant.deadLetter(id))).toBe('DEAD_LETTER_NOT_FOUND');
    expect(await refused(() => store.tenant.retryDeadLetter(id))).toBe('DEAD_LETTER_NOT_FOUND');
    await testProcessor(store.db).drainAfter(HOUR);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled' });
  });

  test('discarded leave the desk, and what failed stays failed; with a reason, and once', async () => {
    const { id } = await failed('payer', 50);
    expect(await refused(() => store.tenant.discardDeadLetter(id, ' '))).toBe('FIELD_INVALID');
    await store.tenant.discardDeadLetter(id, 'paid by other means');
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'failed' });
    const last = (await store.tenant.timeline(id)).at(-1);
    expect(last).toMatchObject({ type: 'payment.discarded', cause: 'FAILED_BY_OPERATOR' });
    expect(await refused(() => store.tenant.discardDeadLetter(id, 'again'))).toBe('DEAD_LETTER_NOT_FOUND');
  });

  test('are retried by a filter, oldest first; what cannot be stays', async () => {
    await open(store.tenant, { lean: 100 });
    const letters = [await failed('lean', 60), await failed('lean', 70), await failed('lean', 40)];
    expect(await store.tenant.retryDeadLetters({ code: 'NO_SUCH_CODE' })).toEqual({
      retried: [],
      refused: [],
      next: null,
    });
    const [first, second, third] = letters.map((letter) => letter.id);
    const failedFrom = letters[0]?.endedAt ?? new Date();
    const { retried, refused: left } = await store.tenant.retryDeadLetters({ asset: 'USD', failedFrom });
    expect(retried.map(({ id }) => id)).toEqual([first, third]);
    expect(left).toMatchObject([{ id: second, code: 'FUNDS_INSUFFICIENT' }]);
    expect(await held(store.tenant, 'lean')).toEqual([0n, 100n]);
    expect((await store.tenant.deadLetters()).map((letter) => letter.id)).toContain(second);
    expect(await troubles(store.usance)).toEqual([]);
  });

  describe('of a filter whose oldest letters are refused', () => {
    let sound: string[] = [];
    let oldest: string[] = [];
    beforeAll(async () => {
      await open(store.tenant, { spent: 100, sound: 100 });
      oldest = [await failed('spent', 100), await failed('spent', 100), await failed('spent', 100)].map(({ id }) => id);
      await hold('spent', 100);
      sound = [await failed('sound', 10, 'late'), await failed('sound', 10), await failed('sound', 10)].map(
        ({ id }) => id,
      );
    });
    const inParts = async (part: (after: string | null) => Promise<{ next: string | null }>): Promise<void> => {
      let after: string | null = null;
      for (let parts = 1; ; parts += 1) {
        ({ next: after } = await part(after));
        if (after === null) return;
        expect(parts).toBeLessThan(oldest.length + sound.length);
      }
    };

    test('are all reached in parts, each once', async () => {
      const filter = {
        kind: 'payment',
        failedFrom: (await store.tenant.deadLetter(oldest[0] ?? '')).failedAt,
      } as const;
      const seen: { retried: string[]; refused: string[] } = { retried: [], refused: [] };
      await inParts(async (after) => {
        const part = await store.tenant.retryDeadLetters(filter, { limit: 2, ...(after === null ? {} : { after }) });
        // It fails again, behind the part.
        for (const { id } of part.retried) await store.tenant.failPayment(id, 'again');
        seen.retried.push(...part.retried.map(({ id }) => id));
        seen.refused.push(...part.refused.map(({ id }) => id));
        return part;
      });
      expect(seen).toEqual({ retried: sound, refused: oldest });
      const discarded: string[] = [];
      await inParts(async (after) => {
        const options = { limit: 4, reason: 'agreed', ...(after === null ? {} : { after }) };
        const part = await store.tenant.discardDeadLetters(filter, options);
        discarded.push(...part.discarded.map(({ id }) => id));
        return part;
      });
      expect(discarded).toEqual([...oldest, ...sound]);
      expect(await refused(() => store.tenant.retryDeadLetters(filter, { after: 'no id' }))).toBe(
        'DEAD_LETTER_NOT_FOUND',
      );
    });
  });

  test('come in pages that miss nothing', async () => {
    await open(store.tenant, { many: 1_000 });
    for (let n = 0; n < 5; n += 1) await failed('many', 10);
    const all = (await store.tenant.deadLetters()).map((letter) => letter.id);
    const seen: string[] = [];
    for (;;) {
      const before = seen.at(-1);
      const page = await store.tenant.deadLetters({}, { limit: 2, ...(before === undefined ? {} : { before }) });
      if (page.length === 0) break;
      seen.push(...page.map((letter) => letter.id));
    }
    expect(seen).toEqual(all);
  });
});
