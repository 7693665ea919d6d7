// What each payee of a payment with legs sees of it: their own share, as their transfers have it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Payment, TenantHandle } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { inSeconds, shared, token } from './tokens.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const PERCENT = fc.integer({ min: 0, max: 100 });

const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });

const as = async (sub: string): Promise<TenantHandle> => {
  const shown = await store.usance.authenticate(token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) }));
  if (!shown) throw new Error('expected somebody');
  return shown.handle;
};

test('a payee of several sees what their transfers add up to, after any captures, a cancellation and refunds', async () => {
  const payees = ['bob', 'carol', 'dave'];
  await open(store.tenant, { payer: 1_000_000, bob: 0, carol: 0, dave: 0 });
  const users = await Promise.all(payees.map(as));
  const amounts = fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 2, maxLength: 3 });
  const percents = fc.array(PERCENT, { minLength: 1, maxLength: 3 });
  const refunds = fc.array(fc.tuple(fc.nat(2), PERCENT), { maxLength: 2 });
  const property = fc.asyncProperty(
    amounts,
    percents,
    refunds,
    fc.boolean(),
    async (parts, captures, returns, isRestReturned) => {
      const legs = parts.map((amount, n) => ({ to: payees[n] ?? '', amount }));
      const amount = parts.reduce((sum, part) => sum + part, 0);
      const order = { from: 'payer', legs, asset: 'USD', amount, funding: 'reserve', delay: '1h' } as const;
      const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
      const compare = async (): Promise<Payment[]> => {
        const whole = await store.tenant.payment(id);
        const moved = (await store.tenant.transfers('payer', { limit: 100 })).filter(
          ({ paymentId }) => paymentId === id,
        );
        const sumOf = (side: 'debitAccountId' | 'creditAccountId', accountId: string): bigint =>
          moved.filter((each) => each[side] === accountId).reduce((sum, each) => sum + each.amount, 0n);
        const seen = await Promise.all(users.slice(0, legs.length).map((user) => user.payment(id)));
        for (const [n, part] of seen.entries()) {
          const me = users[n]?.subject ?? '';
          const paid = [sumOf('creditAccountId', me), sumOf('debitAccountId', me)];
          expect([part.captured, part.refunded]).toEqual(paid);
          expect(part.amount).toBe(BigInt(parts[n] ?? 0));
          expect(part.released).toBe(whole.released > 0n ? part.amount - part.captured : 0n);
        }
        for (const field of ['amount', 'captured', 'released', 'refunded'] as const)
          expect(seen.reduce((sum, part) => sum + part[field], 0n)).toBe(whole[field]);
        return seen;
      };
      let left = amount;
      for (const percent of captures) {
        const part = Math.min(left - 1, Math.floor((left * percent) / 100));
        if (part > 0) await store.tenant.capturePayment(id, { amount: part, idempotencyKey: key() });
        left -= Math.max(part, 0);
        await compare();
      }
      await store.tenant.cancelPayment(id);
      for (const [n, percent] of returns) {
        const part = (await compare())[n];
        const back = part ? ((part.captured - part.refunded) * BigInt(percent)) / 100n : 0n;
        if (back > 0n)
          await store.tenant.refundPayment(id, { from: payees[n] ?? '', amount: back, idempotencyKey: key() });
      }
      const { captured, refunded } = await store.tenant.payment(id);
      if (isRestReturned && captured > refunded) await store.tenant.refundPayment(id, { idempotencyKey: key() });
      await compare();
    },
  );
  await fc.assert(property, { numRuns: 15 });
});

test('a payee is not shown as captured what is still held, or was released', async () => {
  await open(store.tenant, { ann: 1_000, ben: 0, cem: 0 });
  const legs = [
    { to: 'ben', amount: 600 },
    { to: 'cem', amount: 400 },
  ];
  const order = { from: 'ann', legs, asset: 'USD', amount: 1_000, funding: 'reserve', delay: '1h' } as const;
  const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
  await store.tenant.capturePayment(id, { amount: 100, idempotencyKey: key() });
  const seen = async (name: string): Promise<Payment> => (await as(name)).payment(id);
  expect(await seen('ben')).toMatchObject({ amount: 600n, captured: 60n, released: 0n });
  await store.tenant.cancelPayment(id);
  expect(await seen('ben')).toMatchObject({ amount: 600n, captured: 60n, released: 540n });
  await store.tenant.refundPayment(id, { idempotencyKey: key() });
  expect(await seen('cem')).toMatchObject({ amount: 400n, captured: 40n, released: 360n, refunded: 40n });
});
