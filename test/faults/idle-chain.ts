// A chain that says the same whatever happens: nothing on it lands, and everything that was sent has expired. Verbs that ask a chain can be
// interrupted at each statement and done again, and find the same.
import type { ChainSetup } from '../../src/engine.ts';
import type { Reading } from '../../src/rails/index.ts';
import { fixedPrices } from '../../src/rails/index.ts';
import { GOOD, fakeRail } from '../rails/fake-rail.ts';

const known = <T>(value: T): Promise<Reading<T>> => Promise.resolve({ outcome: 'known', value });
const units = 10n ** 15n;

export const IDLE_CHAIN: ChainSetup = {
  measureEveryMs: 3_600_000,
  prices: fixedPrices({ GAS: 1 }),
  rails: [
    fakeRail('idle', {
      getBalance: () => known({ units, finalizedUnits: units, height: 200n, finalizedHeight: 200n }),
      estimateFee: () => known(GOOD.fee),
      prepare: ({ memo }) =>
        Promise.resolve({
          outcome: 'prepared',
          signed: { bytes: Buffer.from(memo), transactionId: `tx ${memo}`, lastValidHeight: 100n },
        }),
      broadcast: () => Promise.resolve({ outcome: 'accepted' }),
      checkConfirmation: () => Promise.resolve({ state: 'dead' }),
      lookUp: () =>
        Promise.all([
          known({ finalizedHeight: 200n, transfer: null }),
          known({ finalizedHeight: 200n, transfer: null }),
        ]),
    }),
  ],
};
