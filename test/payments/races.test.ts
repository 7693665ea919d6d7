// The races of a payment, one by one, each in every order that its statements allow.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle, Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { liftPause, pause } from '../../src/tenants/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { MINUTE, testProcessor } from '../support/processor.ts';
import { runRace, stopper } from '../support/race.ts';
import { refusalOf } from '../support/refusal.ts';

/** Where a side works: the engine that is stopped, or the other one. */
interface Racer {
  readonly usance: Engine;
  readonly tenant: TenantHandle;
}

interface Stage {
  readonly id: string;
  readonly payer: string;
  readonly payee: string;
}

type Side = (engine: Racer, stage: Stage) => Promise<string>;

describe('at once', () => {
  const store = useUsance({ poolSize: 5 });
  const stop = stopper();
  const state: { engine?: Racer } = {};
  let count = 0;

  beforeAll(async () => {
    const { onStatement } = stop;
    const usance = await createEngine({ databaseUrl: store.runtimeUrl, poolSize: 5, onStatement });
    state.engine = { usance, tenant: await usance.tenant('shop') };
  });
  afterAll(() => state.engine?.usance.close());

  const arrange = async (fields: Partial<PaymentOrder> = {}): Promise<Stage> => {
    const [payer, payee] = [`payer-${(count += 1)}`, `payee-${count}`];
    await open(store.tenant, { [payer]: 1_000, [payee]: 0 });
    const order = { from: payer, to: payee, asset: 'USD', amount: 100, ...fields };
    const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    return { id, payer, payee };
  };
  const payment = ({ id }: Stage) => store.tenant.payment(id);
  const OK = 'not refused';

  const settle: Side = async ({ usance: { db } }, { id }) => {
    await testProcessor(db).run();
    return (await store.tenant.payment(id)).status;
  };
  /** A verb's outcome: `not refused`, or its code. */
  const verb =
    (work: (tenant: TenantHandle, stage: Stage) => Promise<unknown>): Side =>
    ({ tenant }, stage) =>
      refusalOf(work(tenant, stage));

  /** Both sides in both roles. */
  const race = async (
    one: Side,
    two: Side,
    judge: (stage: Stage, one: string, two: string) => Promise<void>,
    stage: () => Promise<Stage> = () => arrange(),
  ): Promise<void> => {
    const { engine } = state;
    if (!engine) throw new Error('the engine exists inside tests only');
    const runs = [
      await runRace(store.owner, stop, {
        arrange: stage,
        stopped: (on) => one(engine, on),
        other: (on) => two(store, on),
        judge,
      }),
      await runRace(store.owner, stop, {
        arrange: stage,
        stopped: (on) => two(engine, on),
        other: (on) => one(store, on),
        judge: (on, second, first) => judge(on, first, second),
      }),
    ];
    for (const orders of runs) expect(orders).toBeGreaterThan(3);
  };

  test('cancel and settle: one of them wins, and the caller gets the true outcome', async () => {
    await race(
      verb((tenant, { id }) => tenant.cancelPayment(id)),
      settle,
      async (stage, cancelled) => {
        const { status, captured } = await payment(stage);
        expect([cancelled, status, captured]).toEqual(
          cancelled === OK ? [OK, 'cancelled', 0n] : ['PAYMENT_STATE_CONFLICT', 'settled', 100n],
        );
        expect(await held(store.tenant, stage.payer)).toEqual([cancelled === OK ? 1_000n : 900n, 0n]);
      },
    );
  });

  test('capture and settle: what is captured is not settled again', async () => {
    await race(
      verb((tenant, { id }) => tenant.capturePayment(id, { amount: 30, idempotencyKey: key() })),
      settle,
      async (stage, captured) => {
        // A settlement that met the capture comes back for the rest.
        await testProcessor(store.db).drain();
        const { status, captures } = await payment(stage);
        expect([status, captures]).toEqual(['settled', captured === OK ? 1 : 0]);
        expect(await held(store.tenant, stage.payer)).toEqual([900n, 0n]);
        expect(await held(store.tenant, stage.payee)).toEqual([100n, 0n]);
      },
    );
  });

  test('edit and settle: it settles with the one amount or the other', async () => {
    await race(
      verb((tenant, { id }) => tenant.editPayment(id, { amount: 60 })),
      settle,
      async (stage, edited) => {
        await testProcessor(store.db).drain();
        const { status, amount, captured } = await payment(stage);
        const paid = edited === OK ? 60n : 100n;
        expect([status, amount, captured]).toEqual(['settled', paid, paid]);
        expect(await held(store.tenant, stage.payer)).toEqual([1_000n - paid, 0n]);
      },
    );
  });

  test('a credit and what is paid out of it: by their ids the one comes before the other', async () => {
    const poor = async (): Promise<Stage> => {
      const [payer, payee] = [`payer-${(count += 1)}`, `payee-${count}`];
      await open(store.tenant, { [payer]: 0, [payee]: 0 });
      const order = { from: payer, to: payee, asset: 'USD', amount: 100, funding: 'at_execution' } as const;
      // Two, so that they are foreseen.
      await store.tenant.createPayment({ ...order, idempotencyKey: key() });
      const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
      return { id, payer, payee };
    };
    await race(
      verb((tenant, { payer }) => tenant.deposit({ account: payer, asset: 'USD', amount: 200, idempotencyKey: key() })),
      settle,
      async ({ payer, payee }) => {
        const transfers = await store.tenant.transfers(payer);
        expect(
          transfers
            .toReversed()
            .map(({ kind }) => kind)
            .slice(0, 2),
        ).toEqual(['deposit', 'settlement'].slice(0, transfers.length));
        const [left] = await held(store.tenant, payer);
        expect(left + (await held(store.tenant, payee))[0]).toBe(200n);
        await testProcessor(store.db).drainAfter(MINUTE);
        expect(await held(store.tenant, payer)).toEqual([0n, 0n]);
      },
      poor,
    );
  });

  test('suspend and settle: it settles before the suspension or not at all', async () => {
    await race(
      verb((tenant, { payer }) => tenant.suspendAccount(payer, 'look into it')),
      settle,
      async (stage, suspended) => {
        const { status, lastCode } = await payment(stage);
        expect(suspended).toBe(OK);
        if (status === 'settled') expect(await held(store.tenant, stage.payer)).toEqual([900n, 0n]);
        else expect([status, lastCode]).toEqual(['scheduled', 'ACCOUNT_NOT_ACTIVE']);
        await testProcessor(store.db).drain();
        expect((await payment(stage)).status).toBe(status);
      },
    );
  });

  test('expire and settle: at its expiry it ends once, paid or given back', async () => {
    const at =
      (aheadMs: number): Side =>
      async ({ usance: { db } }, { id }) => {
        const processor = testProcessor(db);
        processor.advance(aheadMs);
        await processor.run();
        return (await store.tenant.payment(id)).status;
      };
    await race(
      at(0),
      at(2 * MINUTE),
      async (stage) => {
        const { status } = await payment(stage);
        expect(['settled', 'expired']).toContain(status);
        expect(await held(store.tenant, stage.payer)).toEqual([status === 'settled' ? 900n : 1_000n, 0n]);
        expect(await held(store.tenant, stage.payee)).toEqual([status === 'settled' ? 100n : 0n, 0n]);
      },
      async () => {
        const stage = await arrange({ expiresAt: new Date(Date.now() + MINUTE) });
        await store.owner.query('update usance.payments set attempts = 1 where id = $1::uuid', [stage.id]);
        return stage;
      },
    );
  });

  test('two processors: it is settled once', async () => {
    await race(settle, settle, async (stage) => {
      expect(await payment(stage)).toMatchObject({ status: 'settled', attempts: 1 });
      expect(await held(store.tenant, stage.payee)).toEqual([100n, 0n]);
    });
  });

  test('A to B and B to A: both are paid', async () => {
    const back = new Map<string, string>();
    const capture = (own: (stage: Stage) => string): Side =>
      verb((tenant, stage) => tenant.capturePayment(own(stage), { idempotencyKey: key() }));
    await race(
      capture(({ id }) => id),
      capture(({ id }) => back.get(id) ?? ''),
      async (stage, one, two) => {
        expect([one, two]).toEqual([OK, OK]);
        expect(await held(store.tenant, stage.payer)).toEqual([900n, 0n]);
        expect(await held(store.tenant, stage.payee)).toEqual([100n, 0n]);
      },
      async () => {
        const stage = await arrange();
        const { payer, payee } = stage;
        await store.tenant.deposit({ account: payee, asset: 'USD', amount: 50, idempotencyKey: key() });
        await store.tenant.withdraw({ account: payer, asset: 'USD', amount: 50, idempotencyKey: key() });
        const order = { from: payee, to: payer, asset: 'USD', amount: 50, delay: '1h', idempotencyKey: key() };
        back.set(stage.id, (await store.tenant.createPayment(order)).id);
        return stage;
      },
    );
  });

  const ended = async (how: (id: string) => Promise<unknown>): Promise<Stage> => {
    const stage = await arrange({ delay: '1h' });
    await how(stage.id);
    return stage;
  };

  test('two refunds of more than half: one is made', async () => {
    const refund = verb((tenant, { id }) => tenant.refundPayment(id, { amount: 60, idempotencyKey: key() }));
    await race(
      refund,
      refund,
      async (stage, one, two) => {
        expect([one, two].toSorted()).toEqual(['REFUND_EXCEEDS_PAYMENT', OK]);
        expect(await held(store.tenant, stage.payer)).toEqual([960n, 0n]);
      },
      () => ended((id) => store.tenant.capturePayment(id, { idempotencyKey: key() })),
    );
  });

  test('two captures of more than half: one is made', async () => {
    const capture = verb((tenant, { id }) => tenant.capturePayment(id, { amount: 60, idempotencyKey: key() }));
    await race(
      capture,
      capture,
      async (stage, one, two) => {
        expect([one, two].toSorted()).toEqual(['CAPTURE_EXCEEDS_HOLD', OK]);
        expect(await held(store.tenant, stage.payer)).toEqual([900n, 40n]);
        expect(await held(store.tenant, stage.payee)).toEqual([60n, 0n]);
      },
      () => arrange({ delay: '1h' }),
    );
  });

  test('two retries: one is made', async () => {
    const retry = verb((tenant, { id }) => tenant.retryPayment(id));
    await race(
      retry,
      retry,
      async (stage, one, two) => {
        expect([one, two].toSorted()).toEqual(['PAYMENT_STATE_CONFLICT', OK]);
        expect(await held(store.tenant, stage.payer)).toEqual([900n, 100n]);
      },
      () => ended((id) => store.tenant.failPayment(id, 'for the test')),
    );
  });

  test('run now and pause: it is paid before the pause, or after it', async () => {
    const paused = { tenantId: store.tenant.id, scope: 'tenant' as const, value: '', actor: 'operator' };
    const stages: Stage[] = [];
    const run: Side = async ({ usance: { db }, tenant }, { id }) => {
      await tenant.runPaymentNow(id);
      await testProcessor(db).run();
      return 'run';
    };
    const stopAll: Side = async ({ usance: { db } }) => {
      await db.transaction((tx) => pause(tx, { ...paused, reason: 'an incident' }));
      return 'paused';
    };
    await race(
      run,
      stopAll,
      async (stage) => {
        const { status, attempts } = await payment(stage);
        expect([status, attempts]).toEqual(status === 'settled' ? ['settled', 1] : ['scheduled', 0]);
        await store.db.transaction((tx) => liftPause(tx, paused));
        stages.push(stage);
      },
      () => arrange({ delay: '1h' }),
    );
    await testProcessor(store.db).drainAfter(MINUTE);
    for (const { payee } of stages) expect(await held(store.tenant, payee)).toEqual([100n, 0n]);
  });

  const order = ({ payer, payee, id }: Stage) => ({ from: payer, to: payee, asset: 'USD', amount: 10, reference: id });

  test('two payments of one reference: one is made', async () => {
    const create = verb((tenant, stage) => tenant.createPayment({ ...order(stage), idempotencyKey: key() }));
    await race(create, create, async (stage, one, two) => {
      expect([one, two].toSorted()).toEqual(['REFERENCE_EXISTS', OK]);
      expect(await held(store.tenant, stage.payer)).toEqual([890n, 110n]);
    });
  });

  test('two bulk requests that share a reference: one payment of it is made, and none of the others is spoiled', async () => {
    const bulk: Side = async ({ tenant }, stage) => {
      const plain = { ...order(stage), amount: 5 };
      const { reference: _, ...neighbour } = plain;
      const answers = await tenant.createPayments([neighbour, order(stage), neighbour], { idempotencyKey: key() });
      return answers.map((answer) => ('payment' in answer ? 'made' : answer.refused.code)).join();
    };
    await race(bulk, bulk, async (stage, one, two) => {
      expect([one, two].toSorted()).toEqual(['made,REFERENCE_EXISTS,made', 'made,made,made']);
      expect(await held(store.tenant, stage.payer)).toEqual([870n, 130n]);
    });
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
