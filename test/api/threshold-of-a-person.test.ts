// A threshold of approval counts per person: all keys that the rule of the same person joins share one count, over HTTP and in the
// library, whichever verb sends the money.
import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiKeyOrder } from '../../src/access/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { fromTypeId, toTypeId } from '../../src/kernel/index.ts';
import type { ScheduleEdit } from '../../src/schedules/index.ts';
import { key, open } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import { useApi } from './api.ts';

describe('the threshold of approval', () => {
  const store = useApi();
  const secrets = new Map<string, string>();
  let payers = 0;
  let payer = '';

  const secret = (name: string): string => secrets.get(name) ?? '';
  const handle = async (name: string): Promise<TenantHandle> => {
    const found = await store.usance.authenticate(secret(name));
    if (!found) throw new Error(`expected the key ${name}`);
    return found.handle;
  };
  const MAKER = ['payments:read', 'payments:write', 'ops:write', 'ledger:money', 'keys:write'] as const;
  const make = async (name: string, by: TenantHandle, order: Partial<ApiKeyOrder> = {}): Promise<void> => {
    secrets.set(name, (await by.createApiKey({ name, scopes: MAKER, ...order })).secret);
  };
  const idOf = async (name: string): Promise<string> =>
    (await store.tenant.apiKeys()).find((each) => each.name === name)?.id ?? '';

  const setUp = async (): Promise<void> => {
    await open(store.tenant, { bob: 0 });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    await make('root', store.tenant, { role: 'admin' });
    const root = await handle('root');
    await make('maker', root);
    await make('colleague', root);
    await make('jo’s till', root, { person: 'Jo' });
    await make('jo’s desk', store.tenant, { person: 'Jo' });
    await make('of jo’s till', await handle('jo’s till'));
    const maker = await handle('maker');
    await make('child', maker);
    await make('sibling', maker);
    await make('named child', maker, { person: 'Kim' });
    await make('kim’s own', root, { person: 'Kim' });
    await make('grandchild', await handle('child'));
    await make('cousin', await handle('sibling'));
    secrets.set('rotated', (await maker.rotateApiKey(await idOf('maker'))).secret);
    await make('of the rotated', await handle('rotated'));
    secrets.set('rotated child', (await maker.rotateApiKey(await idOf('child'))).secret);
    await make('victim', root);
    secrets.set('taken over', (await maker.rotateApiKey(await idOf('victim'))).secret);
  };

  beforeEach(async () => {
    if (secrets.size === 0) await setUp();
    payer = `payer-${(payers += 1)}`;
    await open(store.tenant, { [payer]: 100_000 });
  });

  const ONE: readonly (readonly [what: string, one: string, other: string])[] = [
    ['a rotated key', 'maker', 'rotated'],
    ['a child', 'maker', 'child'],
    ['a child of a rotated key', 'maker', 'of the rotated'],
    ['a rotated child', 'maker', 'rotated child'],
    ['a grandchild', 'rotated', 'grandchild'],
    ['a sibling', 'child', 'sibling'],
    ['a cousin', 'grandchild', 'cousin'],
    ['a key of the same person', 'jo’s till', 'jo’s desk'],
    ['a child of a key of the same person', 'of jo’s till', 'jo’s desk'],
    ['a child that names a person, and that person’s own key', 'named child', 'kim’s own'],
    ['a child that names a person, and its sibling', 'named child', 'child'],
    ['a key that it rotated', 'maker', 'taken over'],
    ['the key before that rotation', 'maker', 'victim'],
  ];
  const TWO: readonly (readonly [what: string, one: string, other: string])[] = [
    ['two children of an admin', 'maker', 'colleague'],
    ['descendants of two children of an admin', 'grandchild', 'of jo’s till'],
    ['keys of two persons', 'jo’s till', 'kim’s own'],
  ];
  const order = (amount: number) => ({ from: payer, to: 'bob', asset: 'USD', amount });

  const pay = async (by: string, amount: number): Promise<unknown> => {
    const answer = await store.send('POST /payments', { body: { ...order(amount), delay: '1h' }, secret: secret(by) });
    return (answer.body as { approval: unknown }).approval;
  };
  const payInLibrary = async (by: string, amount: number): Promise<unknown> =>
    (await (await handle(by)).createPayment({ ...order(amount), delay: '1h', idempotencyKey: key() })).approval;

  test.each(ONE)('is shared with %s, over HTTP', async (_what, one, other) => {
    expect([await pay(one, 300), await pay(other, 300)]).toEqual([null, 'awaited']);
    expect([await pay(other, 200), await pay(one, 1)]).toEqual([null, 'awaited']);
  });

  test.each(ONE)('is shared with %s, in the library', async (_what, one, other) => {
    expect([await payInLibrary(other, 300), await payInLibrary(one, 300)]).toEqual([null, 'awaited']);
  });

  test.each(TWO)('is not shared by %s', async (_what, one, other) => {
    expect([await pay(one, 500), await payInLibrary(other, 500)]).toEqual([null, null]);
  });

  test('cannot be passed by rotating and making keys', async () => {
    let by = 'maker';
    let sent = 0;
    for (let n = 0; n < 6; n += 1) {
      if ((await pay(by, 500)) === null) sent += 500;
      const holder = await handle('rotated');
      await make(`key ${n}`, holder);
      if (n % 2 === 0) secrets.set(`key ${n}`, (await holder.rotateApiKey(await idOf(`key ${n}`))).secret);
      by = `key ${n}`;
    }
    expect(sent).toBe(500);
  });

  test('is not granted again to a key that keys of other lineages rotate, one after another', async () => {
    const root = await handle('root');
    await make('rotated by others', root);
    expect(await pay('rotated by others', 500)).toBeNull();
    let id = await idOf('rotated by others');
    for (const name of ['rotator 1', 'rotator 2', 'rotator 3']) {
      await make(name, root);
      const path = `POST /api-keys/${toTypeId('apiKey', id)}/rotate`;
      const rotated = await store.send(path, { body: {}, secret: secret(name) });
      secrets.set('rotated by others', rotated.word('secret'));
      id = fromTypeId('apiKey', rotated.word('id'));
      expect(await pay('rotated by others', 500)).toBe('awaited');
      expect(await pay(name, 500)).toBeNull();
    }
  });

  test('is shared with the commands of a person, and with callers of that name', async () => {
    const payAs = async (actor: string, amount: number): Promise<unknown> => {
      const by = await store.usance.tenant('shop', { actor });
      return (await by.createPayment({ ...order(amount), delay: '1h', idempotencyKey: key() })).approval;
    };
    expect([await pay('jo’s till', 300), await payAs('cli:jo', 201)]).toEqual([null, 'awaited']);
    expect([await payAs('cli:JO', 200), await pay('jo’s desk', 1)]).toEqual([null, 'awaited']);
    expect([await payAs('Jo', 1), await payAs('cli:lee', 500)]).toEqual(['awaited', null]);
  });

  test.each<[verb: string, (by: TenantHandle) => Promise<unknown>]>([
    ['a withdrawal', (by) => by.withdraw({ account: payer, asset: 'USD', amount: 300, idempotencyKey: key() })],
    ['a transfer', (by) => by.transfer({ ...order(300), idempotencyKey: key() })],
  ])('is shared with %s of a child', async (_verb, send) => {
    expect(await pay('maker', 300)).toBeNull();
    expect(await refusalOf(send(await handle('child')))).toBe('APPROVAL_REQUIRED');
    await send(await handle('colleague'));
    expect(await pay('colleague', 201)).toBe('awaited');
  });

  test('is shared with an edit by a child', async () => {
    const made = await (await handle('maker')).createPayment({ ...order(300), delay: '1h', idempotencyKey: key() });
    const edit = async (name: string, amount: number) => (await handle(name)).editPayment(made.id, { amount });
    expect(await edit('child', 500)).toMatchObject({ approval: null });
    expect(await pay('sibling', 1)).toBe('awaited');
  });

  describe('counts a payment of a schedule', () => {
    const scheduled = async (by: string): Promise<string> => {
      const rule = { frequency: 'DAILY' } as const;
      const start = '2026-01-01T06:00';
      const wanted = { ...order(300), rule, start, idempotencyKey: key() };
      return (await (await handle(by)).createSchedule(wanted)).id;
    };
    const approvalOf = async (id: string | null): Promise<unknown> => (await store.tenant.payment(id ?? '')).approval;
    const triggered = async (by: string, id: string): Promise<unknown> =>
      approvalOf((await (await handle(by)).triggerSchedule(id, { idempotencyKey: key() })).paymentId);

    test('for its creator, whichever key that person holds', async () => {
      const id = await scheduled('child');
      expect(await triggered('child', id)).toBeNull();
      expect(await pay('maker', 201)).toBe('awaited');
      expect(await triggered('sibling', id)).toBe('awaited');
    });

    test('for the caller that triggered the run', async () => {
      const id = await scheduled('colleague');
      expect(await triggered('child', id)).toBeNull();
      expect([await pay('colleague', 201), await pay('maker', 201)]).toEqual(['awaited', 'awaited']);
    });

    test('for the caller that triggered the run, even if its creator has room', async () => {
      expect(await pay('maker', 300)).toBeNull();
      const id = await scheduled('colleague');
      expect(await triggered('child', id)).toBe('awaited');
      expect(await pay('colleague', 500)).toBeNull();
    });

    test('for the caller of a backfill', async () => {
      const id = await scheduled('colleague');
      const days = { start: '2026-01-05', end: '2026-01-05' };
      const [made] = await (await handle('child')).backfillSchedule(id, { ...days, idempotencyKey: key() });
      expect(await approvalOf(made?.paymentId ?? null)).toBeNull();
      expect([await pay('colleague', 201), await pay('maker', 201)]).toEqual(['awaited', 'awaited']);
    });

    test.each<[what: string, edit: ScheduleEdit]>([
      ['amount', { amount: 301 }],
      ['steps', { steps: [{ from: 2, amount: 301 }] }],
      ['rule', { rule: { everySeconds: 3_600 } }],
      ['zone', { zone: 'Europe/Berlin' }],
      ['treatment of missed slots', { missed: 'all' }],
      ['overlap', { overlap: 'allow' }],
      ['guard', { guardAmount: 10_000 }],
    ])('for the caller that changed its %s', async (_what, edit) => {
      const id = await scheduled('colleague');
      await (await handle('child')).editSchedule(id, edit);
      expect(await triggered('colleague', id)).toBeNull();
      expect([await pay('colleague', 201), await pay('maker', 201)]).toEqual(['awaited', 'awaited']);
      expect((await store.tenant.schedule(id)).changedBy).toHaveLength(1);
    });

    test.each<[what: string, edit: ScheduleEdit]>([
      ['its metadata', { metadata: { note: 'x' } }],
      ['its priority', { priority: 'high' }],
      ['nothing', { amount: 300 }],
    ])('not for who changed %s', async (_what, edit) => {
      const id = await scheduled('colleague');
      await (await handle('child')).editSchedule(id, edit);
      expect(await triggered('colleague', id)).toBeNull();
      expect([await pay('colleague', 201), await pay('maker', 500)]).toEqual(['awaited', null]);
    });
  });
});
