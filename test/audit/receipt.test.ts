// A receipt is checked without this program: by docs/operating/verify-receipt.mjs in a process of its own, against a kept anchor.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/audit/index.ts';
import { anchorLine, readAnchors } from '../../src/audit/index.ts';
import { appendEvents } from '../../src/events/index.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { useApi } from '../api/api.ts';
import { problemIn } from '../api/problem.ts';
import { key, open } from '../support/books.ts';
import { orderAll } from '../support/order.ts';
import { refusalOf } from '../support/refusal.ts';
import { testProcessor } from '../support/processor.ts';

const VERIFIER = new URL('../../docs/operating/verify-receipt.mjs', import.meta.url).pathname;
const store = useApi();
let folder = '';
let payment = '';
const ORDER = { from: 'alice', to: 'bob', asset: 'USD', amount: 100 };
const ZEROS = '00'.repeat(32);

/** What the verifier prints, or the last line of what it refuses with. */
async function check(receipt: unknown, anchors?: string): Promise<string> {
  const [file, kept] = [join(folder, 'receipt.json'), join(folder, 'anchors.jsonl')];
  await writeFile(file, JSON.stringify(receipt));
  const lines = (await readAnchors(store.usance.db, new Date())).map(anchorLine).join('\n');
  await writeFile(kept, anchors ?? lines);
  return promisify(execFile)(process.execPath, [VERIFIER, file, kept]).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => `refused: ${error.stderr.trim()}`,
  );
}

const receiptOf = async (query = ''): Promise<Receipt> =>
  (await store.send(`GET /payments/${toTypeId('payment', payment)}/receipt${query}`)).body as Receipt;
const fill = async (blocks: number, events?: number, resourceId?: string): Promise<void> => {
  for (let n = 0; n < blocks; n += 1) {
    await store.usance.db.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: events ?? 1 + (n % 3) }, () => ({
          tenantId: store.tenant.id,
          type: 'plan.updated' as const,
          resource: resourceId === undefined ? 'plan' : 'payment',
          resourceId: resourceId ?? newId(),
          data: { changed: [], new: {} },
          actor: 'test',
          occurredAt: new Date(),
        })),
      ),
    );
  }
  await orderAll(store.usance.db);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usance-receipt-'));
  await open(store.tenant, { alice: 1_000, bob: 0 });
  const others = Array.from({ length: 5 }, () => store.tenant.createPayment({ ...ORDER, idempotencyKey: key() }));
  payment = (await store.tenant.createPayment({ ...ORDER, idempotencyKey: key() })).id;
  await Promise.all(others);
  await testProcessor(store.usance.db).drain();
  await fill(40);
});

describe('a receipt', () => {
  test('is proven by an anchor, without the database', async () => {
    const receipt = await receiptOf();
    expect(receipt.events.map(({ type }) => type)).toEqual(['payment.created', 'payment.settled']);
    const printed = await check(receipt);
    expect(printed).toContain('payment.settled');
    expect(printed).toMatch(/2 events up to seq [0-9]+ proven by the anchor/);
  });

  test('stays small: the links grow with the logarithm of what came after', async () => {
    const before = (await receiptOf()).links.length;
    await fill(300);
    const receipt = await receiptOf();
    expect(await check(receipt)).toMatch(/2 events up to seq [0-9]+ proven/);
    expect(receipt.links.length).toBeLessThan(before + 24);
    expect(JSON.stringify(receipt).length).toBeLessThan(30_000);
  });

  test('leads to the anchor that is asked for', async () => {
    const anchors = await readAnchors(store.usance.db, new Date());
    const seq = anchors.find(({ tenant }) => tenant === store.tenant.id)?.seq.toString();
    await fill(9);
    const receipt = await receiptOf(`?anchor=${seq}`);
    expect(receipt.anchor.seq).toBe(seq);
    expect(await check(receipt, anchors.map(anchorLine).join('\n'))).toMatch(/2 events up to seq [0-9]+ proven/);
    expect(await check(await receiptOf(), anchors.map(anchorLine).join('\n'))).toContain('you have no anchor');
  });

  test('is proven by one of two anchors of a seq, and the other is named', async () => {
    const anchors = await readAnchors(store.usance.db, new Date());
    const receipt = await receiptOf();
    const lost = anchors.map((each) => ({ ...each, hash: ZEROS, at: '2020-01-01T00:00:00.000Z' }));
    for (const kept of [
      [...lost, ...anchors],
      [...anchors, ...lost],
    ]) {
      const printed = await check(receipt, kept.map(anchorLine).join('\n'));
      expect(printed).toMatch(/2 events up to seq [0-9]+ proven/);
      expect(printed).toMatch(/your anchor of 2020-01-01T00:00:00.000Z has another hash for seq [0-9]+: /);
    }
    expect(await check(receipt, lost.map(anchorLine).join('\n'))).toMatch(/^refused: your anchor has another hash/);
  });

  test.each<[string, (receipt: Receipt) => unknown, RegExp]>([
    ['another amount', (r) => edit(r, 'events.1.details.data', '{"new":{"status":"failed"}}'), /event .* was changed/],
    ['another actor', (r) => edit(r, 'events.0.actor', 'mallory'), /event .* was changed/],
    ['another time', (r) => edit(r, 'links.1.recorded', '0'), /does not lead to the anchor/],
    ['another digest', (r) => edit(r, 'links.2.digest', '00'.repeat(32)), /does not lead to the anchor/],
    ['another number', (r) => edit(r, 'events.0.seq', '1'), /has seq/],
    ['another anchor', (r) => edit(r, 'anchor.hash', '00'.repeat(32)), /your anchor has another hash/],
    ['another neighbour', (r) => ({ ...r, events: r.events.map((e) => ({ ...e, proof: [ZEROS] })) }), /was changed/],
    ['no events', (r) => ({ ...r, total: 0, events: [] }), /the receipt has no events/],
    ['an event less', (r) => ({ ...r, events: r.events.slice(0, 1) }), /has 1 events, not 2/],
    ['an event twice', (r) => ({ ...r, total: 3, events: [...r.events, r.events[1]] }), /out of order, or there twice/],
    ['another order', (r) => ({ ...r, events: r.events.toReversed() }), /out of order/],
    ['bytes for a text', (r) => edit(r, 'events.0.type', { type: 'Buffer', data: [1] }), /a field is no text/],
    ['another resource', (r) => edit(r, 'events.1.subject', newId()), /of another resource/],
  ])('with %s is refused', async (_, change, refused) => {
    expect(await check(change(structuredClone(await receiptOf())))).toMatch(refused);
  });

  test('of an event whose details were erased still proves that it happened', async () => {
    const [created] = await store.tenant.auditEvents({ resourceId: payment, action: 'PAYMENT_CREATED' });
    await store.tenant.eraseAuditEvent(created?.id ?? '', 'asked for');
    await orderAll(store.usance.db);
    const printed = await check(await receiptOf());
    expect(printed).toMatch(/payment.created .* \(details erased or withheld\)/);
    expect(printed).toMatch(/2 events up to seq [0-9]+ proven/);
  });

  test('with the reason of a caller proves it, and has another format; one without is read as before', async () => {
    const { id } = await store.tenant.createPayment({ ...ORDER, delay: '1h', idempotencyKey: key() });
    await store.tenant.from({ ip: null, userAgent: null, requestId: null, reason: 'Zoë called' }).runPaymentNow(id);
    await orderAll(store.usance.db);
    const receipt = await store.tenant.paymentReceipt(id);
    expect(receipt.format).toBe('usance receipt 4');
    expect(receipt.events.map(({ details }) => 'reason' in details && details.reason)).toEqual([null, 'Zoë called']);
    expect(await check(receipt)).toMatch(/payment.run_now .*  reason: Zoë called\n2 events up to seq [0-9]+ proven/);
    expect(await check(edit(structuredClone(receipt), 'events.1.details.reason', 'nobody called'))).toMatch(/changed/);
    expect(await check(edit(structuredClone(receipt), 'events.1.details.reason', null))).toMatch(/was changed/);
    expect(await check(edit(structuredClone(receipt), 'events.0.details.reason', 'why not'))).toMatch(/was changed/);
    const [, change] = await store.tenant.auditEvents({ resourceId: id }).then((events) => events.toReversed());
    await store.tenant.eraseAuditEvent(change?.id ?? '', 'asked for');
    await orderAll(store.usance.db);
    const erased = await store.tenant.paymentReceipt(id);
    expect(erased.format).toBe('usance receipt 3');
    expect(await check(erased)).toMatch(/2 events up to seq [0-9]+ proven/);
    const forged = edit(structuredClone(erased), 'events.1.details.reason', 'nobody proved this');
    expect(await check(forged)).not.toContain('nobody proved this');

    const plain = await receiptOf();
    expect(plain.format).toBe('usance receipt 3');
    // As receipts were before reasons were recorded.
    const before = plain.events.map(({ details, ...event }) => {
      const { reason: _reason, ...rest } = details as Record<string, unknown>;
      return { ...event, details: rest };
    });
    expect(await check({ ...plain, events: before })).toMatch(/2 events up to seq [0-9]+ proven/);
  });

  test('prints what a terminal would obey as text', async () => {
    const { id } = await store.tenant.createPayment({ ...ORDER, delay: '1h', idempotencyKey: key() });
    await store.tenant.cancelPayment(id, { reason: 'a\u009bb\u202ec' });
    await orderAll(store.usance.db);
    const printed = await check(await store.tenant.paymentReceipt(id));
    expect(printed).toContain(String.raw`a\u{9b}b\u{202e}c`);
    expect(printed).not.toMatch(/[\u009b\u202e]/);
  });

  test('of a payment with more than 100 events has the newest, and says how many are left out', async () => {
    const { id } = await store.tenant.createPayment({ ...ORDER, delay: '1h', idempotencyKey: key() });
    await fill(1, 120, id);
    await store.tenant.cancelPayment(id, { reason: 'last' });
    await orderAll(store.usance.db);
    const receipt = await store.tenant.paymentReceipt(id);
    expect([receipt.total, receipt.omitted, receipt.events.length]).toEqual([122, 22, 100]);
    expect(receipt.events.at(-1)?.type).toBe('payment.cancelled');
    expect(receipt.events.every(({ proof }) => proof.length <= 7)).toBe(true);
    const printed = await check(receipt);
    expect(printed).toContain('22 earlier events are not in the receipt');
    expect(printed).toContain('100 events up to seq');
  });

  test('is refused where no event of the payment is ordered up to the anchor', async () => {
    const [anchor] = (await readAnchors(store.usance.db, new Date())).filter(
      ({ tenant }) => tenant === store.tenant.id,
    );
    const { id } = await store.tenant.createPayment({ ...ORDER, delay: '1h', idempotencyKey: key() });
    await orderAll(store.usance.db);
    const early = store.tenant.paymentReceipt(id, { anchor: anchor?.seq ?? 0n });
    expect(await refusalOf(early)).toBe('RECEIPT_ANCHOR_UNKNOWN');
  });

  test('is made one at a time for a tenant, and four at a time in a process', async () => {
    const asked = [payment, payment].map((id) => refusalOf(store.tenant.paymentReceipt(id)));
    expect(await Promise.all(asked)).toEqual(['not refused', 'RATE_LIMITED']);
    expect(await store.tenant.paymentReceipt(payment)).toMatchObject({ omitted: 0 });
    const many = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const tenant = await store.usance.createTenant({ name: `busy-${n}` });
        await tenant.createAsset('USD/2');
        await open(tenant, { alice: 1_000, bob: 0 });
        const { id } = await tenant.createPayment({ ...ORDER, delay: '1h', idempotencyKey: key() });
        return { tenant, id };
      }),
    );
    await orderAll(store.usance.db);
    const codes = await Promise.all(many.map(({ tenant, id }) => refusalOf(tenant.paymentReceipt(id))));
    expect(codes.filter((code) => code === 'not refused').length).toBeGreaterThanOrEqual(4);
    expect(codes.filter((code) => code !== 'not refused')).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
  });

  test('is refused to a key that may not read the audit log, and for another tenant’s payment', async () => {
    const { secret } = await store.tenant.createApiKey({ name: 'till', scopes: ['payments:read'] });
    const path = `GET /payments/${toTypeId('payment', payment)}/receipt`;
    expect(problemIn(await store.send(path, { secret })).code).toBe('AUTH_SCOPE_MISSING');
    const other = await store.usance.createTenant({ name: 'other' });
    const theirs = (await other.createApiKey({ name: 'till', role: 'admin' })).secret;
    expect(problemIn(await store.send(path, { secret: theirs })).code).toBe('PAYMENT_NOT_FOUND');
  });

  test('needs a verifier of at most a hundred lines, without an import but of Node', async () => {
    const text = await readFile(VERIFIER, 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
    expect([...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name)).toEqual(['node:crypto', 'node:fs']);
  });
});

function edit(receipt: Receipt, path: string, value: unknown): Receipt {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at: unknown = receipt;
  for (const name of names) at = (at as Record<string, unknown>)[name];
  (at as Record<string, unknown>)[last] = value;
  return receipt;
}
