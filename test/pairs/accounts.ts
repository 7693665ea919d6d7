// An account, and what can be done to it and with its money.
import type { Noun } from './nouns.ts';

const keyed = (name: string) => ({ idempotencyKey: name });
const none = { id: 'ann' };

export const ACCOUNTS: Noun = {
  starts: {
    active: () => Promise.resolve(none),
    empty: async ({ jo }) => {
      await jo.withdraw({ account: 'ann', asset: 'USD', amount: 1_000, ...keyed('empty') });
      return none;
    },
    suspended: async ({ jo }) => {
      await jo.suspendAccount('ann', 'looked at');
      return none;
    },
    reserved: async ({ jo }) => {
      const { reservation } = await jo.reserve({ account: 'ann', asset: 'USD', amount: 1_000, ...keyed('all') });
      return { ...none, reservation };
    },
    limited: async ({ jo }) => {
      await jo.setLimit({ account: 'ann', asset: 'USD', dailyAmount: 1_000 });
      return none;
    },
  },
  verbs: {
    suspend: { in: ['active', 'empty', 'limited'], act: ({ jo }) => jo.suspendAccount('ann', 'seen') },
    reactivate: { in: ['suspended'], act: ({ jo }) => jo.reactivateAccount('ann', 'fine') },
    close: { in: ['empty'], act: ({ jo }) => jo.closeAccount('ann', 'done') },
    edit: { in: ['active', 'empty', 'suspended'], act: ({ jo }) => jo.editAccount('ann', { name: 'Ann' }) },
    deposit: {
      in: ['active', 'empty', 'limited'],
      act: ({ jo, key }) => jo.deposit({ account: 'ann', asset: 'USD', amount: 700, ...key('deposit') }),
    },
    withdraw: {
      in: ['active', 'limited'],
      act: ({ jo, key }) => jo.withdraw({ account: 'ann', asset: 'USD', amount: 700, ...key('withdraw') }),
    },
    'transfer out': {
      in: ['active', 'limited'],
      act: ({ jo, key }) => jo.transfer({ from: 'ann', to: 'ben', asset: 'USD', amount: 700, ...key('out') }),
    },
    'transfer in': {
      in: ['active', 'empty', 'limited'],
      act: ({ jo, key }) => jo.transfer({ from: 'ben', to: 'ann', asset: 'USD', amount: 700, ...key('in') }),
    },
    reserve: {
      in: ['active', 'limited'],
      act: ({ jo, key }) => jo.reserve({ account: 'ann', asset: 'USD', amount: 700, ...key('reserve') }),
    },
    capture: {
      in: ['reserved'],
      act: ({ jo, key }, { reservation = '' }) =>
        jo.capture({ reservation, to: 'ben', amount: 700, ...key('capture') }),
    },
    release: {
      in: ['reserved'],
      act: ({ jo, key }, { reservation = '' }) => jo.release({ reservation, ...key('release') }),
    },
    'create a hold': {
      in: ['active', 'limited'],
      act: ({ jo, key }) =>
        jo.createPayment({ from: 'ann', to: 'ben', asset: 'USD', amount: 700, delay: '1h', ...key('hold') }),
    },
    'create a payment to it': {
      in: ['active', 'empty', 'limited'],
      act: ({ jo, key }) =>
        jo.createPayment({ from: 'ben', to: 'ann', asset: 'USD', amount: 700, delay: '1h', ...key('to') }),
    },
    'set its limit': {
      in: ['active', 'limited'],
      act: ({ jo }) => jo.setLimit({ account: 'ann', asset: 'USD', dailyAmount: 800 }),
    },
  },
};
