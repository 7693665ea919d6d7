// A payment, and everything that can be done to it.
import { SYSTEM } from '../../src/kernel/index.ts';
import type { Noun, Rows, Stage } from './nouns.ts';
import { putOffRetry, runLoop, shift } from './nouns.ts';

const HOUR = 3_600_000;
/** The same instants in every run, so that outcomes can be compared. */
const ahead = (hours: number): Date => new Date(Math.floor(Date.now() / HOUR) * HOUR + hours * HOUR);
const LATER = ahead(72);
const LAST = ahead(96);

const order = {
  from: 'ann',
  to: 'ben',
  asset: 'USD',
  amount: 100,
  metadata: { n: 1 },
  reference: 'p',
  idempotencyKey: 'p',
};

const hold = async ({ jo }: Stage): Promise<Rows> => {
  const { id } = await jo.createPayment({ ...order, executeAt: ahead(48), expiresAt: ahead(80) });
  return { id };
};
const due = async ({ jo }: Stage): Promise<Rows> => ({ id: (await jo.createPayment(order)).id });

const starts: Noun['starts'] = {
  hold,
  due,
  'partly captured': async (stage) => {
    const rows = await hold(stage);
    await stage.jo.capturePayment(rows['id'] ?? '', { amount: 40, idempotencyKey: 'before' });
    return rows;
  },
  underfunded: async (stage) => {
    const { id } = await stage.jo.createPayment({ ...order, from: 'poor', funding: 'at_execution' });
    await runLoop(stage, 'processor');
    await putOffRetry(stage.owner, id);
    return { id };
  },
  awaiting: async (stage) => {
    await stage.jo.setLimit({ asset: 'USD', approvalAbove: 50 });
    return hold(stage);
  },
  expiring: async (stage) => {
    const { id = '' } = await hold(stage);
    await shift(
      stage.owner,
      `update usance.payments set execute_at = execute_at - interval '100 hours', expires_at = expires_at - interval '100 hours'
         where id = '${id}';
       update usance.due set due_at = clock_timestamp() - interval '1 minute' where payment_id = '${id}'`,
    );
    return { id };
  },
  failed: async (stage) => {
    const rows = await hold(stage);
    await stage.jo.failPayment(rows['id'] ?? '', 'not now');
    return rows;
  },
  settled: async (stage) => {
    const rows = await due(stage);
    await runLoop(stage, 'processor');
    return rows;
  },
};

const open = ['hold', 'due', 'partly captured', 'underfunded'];

export const PAYMENTS: Noun = {
  starts,
  verbs: {
    cancel: {
      in: [...open, 'awaiting', 'expiring'],
      act: ({ jo }, { id = '' }) => jo.cancelPayment(id, { reason: 'sold out' }),
    },
    'capture part': {
      in: ['hold', 'due', 'partly captured'],
      act: ({ jo, key }, { id = '' }) => jo.capturePayment(id, { amount: 30, ...key('part') }),
    },
    'capture whole': {
      in: ['hold', 'due', 'partly captured', 'awaiting', 'expiring'],
      act: ({ jo, key }, { id = '' }) => jo.capturePayment(id, key('whole')),
    },
    'edit amount': {
      in: ['hold', 'due', 'awaiting', 'expiring'],
      act: ({ jo }, { id = '' }) => jo.editPayment(id, { amount: 150 }),
    },
    'edit instant': {
      in: ['hold', 'due', 'awaiting'],
      act: ({ jo }, { id = '' }) => jo.editPayment(id, { executeAt: LATER }),
    },
    'edit metadata': { in: open, act: ({ jo }, { id = '' }) => jo.editPayment(id, { metadata: { n: 2 } }) },
    extend: { in: ['hold', 'awaiting', 'expiring'], act: ({ jo }, { id = '' }) => jo.extendPayment(id, LAST) },
    fail: { in: open, act: ({ jo }, { id = '' }) => jo.failPayment(id, 'by hand') },
    'run now': { in: [...open, 'awaiting'], act: ({ jo }, { id = '' }) => jo.runPaymentNow(id) },
    approve: { in: ['awaiting'], act: ({ kim }, { id = '' }) => kim.approvePayment(id, { termsVersion: 1 }) },
    reject: { in: ['awaiting'], act: ({ kim }, { id = '' }) => kim.rejectPayment(id, 'not agreed') },
    refund: {
      in: ['settled'],
      act: ({ jo, key }, { id = '' }) => jo.refundPayment(id, { amount: 30, ...key('refund') }),
    },
    'refund whole': { in: ['settled'], act: ({ jo, key }, { id = '' }) => jo.refundPayment(id, key('refund whole')) },
    retry: { in: ['failed'], act: ({ jo }, { id = '' }) => jo.retryPayment(id) },
    discard: { in: ['failed'], act: ({ jo }, { id = '' }) => jo.discardDeadLetter(id, 'let it be') },
    settle: {
      in: ['due', 'expiring', 'hold', 'underfunded', 'awaiting'],
      loop: 'processor',
      act: (side) => runLoop(side, 'processor'),
    },
    archive: {
      in: ['settled', 'failed'],
      act: ({ usance }) => usance.archive({ olderThanMs: -60_000, caller: SYSTEM }),
    },
    'fund the payer': {
      in: ['underfunded'],
      act: ({ jo, key }) => jo.deposit({ account: 'poor', asset: 'USD', amount: 100, ...key('fund') }),
    },
  },
};
