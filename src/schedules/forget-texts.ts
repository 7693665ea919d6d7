// Texts that are erased with an account: those of the payments that its end user created, and reasons of schedules that it pays.
import type { ForgetTexts } from '../ledger/index.ts';
import { forgetPaymentTexts } from '../payments/index.ts';
import { forgetReasons } from './store.ts';

export const forgetTexts: ForgetTexts = async (tx, account) => {
  const { texts, events } = await forgetPaymentTexts(tx, account);
  return { texts: texts + (await forgetReasons(tx, account)), events };
};
