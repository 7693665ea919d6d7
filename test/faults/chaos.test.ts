// Faults under load, in a small size; `npm run proof` has the stated ones. The seed is fixed here.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { quickFolder } from '../support/folders.ts';
import { cutWires, killProcessors, killServer, skewClocks, stopProcessor } from './chaos.ts';
import type { Shop } from './durable.ts';
import { openShop } from './durable.ts';

// A server that comes back under load takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const size = { seed: 7, times: 3, every: 60, processors: 2 };
const state: { shop?: Shop } = {};
const shop = (): Shop => state.shop ?? outside();

// A shop for each test: what one fault leaves behind is not met by the next.
beforeEach(async () => {
  // Killing it takes nothing from the memory of the machine, so that will do here; the proof has it on the disk.
  state.shop = await openShop(20, quickFolder());
});
afterEach(() => Promise.race([state.shop?.close(), pause(10_000, undefined, { ref: false })]));

test('killing processors loses and doubles no payment', async () => {
  expect(await killProcessors(shop(), size)).toMatchObject({ wrong: [] });
});

test('killing the server under load loses and doubles no payment', async () => {
  const reckoning = await killServer(shop(), { ...size, times: 2 });
  expect(reckoning).toMatchObject({ wrong: [] });
  expect(reckoning.unknown).toBeGreaterThan(0);
});

test('a COMMIT whose answer is lost, of a processor or a customer, pays once', async () => {
  const reckoning = await cutWires(shop(), size);
  expect(reckoning).toMatchObject({ wrong: [] });
  expect(reckoning.unknown).toBeGreaterThan(0);
});

test('a suspended processor delays no payment for long, and pays none twice when it continues', async () => {
  const reckoning = await stopProcessor(shop(), { ...size, times: 1, forMs: 0, idleLimitMs: 1_000 });
  expect(reckoning).toMatchObject({ wrong: [], dueMeanwhile: 0 });
});

test('a processor whose clock is wrong and jumps pays nothing early and everything once', async () => {
  expect(await skewClocks(shop(), size)).toMatchObject({ wrong: [] });
});

function outside(): never {
  throw new Error('the shop exists inside tests only');
}
