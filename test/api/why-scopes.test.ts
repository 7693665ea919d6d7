// What `why` tells a key: nothing that the key's other routes refuse to it.
import { beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/engine.ts';
import { paymentId } from '../../src/contract/wire-format.ts';
import { freeze, key, open } from '../support/books.ts';
import { useApi } from './api.ts';

const store = useApi();
const OPS = ['police request', 'key_', '1.23', 'has been frozen', 'limits.set', 'pauses.lift'];
const LEDGER = ['SAR filed', '0.07', '9.93'];
let path = '';

beforeAll(async () => {
  await open(store.tenant, { ann: 7, ben: 0 });
  const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 1_000, funding: 'at_execution' } as const;
  const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
  path = `/payments/${paymentId(id)}/why`;
  await store.send('POST /pauses', { body: { scope: 'tenant', reason: 'police request' } });
  await store.tenant.setLimit({ asset: 'USD', account: 'ann', dailyAmount: 123 });
  await store.tenant.setLimit({ asset: 'USD', tenantDailyAmount: 123 });
  await store.tenant.suspendAccount('ben', 'SAR filed');
  await freeze(store.owner, store.tenant.id, 'USD/2');
});

const whyWith = async (...scopes: Scope[]): Promise<{ text: string; codes: string[] }> => {
  const { secret } = await store.tenant.createApiKey({ name: 'reader', scopes: ['payments:read', ...scopes] });
  const answer = await store.send(`GET ${path}`, { secret });
  const { code, also } = answer.body as { code: string; also: { code: string }[] };
  return { text: answer.text, codes: [code, ...also.map((each) => each.code)] };
};
const found = (text: string, words: readonly string[]): string[] => words.filter((word) => text.includes(word));

test.each([
  [[], [], []],
  [['ops:read'], OPS, []],
  [['ledger:read'], [], LEDGER],
  [['ops:read', 'ledger:read'], OPS, LEDGER],
] as [Scope[], string[], string[]][])(
  'a key with payments:read and %j sees what these scopes show',
  async (scopes, ops, ledger) => {
    const { text, codes } = await whyWith(...scopes);
    expect([found(text, OPS), found(text, LEDGER)]).toEqual([ops, ledger]);
    for (const code of ['paused', 'daily_limit', 'frozen', 'account_suspended', 'funds_insufficient'])
      expect(codes).toContain(code);
  },
);
