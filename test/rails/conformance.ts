// The suite that every rail must pass, as data: each check throws if the rail is wrong. A world is one chain with a funded wallet, faults on
// request, and a way to read the chain past the rail.
import { expect } from 'vitest';
import type { Clock } from '../../src/kernel/index.ts';
import type { Rail, SignedTransfer, TransferRequest } from '../../src/rails/index.ts';

export type WorldFault =
  | 'none'
  | 'endpoints_fail'
  | 'endpoints_silent'
  | 'answers_lost'
  | 'drop'
  | 'expire'
  | 'reorg'
  | 'already_known'
  | 'nonce_too_low'
  | 'one_null_receipt'
  | 'one_future_height'
  | 'one_false_final';

export interface RailWorld {
  readonly rail: Rail;
  readonly payee: string;
  clock(): Clock;
  /** Moves the clock by blocks. */
  blocks(count: number): void;
  readonly finalityBlocks: number;
  readonly validityBlocks: number;
  fault(fault: WorldFault): Promise<void>;
  /** Transactions with this memo that are in a block, read from the chain. */
  landings(memo: string): Promise<readonly { readonly fee: bigint; readonly units: bigint }[]>;
}

export interface Check {
  readonly name: string;
  run(world: RailWorld): Promise<void>;
}

let made = 0;
const request = (world: RailWorld, given: Partial<TransferRequest> = {}): TransferRequest => ({
  memo: `payout ${(made += 1)}`,
  to: world.payee,
  asset: { code: 'USDC', scale: 6 },
  amount: 1_500_000n,
  feeLimitUnits: 1_000_000n,
  ...given,
});

async function prepared(world: RailWorld, wanted: TransferRequest): Promise<SignedTransfer> {
  const outcome = await world.rail.prepare(wanted, world.clock());
  if (outcome.outcome !== 'prepared') throw new Error(`prepare was ${outcome.outcome}: ${outcome.reason}`);
  return outcome.signed;
}

const stateOf = async (world: RailWorld, signed: SignedTransfer): Promise<string> =>
  (await world.rail.checkConfirmation(signed, world.clock())).state;

async function isUnknown(world: RailWorld, fault: 'already_known' | 'nonce_too_low'): Promise<void> {
  const signed = await prepared(world, request(world));
  await world.fault(fault);
  expect(await world.rail.broadcast(signed, world.clock())).toEqual({ outcome: 'unknown', reason: fault });
}

/** Past the last block that could include the transaction, and that block final. */
const pastExpiry = (world: RailWorld): void => world.blocks(world.validityBlocks + world.finalityBlocks + 2);

export const CHECKS: readonly Check[] = [
  {
    name: 'an address is checked by form and checksum',
    async run({ rail, payee }) {
      expect(rail.validateAddress(payee)).toEqual({ valid: true, address: payee });
      const broken = payee.slice(0, -1) + (payee.endsWith('0') ? '1' : '0');
      for (const address of ['', broken, ` ${payee}`, payee.toUpperCase(), 'a'.repeat(10_000)]) {
        expect(rail.validateAddress(address).valid, address.slice(0, 50)).toBe(false);
      }
    },
  },
  {
    name: 'prepare refuses a request that can never be built',
    async run(world) {
      const refused = async (given: Partial<TransferRequest>): Promise<unknown> =>
        world.rail.prepare(request(world, given), world.clock());
      expect(await refused({ to: 'x' })).toEqual({ outcome: 'refused', reason: 'address_invalid' });
      expect(await refused({ asset: { code: 'NONE', scale: 2 } })).toEqual({
        outcome: 'refused',
        reason: 'asset_unknown',
      });
      expect(await refused({ amount: 0n })).toEqual({ outcome: 'refused', reason: 'amount_below_minimum' });
    },
  },
  {
    name: 'an amount that the chain cannot represent is refused, not rounded',
    async run(world) {
      const outcome = await world.rail.prepare(
        request(world, { asset: { code: 'USDC', scale: 9 }, amount: 1_500_000_001n }),
        world.clock(),
      );
      expect(outcome).toEqual({ outcome: 'refused', reason: 'amount_inexact' });
    },
  },
  {
    name: 'prepare sends nothing',
    async run(world) {
      const wanted = request(world);
      await prepared(world, wanted);
      world.blocks(world.finalityBlocks + 2);
      expect(await world.landings(wanted.memo)).toEqual([]);
    },
  },
  {
    name: 'a transfer is final after its blocks, with the amount and the fee of the chain',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      expect(await world.rail.broadcast(signed, world.clock())).toEqual({ outcome: 'accepted' });
      world.blocks(world.finalityBlocks + 2);
      const confirmed = await world.rail.checkConfirmation(signed, world.clock());
      const [landing, ...others] = await world.landings(wanted.memo);
      expect(others).toEqual([]);
      expect(landing?.units).toBe(wanted.amount);
      expect(confirmed).toMatchObject({ state: 'finalized', feeUnits: landing?.fee });
    },
  },
  {
    name: 'a transfer in a block that is not final is pending',
    async run(world) {
      const signed = await prepared(world, request(world));
      await world.rail.broadcast(signed, world.clock());
      expect(await stateOf(world, signed)).toBe('pending');
      world.blocks(2);
      expect(await stateOf(world, signed)).toBe('pending');
    },
  },
  {
    name: 'broadcasting the same bytes again lands once',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      for (const wait of [0, 1, world.finalityBlocks + 2]) {
        world.blocks(wait);
        expect((await world.rail.broadcast(signed, world.clock())).outcome).not.toBe('refused');
      }
      world.blocks(world.finalityBlocks + 2);
      expect(await world.landings(wanted.memo)).toHaveLength(1);
      expect(await stateOf(world, signed)).toBe('finalized');
    },
  },
  {
    name: 'a broadcast whose answer was lost is unknown, and lands',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      await world.fault('answers_lost');
      expect((await world.rail.broadcast(signed, world.clock())).outcome).toBe('unknown');
      await world.fault('none');
      world.blocks(world.finalityBlocks + 2);
      expect(await stateOf(world, signed)).toBe('finalized');
      expect(await world.landings(wanted.memo)).toHaveLength(1);
    },
  },
  ...(['already_known', 'nonce_too_low'] as const).map((fault): Check => ({
    name: `"${fault.replaceAll('_', ' ')}" is unknown`,
    run: (world) => isUnknown(world, fault),
  })),
  {
    name: 'bytes that are not valid on the chain are refused',
    async run(world) {
      const signed = await prepared(world, request(world));
      const bytes = Uint8Array.from(signed.bytes, (byte, index) =>
        index === signed.bytes.length - 3 ? byte ^ 1 : byte,
      );
      expect((await world.rail.broadcast({ ...signed, bytes }, world.clock())).outcome).toBe('refused');
    },
  },
  {
    name: 'a dropped transfer is unknown until it has expired, and then dead',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      await world.fault('drop');
      expect(await world.rail.broadcast(signed, world.clock())).toEqual({ outcome: 'accepted' });
      world.blocks(3);
      expect(await stateOf(world, signed)).toBe('unknown');
      // Past the last valid height, but that block is not final yet.
      world.blocks(world.validityBlocks);
      expect(await stateOf(world, signed)).toBe('unknown');
      world.blocks(world.finalityBlocks);
      expect(await stateOf(world, signed)).toBe('dead');
      await world.fault('none');
      expect((await world.rail.broadcast(signed, world.clock())).outcome).toBe('unknown');
      world.blocks(world.finalityBlocks + 2);
      expect(await world.landings(wanted.memo)).toEqual([]);
    },
  },
  {
    name: 'a dropped transfer lands when its bytes are sent again in time',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      await world.fault('drop');
      await world.rail.broadcast(signed, world.clock());
      await world.fault('none');
      world.blocks(5);
      expect(await world.rail.broadcast(signed, world.clock())).toEqual({ outcome: 'accepted' });
      world.blocks(world.finalityBlocks + 2);
      expect(await stateOf(world, signed)).toBe('finalized');
      expect(await world.landings(wanted.memo)).toHaveLength(1);
    },
  },
  {
    name: 'a transfer that expires in the pool is pending, and then dead',
    async run(world) {
      const signed = await prepared(world, request(world));
      await world.fault('expire');
      await world.rail.broadcast(signed, world.clock());
      world.blocks(world.validityBlocks - 2);
      expect(await stateOf(world, signed)).toBe('pending');
      pastExpiry(world);
      expect(await stateOf(world, signed)).toBe('dead');
    },
  },
  {
    name: 'a transfer whose block is replaced is never final on the way',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      await world.fault('reorg');
      await world.rail.broadcast(signed, world.clock());
      const seen: string[] = [];
      for (let block = 0; block < world.finalityBlocks; block += 1) {
        world.blocks(1);
        seen.push(await stateOf(world, signed));
      }
      expect(seen).not.toContain('finalized');
      expect(seen).not.toContain('dead');
      pastExpiry(world);
      const landings = await world.landings(wanted.memo);
      expect(await stateOf(world, signed)).toBe(landings.length === 1 ? 'finalized' : 'dead');
    },
  },
  {
    name: 'an empty receipt of one endpoint ends nothing',
    async run(world) {
      const signed = await prepared(world, request(world));
      await world.rail.broadcast(signed, world.clock());
      world.blocks(world.finalityBlocks + 2);
      await world.fault('one_null_receipt');
      expect(await stateOf(world, signed)).toBe('pending');
      pastExpiry(world);
      expect(await stateOf(world, signed)).toBe('pending');
      await world.fault('none');
      expect(await stateOf(world, signed)).toBe('finalized');
    },
  },
  {
    name: 'one endpoint that is far ahead cannot declare a transfer dead',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      await world.fault('one_future_height');
      expect(await stateOf(world, signed)).toBe('unknown');
      await world.fault('none');
      await world.rail.broadcast(signed, world.clock());
      world.blocks(world.finalityBlocks + 2);
      expect(await world.landings(wanted.memo)).toHaveLength(1);
    },
  },
  {
    name: 'one endpoint cannot declare a transfer final',
    async run(world) {
      const signed = await prepared(world, request(world));
      await world.fault('one_false_final');
      expect(await stateOf(world, signed)).toBe('pending');
    },
  },
  {
    name: 'endpoints that do not answer leave everything unknown',
    async run(world) {
      const signed = await prepared(world, request(world));
      pastExpiry(world);
      for (const fault of ['endpoints_fail', 'endpoints_silent'] as const) {
        await world.fault(fault);
        const { rail } = world;
        const clock = world.clock();
        expect((await rail.broadcast(signed, clock)).outcome).toBe('unknown');
        expect((await rail.checkConfirmation(signed, clock)).state).toBe('unknown');
        expect((await rail.prepare(request(world), clock)).outcome).toBe('unknown');
        expect((await rail.getBalance('USDC', clock)).outcome).toBe('unknown');
        expect((await rail.estimateFee(clock)).outcome).toBe('unknown');
        expect((await rail.getHealthMetrics(clock)).outcome).toBe('unknown');
      }
    },
  },
  {
    name: 'a transfer without funds is reverted: the fee is paid, no money moves',
    async run(world) {
      const before = await world.rail.getBalance('USDC', world.clock());
      const wanted = request(world, { amount: 10n ** 17n });
      const signed = await prepared(world, wanted);
      await world.rail.broadcast(signed, world.clock());
      world.blocks(world.finalityBlocks + 2);
      const confirmed = await world.rail.checkConfirmation(signed, world.clock());
      expect(confirmed.state).toBe('reverted');
      const after = await world.rail.getBalance('USDC', world.clock());
      if (before.outcome === 'unknown' || after.outcome === 'unknown') throw new Error('the balance is unknown');
      expect(after.value.units).toBe(before.value.units);
    },
  },
  {
    name: 'a transaction is looked up with what it moves, and whether its block is final',
    async run(world) {
      const wanted = request(world);
      const signed = await prepared(world, wanted);
      const look = async () => {
        const reports = await world.rail.lookUp(signed.transactionId, world.clock());
        expect(reports).toHaveLength(2);
        return reports.map((one) => (one.outcome === 'known' ? one.value.transfer : one.reason));
      };
      expect(await look()).toEqual([null, null]);
      await world.rail.broadcast(signed, world.clock());
      world.blocks(2);
      const moved = { to: wanted.to, asset: wanted.asset.code, units: wanted.amount, memo: wanted.memo };
      const [early] = await look();
      expect(early).toMatchObject({ ...moved, block: { isFinal: false } });
      world.blocks(world.finalityBlocks + 2);
      const [landing] = await world.landings(wanted.memo);
      const final = { ...moved, block: { isFinal: true, succeeded: true, feeUnits: landing?.fee } };
      expect(await look()).toMatchObject([final, final]);
      await world.fault('endpoints_silent');
      expect(await look()).toEqual(['timeout', 'timeout']);
    },
  },
  {
    name: 'a balance says which part is final',
    async run(world) {
      const read = async (): Promise<{ units: bigint; finalizedUnits: bigint }> => {
        const reading = await world.rail.getBalance('USDC', world.clock());
        if (reading.outcome === 'unknown') throw new Error(reading.reason);
        return reading.value;
      };
      const before = await read();
      const wanted = request(world);
      await world.rail.broadcast(await prepared(world, wanted), world.clock());
      world.blocks(2);
      expect(await read()).toMatchObject({ units: before.units - wanted.amount, finalizedUnits: before.units });
      world.blocks(world.finalityBlocks);
      expect(await read()).toMatchObject({ finalizedUnits: before.units - wanted.amount });
    },
  },
  {
    name: 'health metrics are in their ranges and count failed calls',
    async run(world) {
      const read = async () => {
        const reading = await world.rail.getHealthMetrics(world.clock());
        if (reading.outcome === 'unknown') throw new Error(reading.reason);
        return reading.value;
      };
      const calm = await read();
      expect(calm.avgConfirmationSeconds).toBeGreaterThan(0);
      expect(calm.fee.units).toBeGreaterThan(0n);
      expect(calm.congestionScore >= 0 && calm.congestionScore <= 1).toBe(true);
      await world.fault('endpoints_fail');
      await world.rail.getHealthMetrics(world.clock());
      await world.fault('none');
      const later = await read();
      expect(later.rpcErrorRate).toBeGreaterThan(calm.rpcErrorRate);
      expect(later.rpcErrorRate).toBeLessThanOrEqual(1);
    },
  },
];

/** A check by its name: a wrong rail is tested by the check that must find it. */
export function checkNamed(name: string): Check {
  const check = CHECKS.find((one) => one.name === name);
  if (!check) throw new Error(`the suite has no check "${name}"`);
  return check;
}
