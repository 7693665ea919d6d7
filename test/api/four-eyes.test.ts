// Who may approve a payment, over HTTP and in the library: never the person who made it, whichever key that person holds.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiKeyOrder } from '../../src/access/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('a payment above the amount that needs approval', () => {
  const store = useApi();
  const secrets: Record<string, string> = {};
  const secret = (name: string): string => secrets[name] ?? '';
  const handle = async (name: string): Promise<TenantHandle> => {
    const found = await store.usance.authenticate(secret(name));
    if (!found) throw new Error(`expected the key ${name}`);
    return found.handle;
  };
  const MAKER = ['payments:read', 'payments:write', 'ops:write', 'keys:write'] as const;
  const make = async (name: string, by: TenantHandle, order: Partial<ApiKeyOrder> = {}): Promise<void> => {
    secrets[name] = (await by.createApiKey({ name, scopes: MAKER, ...order })).secret;
  };
  const idOf = async (name: string): Promise<string> =>
    (await store.tenant.apiKeys()).find((each) => each.name === name)?.id ?? '';

  beforeAll(async () => {
    await open(store.tenant, { alice: 1_000_000, bob: 0 });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    await make('root', store.tenant, { role: 'admin' });
    const root = await handle('root');
    await make('maker', root);
    await make('colleague', root);
    await make('maker’s second', root, { person: 'Jo' });
    await make('maker’s third', root, { person: 'Jo' });
    const maker = await handle('maker');
    await make('child', maker);
    await make('sibling', maker);
    await make('grandchild', await handle('child'));
    secrets['old'] = secret('maker');
    secrets['rotated'] = (await maker.rotateApiKey(await idOf('maker'))).secret;
    secrets['stolen'] = (await root.rotateApiKey(await idOf('colleague'))).secret;
  });

  const REFUSED: readonly (readonly [what: string, maker: string, decider: string])[] = [
    ['itself', 'maker', 'maker'],
    ['a rotated key', 'maker', 'rotated'],
    ['the key before its rotation', 'rotated', 'old'],
    ['a child', 'maker', 'child'],
    ['a child of the key before its rotation', 'rotated', 'child'],
    ['a parent', 'child', 'maker'],
    ['a rotated parent', 'child', 'rotated'],
    ['a grandchild', 'maker', 'grandchild'],
    ['the key that made its maker', 'maker', 'root'],
    ['a sibling, of a parent that is no admin', 'child', 'sibling'],
    ['a key of the same person', 'maker’s second', 'maker’s third'],
    ['the key that rotated it', 'stolen', 'root'],
  ];
  const ALLOWED: readonly (readonly [what: string, maker: string, decider: string])[] = [
    ['a sibling, of a parent that is an admin', 'maker', 'colleague'],
    ['a rotated sibling, of a parent that is an admin', 'rotated', 'stolen'],
    ['a key of another person', 'maker', 'maker’s third'],
    ['a descendant of a sibling of an admin’s', 'grandchild', 'colleague'],
  ];
  const body = { from: 'alice', to: 'bob', amount: 600, asset: 'USD', delay: '1h' };

  test.each(REFUSED)('is not decided by %s over HTTP', async (_what, maker, decider) => {
    const made = await store.send('POST /payments', { body, secret: secret(maker) });
    const path = `/payments/${made.word('id')}`;
    for (const [verb, said] of [
      ['approve', { terms_version: 1 }],
      ['reject', { reason: 'no' }],
    ] as const) {
      const answer = await store.send(`POST ${path}/${verb}`, { body: said, secret: secret(decider) });
      expect(problemIn(answer).code).toBe('APPROVAL_NEEDS_ANOTHER');
    }
  });

  test.each(ALLOWED)('is approved by %s over HTTP', async (_what, maker, decider) => {
    const made = await store.send('POST /payments', { body, secret: secret(maker) });
    const answer = await store.send(`POST /payments/${made.word('id')}/approve`, {
      body: { terms_version: 1 },
      secret: secret(decider),
    });
    expect(answer.body).toMatchObject({ approval: 'given' });
  });

  const created = async (name: string) => (await handle(name)).createPayment({ ...body, idempotencyKey: key() });

  test.each(REFUSED)('is not decided by %s in the library', async (_what, maker, decider) => {
    const { id } = await created(maker);
    const by = await handle(decider);
    const codes = [
      await refusedUnchanged(store.owner, store.tenant.id, () => by.approvePayment(id, { termsVersion: 1 })),
      await refusedUnchanged(store.owner, store.tenant.id, () => by.rejectPayment(id, 'no')),
    ];
    expect(codes).toEqual(['APPROVAL_NEEDS_ANOTHER', 'APPROVAL_NEEDS_ANOTHER']);
  });

  test.each(ALLOWED)('is approved by %s in the library', async (_what, maker, decider) => {
    const { id } = await created(maker);
    expect(await (await handle(decider)).approvePayment(id, { termsVersion: 1 })).toMatchObject({ approval: 'given' });
  });

  test.each(REFUSED)('is, once approved, not run early by %s', async (_what, maker, runner) => {
    const made = await store.send('POST /payments', { body, secret: secret(maker) });
    const { id } = await created(maker);
    await store.tenant.approvePayment(id, { termsVersion: 1 });
    await store.send(`POST /payments/${made.word('id')}/approve`, { body: { terms_version: 1 } });
    const over = (verb: string) => store.send(`POST ${verb}`, { secret: secret(runner) });
    expect(problemIn(await over(`/payments/${made.word('id')}/run-now`)).code).toBe('APPROVAL_NEEDS_ANOTHER');
    const by = await handle(runner);
    const codes = [
      await refusedUnchanged(store.owner, store.tenant.id, () => by.runPaymentNow(id)),
      await refusedUnchanged(store.owner, store.tenant.id, () => by.capturePayment(id, { idempotencyKey: key() })),
    ];
    expect(codes).toEqual(['APPROVAL_NEEDS_ANOTHER', 'APPROVAL_NEEDS_ANOTHER']);
  });

  test.each(ALLOWED)('is, once approved, run early by %s', async (_what, maker, runner) => {
    const { id } = await created(maker);
    await store.tenant.approvePayment(id, { termsVersion: 1 });
    expect(await (await handle(runner)).runPaymentNow(id)).toMatchObject({ approval: 'given' });
  });

  test('is not decided by a relative of a key that changed its terms', async () => {
    const { id } = await created('colleague');
    await (await handle('maker')).editPayment(id, { amount: 700 });
    const approve = async (name: string) => (await handle(name)).approvePayment(id, { termsVersion: 2 });
    expect(await refusedUnchanged(store.owner, store.tenant.id, () => approve('child'))).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await approve('maker’s second')).toMatchObject({ approval: 'given' });
  });

  test('is not decided by a relative of a key that created its schedule, changed it, or triggered the run', async () => {
    const maker = await handle('maker');
    const { id: schedule } = await maker.createSchedule({
      from: 'alice',
      to: 'bob',
      amount: 600,
      asset: 'USD',
      rule: { frequency: 'DAILY' },
      idempotencyKey: key(),
    });
    await (await handle('maker’s second')).editSchedule(schedule, { amount: 650 });
    const run = await (await handle('colleague')).triggerSchedule(schedule, { idempotencyKey: key() });
    const approve = async (name: string) =>
      (await handle(name)).approvePayment(run.paymentId ?? '', { termsVersion: 1 });
    for (const name of ['rotated', 'grandchild', 'maker’s third', 'stolen', 'root']) {
      expect(await refusedUnchanged(store.owner, store.tenant.id, () => approve(name))).toBe('APPROVAL_NEEDS_ANOTHER');
    }
    await make('fresh', await handle('root'));
    expect(await approve('fresh')).toMatchObject({ approval: 'given' });
  });

  test('made by a key of a command is not decided by whoever gave that command', async () => {
    const kim = await store.usance.tenant('shop', { actor: 'cli:kim' });
    await make('kim’s', kim);
    const { id } = await created('kim’s');
    const approve = () => kim.approvePayment(id, { termsVersion: 1 });
    expect(await refusedUnchanged(store.owner, store.tenant.id, approve)).toBe('APPROVAL_NEEDS_ANOTHER');
    const lee = await store.usance.tenant('shop', { actor: 'cli:lee' });
    expect(await lee.approvePayment(id, { termsVersion: 1 })).toMatchObject({ approval: 'given' });
  });
});
