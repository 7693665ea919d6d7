// The conformance suite finds rails that are wrong: each is the sandbox's rail with one mistake that a relayer has made, and the check that
// must find it. The right rail passes the same checks in sandbox.test.ts.
import { expect, test } from 'vitest';
import type { Rail } from '../../src/rails/index.ts';
import { walletKey } from '../../src/rails/index.ts';
import { createEndpoint } from '../../src/rails/sandbox/endpoint.ts';
import { createSandboxRail } from '../../src/rails/sandbox/rail.ts';
import { CHECKS, checkNamed } from './conformance.ts';
import { useSandbox } from './sandbox-world.ts';

const worlds = useSandbox();

/** The second endpoint, which answers wrongly on request, asked twice instead of two endpoints. */
function trustingOneEndpoint(): Rail {
  const { sandbox } = worlds;
  const { chain, assets } = sandbox.rail;
  const endpoint = createEndpoint(sandbox, 1);
  return createSandboxRail({ chain, assets, endpoints: [endpoint, endpoint], key: walletKey(`conformance\n${chain}`) });
}

const WRONG: readonly (readonly [mistake: string, foundBy: string, change: (rail: Rail) => Rail])[] = [
  [
    'sends while it prepares',
    'prepare sends nothing',
    (rail) => ({
      ...rail,
      async prepare(request, clock) {
        const outcome = await rail.prepare(request, clock);
        if (outcome.outcome === 'prepared') await rail.broadcast(outcome.signed, clock);
        return outcome;
      },
    }),
  ],
  [
    'signs again in every broadcast',
    'broadcasting the same bytes again lands once',
    (rail) => {
      const requests = new Map<string, Parameters<Rail['prepare']>[0]>();
      return {
        ...rail,
        async prepare(request, clock) {
          const outcome = await rail.prepare(request, clock);
          if (outcome.outcome === 'prepared') requests.set(outcome.signed.transactionId, request);
          return outcome;
        },
        async broadcast(signed, clock) {
          const request = requests.get(signed.transactionId);
          const again = request ? await rail.prepare(request, clock) : null;
          return rail.broadcast(again?.outcome === 'prepared' ? again.signed : signed, clock);
        },
      };
    },
  ],
  [
    'calls a lost answer refused',
    'a broadcast whose answer was lost is unknown, and lands',
    (rail) => ({
      ...rail,
      async broadcast(signed, clock) {
        const outcome = await rail.broadcast(signed, clock);
        return outcome.outcome === 'unknown' && outcome.reason === 'timeout'
          ? { ...outcome, outcome: 'refused' }
          : outcome;
      },
    }),
  ],
  ...(['already_known', 'nonce_too_low'] as const).map(
    (name) =>
      [
        `calls "${name.replaceAll('_', ' ')}" refused`,
        `"${name.replaceAll('_', ' ')}" is unknown`,
        (rail: Rail): Rail => ({
          ...rail,
          async broadcast(signed, clock) {
            const outcome = await rail.broadcast(signed, clock);
            return outcome.outcome === 'unknown' && outcome.reason === name
              ? { ...outcome, outcome: 'refused' }
              : outcome;
          },
        }),
      ] as const,
  ),
  [
    'calls a transfer final in its first block',
    'a transfer in a block that is not final is pending',
    (rail) => ({
      ...rail,
      async checkConfirmation(signed, clock) {
        const seen = await rail.checkConfirmation(signed, clock);
        return seen.state === 'pending' && seen.seen === 'block'
          ? { state: 'finalized', height: 1n, feeUnits: 0n }
          : seen;
      },
    }),
  ],
  [
    'calls a transfer that it does not find dead',
    'a dropped transfer is unknown until it has expired, and then dead',
    (rail) => ({
      ...rail,
      async checkConfirmation(signed, clock) {
        const seen = await rail.checkConfirmation(signed, clock);
        return seen.state === 'unknown' && seen.reason === 'not_found' ? { state: 'dead' } : seen;
      },
    }),
  ],
  [
    'believes one endpoint that a transfer is dead',
    'one endpoint that is far ahead cannot declare a transfer dead',
    () => trustingOneEndpoint(),
  ],
  [
    'believes one endpoint that a transfer is final',
    'one endpoint cannot declare a transfer final',
    () => trustingOneEndpoint(),
  ],
  [
    'rounds an amount that the chain cannot represent',
    'an amount that the chain cannot represent is refused, not rounded',
    (rail) => ({
      ...rail,
      prepare: (request, clock) =>
        rail.prepare({ ...request, asset: { ...request.asset, scale: 6 }, amount: request.amount / 1000n }, clock),
    }),
  ],
  [
    'reports the fee limit as the fee',
    'a transfer is final after its blocks, with the amount and the fee of the chain',
    (rail) => ({
      ...rail,
      async checkConfirmation(signed, clock) {
        const seen = await rail.checkConfirmation(signed, clock);
        return seen.state === 'finalized' ? { ...seen, feeUnits: 1_000_000n } : seen;
      },
    }),
  ],
  [
    'calls a transfer dead while no endpoint answers',
    'endpoints that do not answer leave everything unknown',
    (rail) => ({
      ...rail,
      async checkConfirmation(signed, clock) {
        const seen = await rail.checkConfirmation(signed, clock);
        return seen.state === 'unknown' && seen.reason !== 'not_found' ? { state: 'dead' } : seen;
      },
    }),
  ],
  [
    'looks up a transaction as final in its first block',
    'a transaction is looked up with what it moves, and whether its block is final',
    (rail) => ({
      ...rail,
      lookUp: async (id, clock) =>
        (await rail.lookUp(id, clock)).map((one) => {
          const block = one.outcome === 'known' ? one.value.transfer?.block : null;
          return one.outcome === 'known' && one.value.transfer && block
            ? {
                ...one,
                value: { ...one.value, transfer: { ...one.value.transfer, block: { ...block, isFinal: true } } },
              }
            : one;
        }),
    }),
  ],
  [
    'calls a reverted transfer final',
    'a transfer without funds is reverted: the fee is paid, no money moves',
    (rail) => ({
      ...rail,
      async checkConfirmation(signed, clock) {
        const seen = await rail.checkConfirmation(signed, clock);
        return seen.state === 'reverted' ? { ...seen, state: 'finalized' } : seen;
      },
    }),
  ],
];

test.each(WRONG)('a rail that %s is found', async (_mistake, foundBy, change) => {
  const world = await worlds.create(change);
  // An assertion of the check, not an accident on the way to it.
  await expect(checkNamed(foundBy).run(world)).rejects.toMatchObject({ name: 'AssertionError' });
});

test('no two checks have one name', () => {
  expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
});
