// Prices of the assets in which chains take fees, as an application gives them: fixed, or by a function.
import { describe, expect, test } from 'vitest';
import { engineOptions } from '../../src/library/usance-options.ts';
import type { ChainSettings } from '../../src/library/index.ts';
import { useUsance } from '../support/database.ts';

const observedAt = new Date();
const setup = (prices: NonNullable<ChainSettings['prices']>): NonNullable<ReturnType<typeof engineOptions>['chains']> =>
  engineOptions({ chains: { sandbox: true, prices } }).chains ?? {};

const priced = async (store: ReturnType<typeof useUsance>) => {
  await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
  return (await store.tenant.chains()).map(({ newest }) => newest?.price?.usd ?? null);
};

describe('fixed prices', () => {
  const store = useUsance({ chains: setup({ SBX: 2.5 }) });

  test('take the place of the price of the sandbox', async () => {
    expect(await priced(store)).toEqual([2.5]);
  });
});

describe('a function', () => {
  const answers: (() => ReturnType<Extract<ChainSettings['prices'], (...given: never) => unknown>>)[] = [];
  const store = useUsance({ chains: setup((asset) => answers.shift()?.() ?? Promise.reject(new Error(asset))) });

  test('is asked first; without its price, or if it throws, the fixed price counts', async () => {
    answers.push(() => Promise.resolve({ usd: 3, observedAt }));
    expect(await priced(store)).toEqual([3]);
    answers.push(() => Promise.resolve(null));
    expect(await priced(store)).toEqual([1]);
    expect(await priced(store)).toEqual([1]);
  });
});
