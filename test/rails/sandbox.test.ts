import { describe, expect, test } from 'vitest';
import { liveAt } from '../../src/kernel/index.ts';
import { FEE_ASSET, NO_FAULTS, openSandbox, walletKey } from '../../src/rails/index.ts';
import { decideFate, draw } from '../../src/rails/sandbox/faults.ts';
import { CHECKS } from './conformance.ts';
import { useSandbox } from './sandbox-world.ts';

const worlds = useSandbox();

describe('the sandbox as a rail', () => {
  test.each(CHECKS)('$name', async ({ run }) => {
    await run(await worlds.create());
  });
});

describe('the simulated chain', () => {
  const transfer = { memo: 'payout', asset: { code: 'USDC', scale: 6 }, amount: 5n, feeLimitUnits: 1_000_000n };

  test('shows a double payment if a caller signs twice', async () => {
    const world = await worlds.create();
    for (let count = 0; count < 2; count += 1) {
      const outcome = await world.rail.prepare({ ...transfer, to: world.payee }, world.clock());
      if (outcome.outcome !== 'prepared') throw new Error(outcome.reason);
      await world.rail.broadcast(outcome.signed, world.clock());
      world.blocks(1);
    }
    world.blocks(world.finalityBlocks);
    expect(await world.landings('payout')).toHaveLength(2);
  });

  test('gives the same bytes for the same request on the same block', async () => {
    const world = await worlds.create();
    const first = await world.rail.prepare({ ...transfer, to: world.payee }, world.clock());
    expect(await world.rail.prepare({ ...transfer, to: world.payee }, world.clock())).toEqual(first);
  });

  test('keeps every unit through drops, delays and replaced blocks', async () => {
    const world = await worlds.create();
    const { sandbox, rail } = world;
    await sandbox.setFaults(world.clock(), { drop: 0.2, delay: 0.5, reorg: 0.5, expire: 0.1 });
    for (let count = 0; count < 30; count += 1) {
      const wanted = { ...transfer, memo: `payout ${count}`, to: world.payee };
      const outcome = await rail.prepare(wanted, world.clock());
      if (outcome.outcome !== 'prepared') throw new Error(outcome.reason);
      await rail.broadcast(outcome.signed, world.clock());
      world.blocks(count % 3);
    }
    world.blocks(200);
    const landed = await sandbox.landed(world.clock());
    expect(landed.length).toBeGreaterThan(5);
    expect(landed.length).toBeLessThan(30);
    const [usdc, fees] = [
      await rail.getBalance('USDC', world.clock()),
      await rail.getBalance(FEE_ASSET.code, world.clock()),
    ];
    const paid = landed.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n);
    expect(usdc).toMatchObject({ value: { units: 1_000_000_000_000n - 5n * BigInt(landed.length) } });
    expect(fees).toMatchObject({ value: { units: 1_000_000_000_000n - paid } });
  });

  test('has its own blocks for every clock, and never fewer of them', async () => {
    const [one, other] = [await worlds.create(), await worlds.create()];
    one.blocks(1000);
    const height = async (world: typeof one): Promise<bigint> =>
      world.sandbox.at(world.clock(), (_tx, chain) => Promise.resolve(chain.height));
    expect(await height(one)).toBe(1100n);
    expect(await height(other)).toBe(100n);
    one.blocks(-500);
    expect(await height(one)).toBe(1100n);
  });

  test('has a chain of live tenants', async () => {
    const clock = liveAt(new Date('2026-03-01T00:00:00Z'));
    await worlds.sandbox.fund(clock, worlds.sandbox.rail.wallet, 'USDC', 7n);
    expect(await worlds.sandbox.rail.getBalance('USDC', clock)).toMatchObject({ value: { units: 7n } });
  });

  test('is not available in production', () => {
    expect(() => openSandbox({ url: worlds.url, production: true })).toThrow(/not available with NODE_ENV=production/);
  });

  test('does not pay out the asset of its fees', () => {
    const assets = [{ code: FEE_ASSET.code, decimals: 9, minimumUnits: 1n }];
    expect(() => openSandbox({ url: worlds.url, production: false, assets })).toThrow(/pays the fees/);
  });
});

describe('a fault', () => {
  test('is computed from seed and ordinal, near its rate', () => {
    expect(draw('seed', 7n, 'drop')).toBe(draw('seed', 7n, 'drop'));
    expect(draw('seed', 7n, 'drop')).not.toBe(draw('seed', 8n, 'drop'));
    const hits = Array.from({ length: 2000 }, (_, index) => draw('seed', BigInt(index), 'drop')).filter((n) => n < 0.3);
    expect(hits.length / 2000).toBeCloseTo(0.3, 1);
  });

  test('never lands a transaction after its last valid height, nor replaces a final block', () => {
    const rules = { seed: 'x', finalityBlocks: 5, faults: { ...NO_FAULTS, delay: 0.7, delayBlocks: 80, reorg: 0.7 } };
    let replaced = 0;
    for (let ordinal = 0n; ordinal < 500n; ordinal += 1n) {
      const fate = decideFate(rules, ordinal, 100n, 160n);
      const landing = fate.nextHeight ?? 0n;
      expect(landing > 160n ? fate.reorgHeight : null).toBeNull();
      if (fate.reorgHeight === null) continue;
      replaced += 1;
      expect(fate.reorgHeight - landing >= 1n && fate.reorgHeight - landing < 5n).toBe(true);
      if (fate.relandHeight !== null)
        expect(fate.relandHeight > fate.reorgHeight && fate.relandHeight <= 160n).toBe(true);
    }
    expect(replaced).toBeGreaterThan(50);
  });
});

test('a wrong address says whether its form or its checksum is wrong', async () => {
  const { rail, payee } = await worlds.create();
  const typo = payee.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  expect(rail.validateAddress(typo)).toMatchObject({ reason: expect.stringMatching(/^its checksum/) as string });
  expect(rail.validateAddress('0x52908400098527886E0F7030069857D2E4169EE7')).toMatchObject({
    reason: expect.stringMatching(/^an address there is "sbx" and 40 hexadecimal digits/) as string,
  });
});

test('an address of another wallet is another address', () => {
  expect(walletKey('a').address).not.toBe(walletKey('b').address);
});
